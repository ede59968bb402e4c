"""The first game teaches what docs/lessons.md tells, and holds whatever the learner does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bohn.bots.random_players import RandomTrader
from bohn.notation.beans import parse_beans
from bohn.notation.records import read_record, verify
from bohn.play.seat import Choices
from bohn.protocol.refusals import Refusal
from bohn.protocol.room_commands import EndTable, Rematch, Stand
from bohn.rules.commands import Command, DeclineOffer, EndTrading, MakeOffer
from bohn.rules.errors import IllegalCommand
from bohn.rules.events import Harvested, OfferMade, TradingClosed, TurnBegan
from bohn.rules.legal import legal_commands, offer_space
from bohn.rules.state import EndPhase, PlantPhase, PlantTradedPhase, State, TradePhase
from bohn.server.store.protocol import LogRow
from bohn.views.knowledge import know
from bohn.views.view import view
from tests.server.support.audit import Folded
from tests.server.support.lesson import LEARNER, Class, taught
from tests.server.support.tables import Ear

ANNA, BERT = 1, 2


def beds(text: str) -> list[tuple[Any, ...]]:
    """Return fields as they are written, without empty ones."""
    return [parse_beans(part) for part in text.split("|")]


async def first_turn(room: Class) -> None:
    """Do what the learner is told in his first turn."""
    await room.plant(0, 0)
    offer = await room.take()
    assert (offer.maker, [copy.bean for copy in offer.hand], offer.want) == (
        ANNA, list(parse_beans("red")), parse_beans("stink"),
    )  # fmt: skip
    await room.offer(BERT, "blue")
    await room.wait(lambda state: len(state.players[0].hand) == 2)
    await room.offer(BERT, "green", "chili")
    await room.wait(lambda state: state.players[0].set_aside == parse_beans("red chili"))
    await room.end_trading()
    await room.plant_set_aside(red=0, chili=1)


async def others_turns(room: Class) -> None:
    """Do what the learner is told while Anna and Bert have their turns."""
    await room.wait(lambda state: state.turn == 2)
    offer = await room.take()
    assert (offer.maker, [c.bean for c in offer.face_up], offer.want) == (
        ANNA, list(parse_beans("red")), parse_beans("stink"),
    )  # fmt: skip
    gift = await room.take()
    assert (gift.maker, [c.bean for c in gift.face_up], gift.want) == (ANNA, list(parse_beans("chili")), ())
    await room.plant_set_aside(red=0, chili=1)
    await room.wait(lambda state: state.turn == 3)
    await room.harvest(0)


def test_nobody_gives_reasons_in_a_lesson() -> None:
    """The story speaks: its bots explain and thank no more than it says."""

    async def act(room: Class) -> None:
        ear = Ear()
        await room.tables.watch(room.table_id, LEARNER, ear, None)
        await first_turn(room)

        assert ear.of("batch")
        assert ear.of("remark") == []

    taught(act)


def test_story_is_told_as_it_is_written() -> None:
    """Two turns of the learner, with a trade, a gift, an own offer, and four coins off-turn."""

    async def story(room: Class) -> None:
        start = await room.state()
        assert start.players[0].hand == parse_beans("red*2 chili blue green")
        assert [wish.want for wish in start.talk.wishes] == [(), parse_beans("stink"), parse_beans("blue")]
        await first_turn(room)
        state = await room.wait(lambda state: state.turn == 2)
        assert [field for field in state.players[0].fields if field] == beds("red*4|chili")
        assert state.players[0].hand == parse_beans("chili blue*2 stink")
        await others_turns(room)
        state = await room.wait(lambda state: state.turn == 4)
        assert (state.active_player, state.players[0].coins) == (0, 4)
        assert [field for field in state.players[0].fields if field] == beds("chili*2")
        assert state.players[0].hand == parse_beans("chili blue*2")
        await room.plant(1)
        offer = await room.take()
        assert (offer.maker, offer.want) == (BERT, parse_beans("green"))
        assert Folded(await room.log()).faults == []

    taught(story)


def test_wish_of_a_bot_ends_with_its_own_trading() -> None:
    """What Anna and Bert have wished for stands until their trading is over, and not longer."""

    async def story(room: Class) -> None:
        def wanted(state: State) -> list[int]:
            return [len(state.talk.wishes[who].want) for who in (ANNA, BERT)]

        await first_turn(room)
        before = wanted(await room.state())
        await others_turns(room)
        between = wanted(await room.state())
        after = wanted(await room.wait(lambda state: state.turn == 4))
        assert [before, between, after] == [[1, 1], [0, 1], [0, 0]]

    taught(story)


def test_story_takes_about_three_minutes() -> None:
    """What the bots do in it takes less than one: the rest is the learner's, who reads."""

    async def story(room: Class) -> None:
        begun = room.clock.now()
        await first_turn(room)
        await others_turns(room)
        await room.wait(lambda state: state.turn == 4)
        assert room.clock.now() - begun < 60_000

    taught(story)


