"""From where tables were opened, as far as a process remembers."""

from __future__ import annotations

from bohn.server.addresses import Addresses


def test_address_of_a_table_is_that_of_who_opened_it() -> None:
    """Wherever he goes, and whoever is host later."""
    addresses = Addresses()
    addresses.came("anna", "here")
    addresses.opened("t1", "anna")
    addresses.came("anna", "there")
    addresses.loaded("t1", "bert")

    assert (addresses.of("t1"), addresses.of_user("anna")) == ("here", "there")


def test_address_after_a_restart_is_that_of_the_host() -> None:
    """If he has been seen since; else each table stands for itself, and each user."""
    addresses = Addresses()
    addresses.loaded("t1", "anna")
    addresses.loaded("t2", None)
    assert [addresses.of("t1"), addresses.of("t2"), addresses.of_user("anna")] == ["t1", "t2", "anna"]
    addresses.came("anna", "here")
    addresses.loaded("t1", "anna")

    assert addresses.of("t1") == "here"


def test_addresses_are_bounded() -> None:
    """Who was heard of longest ago is forgotten first."""
    addresses = Addresses(most=2)
    for user in ("anna", "bert", "anna", "cleo"):
        addresses.came(user, "here")
        addresses.opened(f"of-{user}", user)

    assert [addresses.of_user(user) for user in ("anna", "bert", "cleo")] == ["here", "bert", "here"]
    assert addresses.of("of-bert") == "of-bert"


def test_table_in_memory_is_not_forgotten_however_many_are_opened() -> None:
    """What it is counted by holds as long as it is played, and is remembered for a while behind that."""
    addresses = Addresses(most=2)
    addresses.came("anna", "here")
    for number in range(5):
        addresses.opened(f"t{number}", "anna")
        addresses.loaded(f"t{number}", "anna")
    assert {addresses.of(f"t{number}") for number in range(5)} == {"here"}
    for number in range(5):
        addresses.left(f"t{number}")

    assert [addresses.of(f"t{number}") for number in range(5)] == ["t0", "t1", "t2", "here", "here"]
