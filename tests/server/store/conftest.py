"""The contract is no test module itself, but its asserts are to be told as those of one."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    "tests.server.store.asking",
    "tests.server.store.contract_accounts",
    "tests.server.store.contract_acquaintances",
    "tests.server.store.contract_alerts",
    "tests.server.store.contract_log",
    "tests.server.store.contract_operating",
    "tests.server.store.contract_away",
    "tests.server.store.contract_people",
    "tests.server.store.contract_sharing",
    "tests.server.store.contract_tables",
)