def test_bots_take_less_than_a_second_each_time() -> None:
    """A learner is not kept waiting for an offer or for an answer."""

    async def story(room: Class) -> None:
        await room.plant(0, 0)
        await room.wait(lambda state: isinstance(state.phase, TradePhase) and state.phase.offers, 1_200)
        await room.offer(BERT, "blue")
        await room.wait(lambda state: len(state.players[0].hand) == 2, 1_200)

    taught(story)


@pytest.mark.parametrize("seed", range(6))
def test_learner_may_do_anything(seed: int) -> None:
    """Whatever he does, the bots go on: no move of theirs is refused, and the game comes to its end."""

    async def story(room: Class) -> None:
        rand, bot = Random(seed), RandomTrader(seed)
        rules = room.lesson.rules
        for _ in range(6_000):
            peek = await room.tables.peek(room.table_id)
            state = peek.state
            assert state is not None
            if isinstance(state.phase, EndPhase):
                break
            legal = legal_commands(rules, state, 0)
            if legal and rand.random() < 0.5:
                seen = view(rules, state, 0)
                command: Any = bot.decide(seen, Choices(legal, offer_space(rules, state, 0)), know(seen))
                if isinstance(state.phase, TradePhase) and state.active_player == 0 and rand.random() < 0.3:
                    command = EndTrading(0)
                await attempt(room, command)
            await room.clock.advance(600)
        assert isinstance((await room.state()).phase, EndPhase)
        record = read_record(await room.tables.record(room.table_id, LEARNER))
        assert isinstance(verify(record).phase, EndPhase)
        assert record.header.seats == ("Lena", "Anna:first-game", "Bert:first-game")

    taught(story)


async def attempt(room: Class, command: Command | None) -> None:
    """Do it if it is possible."""
    if command is None:
        return
    try:
        await room.learner(command)
    except (IllegalCommand, Refusal):
        return


def closed(rows: tuple[LogRow, ...], turn: int) -> int | None:
    """Return when the trading of a turn was closed."""
    now = 0
    for row in rows:
        for event in row.events:
            now += isinstance(event, TurnBegan)
            if isinstance(event, TradingClosed) and now == turn:
                return row.at
    return None


def test_bot_waits_for_the_learners_answer() -> None:
    """Anna keeps her trading open while he reads her offer, and closes it once he has said no."""

    async def story(room: Class) -> None:
        await first_turn(room)
        await room.wait(lambda state: state.turn == 2 and isinstance(state.phase, TradePhase))
        await room.rest(120_000)
        assert closed(await room.log(), 2) is None
        await room.refuse()
        said = room.clock.now()
        await room.wait(lambda state: isinstance(state.phase, PlantTradedPhase))
        at = closed(await room.log(), 2)
        assert at is not None
        assert at - said < 20_000

    taught(story)


def test_bot_goes_on_with_its_story_when_it_is_refused() -> None:
    """Anna has a gift for him all the same."""

    async def story(room: Class) -> None:
        await first_turn(room)
        await room.wait(lambda state: state.turn == 2)
        await room.refuse()
        gift = await room.take()
        assert (gift.maker, gift.want, [copy.bean for copy in gift.face_up]) == (
            ANNA, (), list(parse_beans("chili")),
        )  # fmt: skip

    taught(story)


def test_bot_does_not_wait_for_ever() -> None:
    """A learner who has gone to bed finds the game where it waits for him."""

    async def story(room: Class) -> None:
        await first_turn(room)
        await room.wait(lambda state: state.turn == 2 and isinstance(state.phase, TradePhase))
        begun = room.clock.now()
        await room.wait(lambda state: state.turn == 4, 900_000)
        at = closed(await room.log(), 2)
        assert at is not None
        assert 290_000 < at - begun < 400_000

    taught(story)


