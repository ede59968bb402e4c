"""Every bean has a name to show."""

from __future__ import annotations

import pytest

from bohn.i18n import Catalog, available
from bohn.rules.beans import BEANS


@pytest.mark.parametrize("lang", available())
def test_every_bean_has_a_name_of_its_own(lang: str) -> None:
    """No two varieties are called the same, and none shows its key."""
    texts = Catalog.load(lang)
    shown = {texts.text(f"bean.{bean.name.lower()}") for bean in BEANS}

    assert len(shown) == len(BEANS)
    assert not any(name.startswith("[") for name in shown)
