"""From what a bot returns to a legal command."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import structlog
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.play.floor import play_game
from bohn.rules.commands import (
    AnyCommand,
    DeclineOffer,
    EndTrading,
    Harvest,
    MakeOffer,
    Plant,
    Reveal,
    SetWish,
)
from bohn.rules.deal import opening
from bohn.rules.decide import decide, is_legal
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands, waiting
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase, State, TradePhase
from bohn.server.bots.deciding import BotLook, Deciding, Decision, onward
from bohn.server.bots.messages import Question, terms_of
from bohn.server.bots.pool import BotFailed
from bohn.views.view import view
from tests.server.bots.company import HomePool, Scripted

RULES = resolve("full", 4)


def begun() -> State:
    """Return a game just dealt."""
    return fold(opening(RULES, seed_from("deciding")))


def trading() -> State:
    """Return a game in its first trading."""
    seen: list[State] = []
    play_game(RULES, 1, [PLAYERS["pk"](0) for _ in range(4)], watch=lambda before, *_: seen.append(before))
    return next(state for state in seen if isinstance(state.phase, TradePhase))


def look_of(state: State | None = None, seat: int | None = None, bot: str = "pk", **more: Any) -> BotLook:
    """Return a look of the active player, or of another seat."""
    position = state or begun()
    seat = position.active_player if seat is None else seat
    must = more.pop("must", not isinstance(position.phase, TradePhase))
    return BotLook("t1", 7, RULES, position, seat, bot, 1, must, **more)


def decided(pool: Any, look: BotLook) -> Decision:
    """Return what comes of a look."""
    return asyncio.run(Deciding(pool).decide(look))


def test_bot_is_shown_its_view_and_its_choices() -> None:
    """The question holds the seat's view, its legal commands, and what offers may be made of while it may."""
    pool = Scripted(lambda _: None)
    state = trading()
    decided(pool, look_of(state, tries=3))
    decided(pool, look_of(state, tries=0))
    with_tries, without = pool.questions

    assert with_tries.view == view(RULES, state, state.active_player)
    assert with_tries.legal == legal_commands(RULES, state, state.active_player)
    assert with_tries.offers.hand
    assert (without.tries, without.offers.hand) == (0, ())


def test_legal_command_is_taken() -> None:
    """What the bot returns is the decision."""
    state = begun()
    plant = Plant(state.active_player, 0)
    decision = decided(Scripted(lambda _: plant), look_of(state))

    assert (decision.command, decision.broke) == (plant, False)


def broken_replies(state: State) -> list[AnyCommand | Exception | None]:
    """Return everything that breaks the contract of a bot that must act."""
    me = state.active_player
    return [
        None,
        Harvest(me, 77),
        Plant((me + 1) % 4, 0),
        MakeOffer(me, ((me + 1) % 4,), (), (), (RULES.kinds[0],)),
        BotFailed("hung"),
        BotFailed("crashed"),
        BotFailed("broken", "returned str"),
    ]


@pytest.mark.parametrize("reply", broken_replies(begun()))
def test_default_bot_stands_in_for_one_that_breaks(reply: AnyCommand | Exception | None) -> None:
    """Where the game waits, the default bot decides instead: in the same position, legally."""
    state = begun()

    def script(question: Question) -> AnyCommand | Exception | None:
        return Plant(question.seat, 0) if question.bot == "pk" else reply

    decision = decided(Scripted(script), look_of(state, bot="b3"))

    assert decision == Decision(Plant(state.active_player, 0), None, broke=True)


@pytest.mark.parametrize("reply", broken_replies(begun()))
def test_any_command_that_moves_on_if_the_default_bot_breaks_too(
    reply: AnyCommand | Exception | None,
) -> None:
    """If nobody can be asked, the first legal command that is no harvest at will is played."""
    state = begun()
    decision = decided(Scripted(lambda _: reply), look_of(state))

    assert decision.broke
    assert isinstance(decision.command, Plant)
    assert is_legal(RULES, state, decision.command) is None


@pytest.mark.parametrize("reply", broken_replies(begun())[1:])
def test_bot_that_breaks_where_it_need_not_act_passes(reply: AnyCommand | Exception | None) -> None:
    """In the trading nobody stands in for a bot."""
    pool = Scripted(lambda _: reply)

    assert decided(pool, look_of(trading(), tries=0)) == Decision(None, None, broke=True)
    assert len(pool.questions) == 1


def test_pass_in_the_trading_is_no_break() -> None:
    """A bot that wants nothing has done nothing wrong."""
    decision = decided(Scripted(lambda _: None), look_of(trading(), tries=5))

    assert (decision.command, decision.broke) == (None, False)


def test_offer_that_was_made_this_turn_is_not_taken() -> None:
    """The same terms to the same seats do not go out twice, whatever the bot's process says."""
    state = trading()
    me = state.active_player
    offer = MakeOffer(me, ((me + 1) % 4,), (), (), (RULES.kinds[0],))
    pool = Scripted(lambda _: offer)

    assert decided(pool, look_of(state, tries=5)).command == offer
    assert decided(pool, look_of(state, tries=4, made=(terms_of(offer),))).command is None


