"""The contract of every store: a class of tests that each of them passes unchanged."""

from __future__ import annotations

from tests.server.store.contract_accounts import AccountsContract
from tests.server.store.contract_acquaintances import AcquaintancesContract
from tests.server.store.contract_alerts import AlertsContract
from tests.server.store.contract_away import AwayContract
from tests.server.store.contract_log import LogContract
from tests.server.store.contract_operating import OperatingContract
from tests.server.store.contract_people import PeopleContract
from tests.server.store.contract_retaining import RetainingContract
from tests.server.store.contract_tables import TablesContract


class StoreContract(
    LogContract,
    TablesContract,
    PeopleContract,
    OperatingContract,
    RetainingContract,
    AccountsContract,
    AcquaintancesContract,
    AlertsContract,
    AwayContract,
):
    """Subclass it, and say in ``make`` how two stores on the same data are made."""