def test_bot_waits_for_a_harvest_that_cannot_earn_more() -> None:
    """Bert gives the learner a minute for his five red beans."""

    async def story(room: Class) -> None:
        await first_turn(room)
        await room.wait(lambda state: state.turn == 2)
        await room.take()
        await room.take()
        await room.plant_set_aside(red=0, chili=1)
        await room.wait(lambda state: state.turn == 3 and isinstance(state.phase, TradePhase))
        begun = room.clock.now()
        await room.wait(lambda state: state.turn == 4, 120_000)
        at = closed(await room.log(), 3)
        assert at is not None
        assert 50_000 < at - begun < 80_000
        assert not any(isinstance(event, Harvested) for row in await room.log() for event in row.events)

    taught(story)


def test_story_offers_nothing_for_which_a_bot_has_no_card() -> None:
    """The stink bean went to somebody else, so Anna cannot have what she would give for it."""

    async def story(room: Class) -> None:
        await room.plant(0, 0)
        await room.take()
        state = await room.state()
        await room.rest(5_000)
        made = [event for row in await room.log() for event in row.events if isinstance(event, OfferMade)]
        assert [(one.offer.maker, one.offer.want) for one in made] == [(ANNA, parse_beans("stink"))]
        assert state.players[ANNA].set_aside == parse_beans("stink")

    taught(story)


def test_bots_decline_what_the_story_does_not_speak_of() -> None:
    """Anna does not collect green beans; she says so, and nothing else happens."""

    async def story(room: Class) -> None:
        await room.plant(0, 0)
        await room.refuse()
        await room.offer(ANNA, "green")
        await room.wait(
            lambda state: (
                isinstance(state.phase, TradePhase)
                and any(ANNA in offer.declined for offer in state.phase.offers)
            )
        )

    taught(story)


def test_bots_take_more_than_the_story_asks_for() -> None:
    """Who offers Anna the stink bean himself gets her red bean as well."""

    async def story(room: Class) -> None:
        await room.plant(0, 0)
        offer = await room.refuse()
        assert offer.maker == ANNA
        state = await room.state()
        phase = state.phase
        assert isinstance(phase, TradePhase)
        place = phase.face_up.index(parse_beans("stink")[0])
        space = offer_space(room.lesson.rules, state, 0)
        copy = next(one for one in space.face_up if one.place == place)
        await room.learner(MakeOffer(0, (ANNA, BERT), (), (copy,), parse_beans("red")))
        await room.wait(lambda state: parse_beans("red")[0] in state.players[0].set_aside)

    taught(story)


def test_learner_who_leaves_is_played_for() -> None:
    """The game goes on without him while anybody looks, and quickly: nobody has to read any more."""

    async def story(room: Class) -> None:
        await room.do(room.table_id, LEARNER, Stand())
        await room.tables.watch(room.table_id, LEARNER, Ear(), None)
        state = await room.wait(lambda state: isinstance(state.phase, EndPhase), 1_200_000)
        assert isinstance(state.phase, EndPhase)

    taught(story)


def test_rematch_of_a_lesson_is_a_game() -> None:
    """With ordinary bots, and without a story."""

    async def story(room: Class) -> None:
        await room.do(room.table_id, LEARNER, EndTable())
        await room.do(room.table_id, LEARNER, Rematch())
        following = (await room.tables.peek(room.table_id)).room.rematch
        assert following is not None
        other = (await room.tables.peek(following)).room

        assert (other.lesson, [seat.bot for seat in other.seats]) == (None, [None, "pk", "pk"])
        assert [seat.name for seat in other.seats] == ["", "", ""]

    taught(story)


def test_lesson_goes_on_after_a_restart() -> None:
    """Bots remember nothing but what stands in the log."""

    async def story(room: Class) -> None:
        await room.plant(0, 0)
        await room.take()
        room.drop(room.table_id)
        await room.offer(BERT, "blue")
        await room.wait(lambda state: len(state.players[0].hand) == 2)
        made = [event for row in await room.log() for event in row.events if isinstance(event, OfferMade)]
        assert [one.offer.maker for one in made] == [ANNA, 0]

    taught(story)


def test_declined_offer_is_not_made_again() -> None:
    """Anna takes no for an answer."""

    async def story(room: Class) -> None:
        await room.plant(0, 0)
        await room.refuse()
        await room.rest(20_000)
        made = [event for row in await room.log() for event in row.events if isinstance(event, OfferMade)]
        assert len(made) == 1
        state = await room.state()
        assert isinstance(state.phase, TradePhase | PlantPhase)
        offer = state.phase.offers[0] if isinstance(state.phase, TradePhase) else None
        assert offer is not None
        with pytest.raises(IllegalCommand):
            await room.learner(DeclineOffer(0, offer.id, offer.revision))

    taught(story)