def test_offer_without_a_try_is_not_taken() -> None:
    """A bot that has no offer left, or waits for answers, makes none."""
    state = trading()
    me = state.active_player
    offer = MakeOffer(me, ((me + 1) % 4,), (), (), (RULES.kinds[0],))

    assert decided(Scripted(lambda _: offer), look_of(state, tries=0)) == Decision(None, None, broke=True)


def test_command_for_another_seat_is_not_taken() -> None:
    """Nobody acts for his neighbour, though the neighbour might."""
    state = trading()
    other = next(seat for seat, player in enumerate(state.players) if seat != state.active_player)
    beds = ((RULES.kinds[0], RULES.kinds[0]), (), ())
    players = tuple(
        replace(player, fields=beds) if seat == other else player for seat, player in enumerate(state.players)
    )
    harvest = Harvest(other, 0)
    state = replace(state, players=players)
    assert is_legal(RULES, state, harvest) is None

    assert decided(Scripted(lambda _: harvest), look_of(state, tries=1)).command is None


def test_talk_is_taken_until_it_is_too_much() -> None:
    """A bot may talk before it moves, but not for ever."""
    state = begun()
    wish = SetWish(state.active_player, RULES.kinds[0], "want")
    pool = Scripted(lambda _: wish)

    assert decided(pool, look_of(state)).command == wish
    assert isinstance(decided(pool, look_of(state, mute=True)).command, Plant)


def test_seat_without_any_choice_is_not_asked() -> None:
    """Where nothing is legal and nobody waits, there is no question."""
    state = begun()
    seat = (state.active_player + 1) % 4
    assert legal_commands(RULES, state, seat) == ()
    pool = Scripted(lambda _: None)

    assert decided(pool, look_of(state, seat, must=False)) == Decision(None)
    assert pool.questions == []


def test_onward_prefers_what_the_game_waits_for() -> None:
    """Harvests, purchases and bonus cards come last."""
    assert onward((Harvest(0, 1), Reveal(0))) == Reveal(0)
    assert onward((Harvest(0, 1), Harvest(0, 2))) == Harvest(0, 1)
    assert onward(()) is None


@pytest.mark.parametrize(("edition", "players"), [("full", 3), ("full", 2), ("das-duell", 2)])
def test_onward_alone_plays_a_game_to_its_end(edition: str, players: int) -> None:
    """Where no bot can be asked at all, the stand-in's commands still end a game."""
    rules = resolve(edition, players)
    pool = Scripted(lambda _: BotFailed("crashed"))
    state = fold(opening(rules, seed_from("onward")))

    async def play(state: State) -> State:
        deciding = Deciding(pool)
        while not isinstance(state.phase, EndPhase):
            command: AnyCommand | None = EndTrading(state.active_player)
            if not isinstance(state.phase, TradePhase):
                look = BotLook("t1", 1, rules, state, waiting(rules, state)[0], "pk", 1, must=True)
                command = (await deciding.decide(look)).command
            assert command is not None
            state = fold(decide(rules, state, command), state)
        return state

    assert asyncio.run(play(state)).turn > 5


def test_failures_are_logged_without_cards() -> None:
    """The log says who broke where and how, and nothing else."""
    structlog.reset_defaults()
    with structlog.testing.capture_logs() as logs:
        decided(HomePool(), look_of(bot="raising"))

    (line,) = logs
    assert line.pop("detail").startswith("ValueError at players.py:")
    assert line == {
        "event": "bot-failed", "log_level": "warning", "table": "t1", "seq": 7, "seat": begun().active_player,
        "bot": "raising", "kind": "broken",
    }  # fmt: skip


def test_decisions_are_counted_by_outcome() -> None:
    """The callback for metrics gets the outcome and the time of each question."""
    told: list[tuple[str, float]] = []
    deciding = Deciding(HomePool(), lambda outcome, seconds: told.append((outcome, seconds)))
    asyncio.run(deciding.decide(look_of(bot="raising")))

    assert [outcome for outcome, _ in told] == ["broken", "decided"]
    assert all(seconds >= 0 for _, seconds in told)


def test_nobody_stands_in_once_all_is_stopped() -> None:
    """The end of all work is raised to the caller, and is no failure of a bot."""
    with pytest.raises(BotFailed) as caught:
        decided(Scripted(lambda _: BotFailed("stopped")), look_of())

    assert caught.value.kind == "stopped"


def test_answer_to_an_offer_that_is_gone_is_a_break() -> None:
    """An answer that was never legal in the position it was made for is the bot's fault."""
    state = trading()
    answer = DeclineOffer((state.active_player + 1) % 4, 9, 1)
    look = replace(look_of(state, seat=answer.player), tries=1)

    assert decided(Scripted(lambda _: answer), look).broke
