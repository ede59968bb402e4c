"""The contract of instructions: whose they are, and that what was taken back is not carried out."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from bohn.protocol.away import Days, HarvestAhead, PlantAhead, RevealAhead, Terms
from bohn.protocol.room import Hours
from bohn.rules.beans import Bean
from bohn.server.store.away import Instruction, PersonTimes
from bohn.server.store.protocol import Append, Committed, Conflict, Store
from tests.server.store.samples import AT, row
from tests.server.store.telling import Stores, story

ORDER = Instruction("o1", "t1", "anna", AT, Terms(Bean.WAX, 2, Bean.RED, 1, 3))


class AwayContract(Stores):
    """Orders at tables, and the batches in which they are carried out."""

    @story
    async def test_order_is_read_back_whole(self, store: Store) -> None:
        """Oldest first, by table and by user; only its owner deletes it, and at its table."""
        later = replace(ORDER, id="o0", user="ben", created=AT + 1, terms=Terms(None, 1, Bean.SOY))
        elsewhere = replace(ORDER, id="o2", table="t2", created=AT + 2)
        for one in (elsewhere, later, ORDER):
            await store.add_instruction(one, 9)
        await store.add_instruction(replace(ORDER, user="ben"), 9)

        assert await store.instructions_at("t1") == (ORDER, later)
        assert await store.instructions_of("anna") == (ORDER, elsewhere)
        assert not await store.drop_instruction("t1", "ben", "o1")
        assert not await store.drop_instruction("t2", "anna", "o1")
        assert await store.drop_instruction("t1", "anna", "o1")
        assert await store.instructions_at("t1") == (later,)

    @story
    async def test_moves_are_read_back_beside_orders(self, store: Store) -> None:
        """Each as what it is."""
        moves = [PlantAhead(Bean.WAX, 1, harvest=True, times=2), HarvestAhead(0, 4), RevealAhead()]
        left = [replace(ORDER, id=f"o{place}", terms=move) for place, move in enumerate(moves, 2)]
        for one in (ORDER, *left):
            await store.add_instruction(one, 9)
        assert await store.instructions_at("t1") == (ORDER, *left)

    @story
    async def test_orders_of_a_user_at_a_table_have_a_limit(self, store: Store) -> None:
        """Orders and moves each for themselves; those that are spent do not count."""
        move = replace(ORDER, id="m1", terms=PlantAhead(Bean.WAX, 0))
        assert await store.add_instruction(ORDER, 1)
        assert not await store.add_instruction(replace(ORDER, id="o2"), 1)
        assert not await store.add_instruction(replace(ORDER, id="o2"), 1, ("o9", "m1"))
        assert await store.add_instruction(move, 1)
        assert not await store.add_instruction(replace(move, id="m2"), 1, ("o1",))
        assert await store.add_instruction(replace(ORDER, id="o3", user="ben"), 1)
        assert await store.add_instruction(replace(ORDER, id="o4", table="t2"), 1)
        assert await store.add_instruction(replace(ORDER, id="o5"), 1, ("o1", "o9"))
        assert [one.id for one in await store.instructions_at("t1")] == ["m1", "o1", "o3", "o5"]

    @story
    async def test_of_several_orders_at_once_no_more_are_stored_than_there_may_be(
        self, one: Store, two: Store
    ) -> None:
        """Whichever store each comes by."""
        for kind in (ORDER.terms, RevealAhead()):
            name = type(kind).__name__
            await one.add_instruction(replace(ORDER, id=name, terms=kind), 3)
            added = await asyncio.gather(
                *(
                    store.add_instruction(replace(ORDER, id=f"{name}{place}", terms=kind), 3)
                    for place, store in enumerate((one, two) * 8)
                )
            )
            assert sum(added) == 2
        assert len(await two.instructions_at("t1")) == 6

    @story
    async def test_rows_are_written_while_all_their_orders_stand(self, store: Store) -> None:
        """All of them, or none if one was taken back meanwhile or is of another table."""
        await store.add_instruction(ORDER, 9)
        beat = Append(row=row("t1", 1, "ben"), behind=(row("t1", 2, "ben"),), instructions=("o1",))

        assert isinstance(await store.append(replace(beat, instructions=("o1", "o9"))), Conflict)
        assert await store.rows("t1") == ()
        assert isinstance(await store.append(beat), Committed)
        assert len(await store.rows("t1")) == 2
        strange = Append(row=row("t2", 1, "ben"), instructions=("o1",))
        assert isinstance(await store.append(strange), Conflict)

    @story
    async def test_orders_go_with_their_user(self, store: Store) -> None:
        """Who is forgotten leaves none; those of others stay."""
        other = replace(ORDER, id="o2", user="ben")
        await store.add_instruction(ORDER, 9)
        await store.add_instruction(other, 9)
        await store.forget_user("anna")

        assert await store.instructions_at("t1") == (other,)

    @story
    async def test_playing_times_are_those_said_last_and_go_with_their_user(self, store: Store) -> None:
        """One row for each user who has any."""
        days = (Days("2026-12-24", "2026-12-27"),)
        anna = PersonTimes("anna", Hours(480, 1_320, "Europe/Berlin"), days)
        await store.put_times(replace(anna, holidays=()))
        await store.put_times(anna)
        ben = PersonTimes("ben", Hours(0, 0, "UTC"))
        await store.put_times(ben)
        assert await store.times_of(("ben", "anna", "cleo")) == {"anna": anna, "ben": ben}

        await store.forget_user("anna")
        assert await store.times_of(("anna", "ben")) == {"ben": ben}
