"""The profile ``soak``: many more examples, as in ``HYPOTHESIS_PROFILE=soak pytest tests/properties``."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Walks are long by design, and a busy machine makes them slow: neither says anything about a property.
_CALM = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("soak", deadline=None, suppress_health_check=_CALM)
settings.register_profile("walks", deadline=None, suppress_health_check=_CALM)
settings.load_profile("soak" if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else "walks")
