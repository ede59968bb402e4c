"""The contract of acquaintances: blocks, follows, invitations, and the results of games, searched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.rules.state import Result
from bohn.server.store.acquaintances import Against, GameResult, Invitation, Tallied, Wanted
from bohn.server.store.protocol import Append, ListedSeat, Store
from tests.server.store.samples import AT, listing, row, user
from tests.server.store.telling import Stores, story


async def come(store: Store, *names: str) -> None:
    """Store users of these ids."""
    for name in names:
        await store.put_user(replace(user(name), id=name))


def result(who: str = "anna", table: str = "t1", at: int = AT, **more: Any) -> GameResult:
    """Return a result of a game of three in the full edition."""
    made = GameResult(who, table, at, "full", 3, 1, 12, 4, 2, 1)
    return replace(made, **more)


async def opened(store: Store, table: str, **more: Any) -> None:
    """Store a table."""
    await store.append(Append(row=row(table), listing=listing(table, **more)))


async def played(store: Store) -> None:
    """Store three games of Anna: two with Ben, one of them in another edition, and one with Clara."""
    await come(store, "anna", "ben", "clara")
    await store.put_results(
        (
            result(),
            result("ben", place=2, coins=9),
            result(table="t2", at=AT + 10, edition="classic", players=4, place=3, coins=5),
            result("ben", "t2", AT + 10, edition="classic", players=4, place=1),
            result(table="t3", at=AT + 20, coins=8),
            result("clara", "t3", AT + 20),
        )
    )


class AcquaintancesContract(Stores):
    """Who is kept away, who is followed and invited, and what came of the games."""

    @story
    async def test_block_is_known_from_both_sides_until_it_is_undone(self, one: Store, two: Store) -> None:
        """And a second one of the same is none."""
        await one.set_block("anna", "ben", on=True)
        await one.set_block("anna", "ben", on=True)
        assert await two.blocked_by("anna") == {"ben"}
        assert await two.blockers_of("ben") == {"anna"}
        assert await two.blocked_by("ben") == frozenset()

        await two.set_block("anna", "ben", on=False)
        assert await one.blocked_by("anna") == frozenset()

    @story
    async def test_chat_of_muted_and_blocked_is_unread(self, store: Store) -> None:
        """Each for itself."""
        await store.set_mute("anna", "ben", on=True)
        await store.set_block("anna", "clara", on=True)
        await store.set_block("ben", "anna", on=True)

        assert await store.unread("anna") == {"ben", "clara"}
        assert await store.mutes("anna") == {"ben"}

    @story
    async def test_block_ends_follows_and_invitations(self, store: Store) -> None:
        """Neither follows the other any more; whom he follows else stays."""
        await opened(store, "t1", status="open")
        await store.set_follow("anna", "ben", AT, on=True)
        await store.set_follow("ben", "anna", AT, on=True)
        await store.set_follow("ben", "clara", AT, on=True)
        await store.invite(Invitation("anna", "t1", "ben", AT))
        await store.invite(Invitation("anna", "t1", "clara", AT))

        await store.set_block("anna", "ben", on=True)
        assert await store.follows_of("anna") == ()
        assert await store.follows_of("ben") == ("clara",)
        assert [one.by for one in await store.invitations_of("anna", 0)] == ["clara"]

    @story
    async def test_blocked_user_does_not_follow(self, store: Store) -> None:
        """Whoever blocks him is not followed anew."""
        await store.set_block("anna", "ben", on=True)
        await store.set_follow("ben", "anna", AT, on=True)

        assert await store.follows_of("ben") == ()

    @story
    async def test_followed_come_in_the_order_in_which_they_were(self, store: Store) -> None:
        """A second follow moves nobody."""
        for at, name in enumerate(("clara", "ben", "clara")):
            await store.set_follow("anna", name, AT + at, on=True)
        assert await store.follows_of("anna") == ("clara", "ben")

        await store.set_follow("anna", "clara", AT, on=False)
        assert await store.follows_of("anna") == ("ben",)

    @story
    async def test_invitation_lets_the_user_enter_and_is_new_once(self, store: Store) -> None:
        """It is read until it is dropped."""
        await opened(store, "t1", status="open", listed=False)
        invitation = Invitation("anna", "t1", "ben", AT)
        assert await store.invite(invitation)
        assert not await store.invite(replace(invitation, at=AT + 5))

        assert await store.granted("t1", "anna")
        assert await store.invitations_of("anna", 0) == (invitation,)
        assert await store.invitations_by("ben") == (invitation,)
        await store.drop_invitations("anna", "t1")
        assert await store.invitations_of("anna", 0) == ()

    @pytest.mark.parametrize("status", ["finished", "abandoned"])
    def test_invitation_to_a_table_that_is_over_is_not_read(self, tmp_path: Path, status: str) -> None:
        """Nor is an old one."""

        @story
        async def told(_: object, store: Store) -> None:
            await opened(store, "t1", status=status)
            await opened(store, "t2", status="playing")
            await store.invite(Invitation("anna", "t1", "ben", AT))
            await store.invite(Invitation("anna", "t2", "ben", AT))
            assert [one.table for one in await store.invitations_of("anna", AT)] == ["t2"]
            assert await store.invitations_of("anna", AT + 1) == ()

        told(self, tmp_path)

    @story
    async def test_profile_is_private_until_it_is_shown(self, store: Store) -> None:
        """Of each user for himself."""
        await store.set_private("anna", on=True)
        await store.set_private("anna", on=True)
        assert await store.private_among(("anna", "ben")) == {"anna"}

        await store.set_private("anna", on=False)
        assert await store.private_among(("anna",)) == frozenset()

    @story
    async def test_result_is_stored_once_and_not_for_the_forgotten(self, store: Store) -> None:
        """What was stored first stays."""
        await come(store, "anna")
        await store.put_results((result(), result("nobody")))
        await store.put_results((result(coins=99),))

        assert await store.results_of("anna", Wanted(), 10) == (result(),)
        assert await store.results_of("nobody", Wanted(), 10) == ()

    @story
    async def test_finished_table_is_unnoted_until_its_result_is_stored(self, store: Store) -> None:
        """Lessons and games that go on with an earlier one do not count."""
        await come(store, "anna")
        whole = {"result": Result((9,), (0,), (1,), (0,)), "seats": (ListedSeat("anna"),)}
        kinds: dict[str, dict[str, Any]] = {
            "t1": whole,
            "t2": {**whole, "status": "playing"},
            "t3": {**whole, "lesson": "first-game"},
            "t4": {**whole, "origin": True},
            "t5": {**whole, "result": None},
            "t6": {**whole, "seats": ()},
        }
        for table, kind in kinds.items():
            made = replace(listing(table, status="finished", users=("anna",)), **kind)
            await store.append(Append(row=row(table), listing=made))
        assert await store.unnoted("anna", 10) == ("t1",)

        await store.put_results((result(),))
        assert await store.unnoted("anna", 10) == ()

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            (Wanted(), ["t3", "t2", "t1"]),
            (Wanted(edition="full"), ["t3", "t1"]),
            (Wanted(players=4), ["t2"]),
            (Wanted(outcome="won"), ["t3", "t1"]),
            (Wanted(outcome="lost"), ["t2"]),
            (Wanted(since=AT + 10), ["t3", "t2"]),
            (Wanted(until=AT + 10), ["t1"]),
            (Wanted(company=("ben",)), ["t2", "t1"]),
            (Wanted(company=("ben", "clara")), ["t3", "t2", "t1"]),
            (Wanted(company=()), []),
            (Wanted(before=(AT + 10, "t2")), ["t1"]),
            (Wanted(edition="full", outcome="won", since=AT, until=AT + 15, company=("ben",)), ["t1"]),
        ],
    )
    def test_results_are_searched(self, tmp_path: Path, wanted: Wanted, found: list[str]) -> None:
        """By edition, players, outcome, date and company, newest first."""

        @story
        async def told(_: object, store: Store) -> None:
            await played(store)
            assert [one.table for one in await store.results_of("anna", wanted, 10)] == found
            assert [one.table for one in await store.results_of("anna", wanted, 1)] == found[:1]

        told(self, tmp_path)

    @story
    async def test_results_are_added_up(self, store: Store) -> None:
        """By edition and number of players, against another, and by company."""
        await played(store)

        assert await store.tallied("anna") == (
            Tallied("classic", 4, 1, 0, 5, 4, 2, 1),
            Tallied("full", 3, 2, 2, 20, 8, 4, 2),
        )
        assert await store.against("anna", "ben") == Against(2, 1, 1)
        assert await store.against("anna", "clara") == Against(1, 0, 0)
        assert await store.against("ben", "clara") == Against(0, 0, 0)
        assert await store.company_of("anna", 10) == ("ben", "clara")
        assert [one.user for one in await store.results_at(("t1", "t3"))] == ["anna", "ben", "anna", "clara"]

    @story
    async def test_forgotten_user_leaves_no_acquaintance(self, store: Store) -> None:
        """Neither his own nor in those of others."""
        await played(store)
        await opened(store, "t9", status="open")
        for user_, other in (("anna", "ben"), ("ben", "anna")):
            await store.set_follow(user_, other, AT, on=True)
            await store.invite(Invitation(user_, "t9", other, AT))
        await store.set_block("clara", "anna", on=True)
        await store.set_private("anna", on=True)

        await store.forget_user("anna")
        assert await store.follows_of("ben") == ()
        assert await store.invitations_of("ben", 0) == ()
        assert await store.blocked_by("clara") == frozenset()
        assert await store.private_among(("anna",)) == frozenset()
        assert await store.results_of("anna", Wanted(), 10) == ()
        assert [one.user for one in await store.results_at(("t1",))] == ["ben"]
