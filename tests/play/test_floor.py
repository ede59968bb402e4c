"""The floor: who is asked when, and how much he may trade."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bohn.bots import PLAYERS
from bohn.bots.farming import Farmer
from bohn.play.floor import (
    AS_SEATED,
    BRISK,
    FREE,
    NOTHING_LEARNT,
    BotError,
    FloorGame,
    FloorSetting,
    Trading,
    floor,
    play_game,
)
from bohn.play.seat import Choices
from bohn.rules import fold, opening, resolve, seed_from
from bohn.rules.commands import (
    AcceptOffer,
    Command,
    DeclineOffer,
    EditOffer,
    EndTrading,
    Harvest,
    MakeOffer,
    Pass,
    Plant,
    SetWish,
)
from bohn.rules.events import Event, TradingBegan
from bohn.rules.state import Copy, EndPhase, State, TradePhase
from bohn.views.knowledge import Knowledge
from bohn.views.view import TradeView, View

FULL = resolve("full", 4)

Answer = Callable[[View, Choices], Command | None]


class Scripted(Farmer):
    """Farms, answers as it is told while beans are traded, and notes when it is asked."""

    name = "scripted"

    def __init__(self, log: list[int], answer: Answer = lambda _view, _choices: None) -> None:
        """Write to a shared log."""
        super().__init__()
        self.log = log
        self.answer = answer
        self.learnt: list[Knowledge] = []

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Note the question, then answer."""
        self.learnt.append(knowledge)
        if isinstance(view.phase, TradeView):
            assert view.viewer is not None
            self.log.append(view.viewer)
            return self.answer(view, choices)
        return super().decide(view, choices, knowledge)


def at_trading(
    answers: dict[int, Answer], edition: str = "full", setting: FloorSetting = FREE
) -> tuple[FloorGame, list[int]]:
    """Return a table of four whose first trading has just begun in seat 0, and the log of who is asked."""
    rules = resolve(edition, 4, "starter=seat:0")
    log: list[int] = []
    bots = [Scripted(log, answers.get(seat, lambda _v, _c: None)) for seat in range(4)]
    table = FloorGame(rules, fold(opening(rules, seed_from(1))), bots, setting)
    while not isinstance(table.state.phase, TradePhase):
        table.step()
    return table, log


def front(view: View, to: tuple[int, ...]) -> MakeOffer:
    """Return the gift of the front hand card."""
    assert view.viewer is not None
    assert view.own is not None
    cards = (Copy(0, view.own.hand[0]),)
    return MakeOffer(view.viewer, to, cards, hand_revision=view.own.hand_revision)


def take_it(view: View, choices: Choices) -> Command | None:  # noqa: ARG001 - one signature
    """Accept the first offer that can be served."""
    return next((command for command in choices.legal if isinstance(command, AcceptOffer)), None)


def once(command: Callable[[View], Command]) -> Answer:
    """Return an answer given the first time only."""
    given: list[bool] = []

    def answer(view: View, choices: Choices) -> Command | None:  # noqa: ARG001 - one signature
        if given:
            return None
        given.append(True)
        return command(view)

    return answer


def trade_until_closed(table: FloorGame) -> None:
    """Let the floor run this trading phase."""
    Trading(table).run()


# -- the order -----------------------------------------------------------------------------------


def test_floor_names_only_seats_that_may_act() -> None:
    """At the start nobody has anything to harvest, so only the active player may act."""
    rules = resolve("full", 4, "starter=seat:2")

    assert floor(rules, fold(opening(rules, seed_from(1)))) == (2,)


def test_trading_asks_everybody_once_if_all_pass() -> None:
    """A round of passes ends the trading."""
    table, log = at_trading({})
    trade_until_closed(table)

    assert log == [0, 1, 2, 3]
    assert not isinstance(table.state.phase, TradePhase)


def test_trading_asks_addressees_and_then_the_maker_again() -> None:
    """An offer is put to its addressees clockwise, then its maker speaks again, then the others."""
    table, log = at_trading({0: once(lambda view: front(view, (3, 1)))})
    trade_until_closed(table)

    assert log == [0, 1, 3, 0, 2]


def test_trading_asks_everybody_again_after_an_exchange() -> None:
    """An exchange concerns all: the active player is asked first once more."""
    table, log = at_trading({0: once(lambda view: front(view, (1,))), 1: take_it})
    trade_until_closed(table)

    assert log == [0, 1, 0, 1, 2, 3]


def test_trading_lets_a_player_answer_every_offer() -> None:
    """Whoever declines one of two offers is asked about the other as well."""

    def decline(view: View, choices: Choices) -> Command | None:  # noqa: ARG001 - one signature
        assert isinstance(view.phase, TradeView)
        assert view.own is not None
        for offer in view.phase.offers:
            if view.viewer in offer.to and offer.id not in view.own.refused:
                return DeclineOffer(0, offer.id, offer.revision)
        return None

    table, _ = at_trading({0: decline, 1: once(lambda v: front(v, (0,))), 2: once(lambda v: front(v, (0,)))})
    table.moves = []
    trade_until_closed(table)

    assert sum(isinstance(move.command, DeclineOffer) for move in table.moves) == 2


def test_trading_is_ended_by_the_active_player() -> None:
    """Under the usual closing the floor ends the trading in the active player's name."""
    table, _ = at_trading({})
    table.moves = []
    trade_until_closed(table)

    assert [move.command for move in table.moves] == [EndTrading(0)]


def test_trading_is_ended_by_everybody_where_nobody_must_want_more() -> None:
    """Under the unanimous closing every player passes."""
    table, _ = at_trading({}, "classic-sv")
    table.moves = []
    trade_until_closed(table)

    assert [move.command for move in table.moves] == [Pass(seat) for seat in range(4)]


def test_trading_does_not_ask_those_who_never_trade() -> None:
    """A bot that does not trade costs nothing while others trade."""
    table, log = at_trading({})
    table.bots[2].trades = False
    trade_until_closed(table)

    assert log == [0, 1, 3]


# -- limits ----------------------------------------------------------------------------------------


def offers_a_turn(setting: FloorSetting) -> list[int]:
    """Return for every seat and turn of a game among eager proposers how many offers it made."""
    made: dict[tuple[int, int], int] = {}

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if isinstance(command, MakeOffer | EditOffer):
            key = (before.turn, command.player)
            made[key] = made.get(key, 0) + 1

    play_game(FULL, 3, [PLAYERS["pk"](seat) for seat in range(4)], setting, watch=watch)
    return list(made.values())


def test_brisk_takes_five_offers_a_seat_and_turn() -> None:
    """People would not listen to more."""
    assert max(offers_a_turn(BRISK)) == 5


def test_free_takes_more_than_five_offers() -> None:
    """Computer players may ask on."""
    assert max(offers_a_turn(FREE)) > 5


def test_offers_between_exchanges_are_counted_anew_after_an_exchange() -> None:
    """After an exchange a seat may propose as often again."""
    assert max(offers_a_turn(FloorSetting("two", 100, 2, 24))) > 2


def test_exchanges_a_turn_are_limited() -> None:
    """The trading is closed after the last exchange the setting allows."""
    table, _ = at_trading(
        {0: lambda view, _c: front(view, (1,)), 1: take_it}, setting=FloorSetting("two", 99, 99, 2)
    )
    trade_until_closed(table)

    assert (table.stats.gifts, isinstance(table.state.phase, TradePhase)) == (2, False)


def test_choices_have_no_offers_when_no_try_is_left() -> None:
    """With the last try used the offer space is empty."""
    table, _ = at_trading({})

    assert Choices.at(table.rules, table.state, 0, 0).offers.partners == ()
    assert Choices.at(table.rules, table.state, 0, 1).offers.partners == (1, 2, 3)


# -- broken contracts ---------------------------------------------------------------------------------


def test_illegal_command_names_the_bot_and_the_reason() -> None:
    """Whoever wrote the bot must find it."""
    table, _ = at_trading({0: lambda _v, _c: Plant(0, 0)})

    with pytest.raises(BotError, match=r"scripted in seat 0 played Plant.*not-in-this-phase"):
        trade_until_closed(table)


def test_command_for_another_seat_is_refused() -> None:
    """A bot plays for its own seat only."""
    table, _ = at_trading({0: lambda _v, _c: Harvest(1, 0)})

    with pytest.raises(BotError, match="returned Harvest"):
        trade_until_closed(table)


def test_offer_beyond_the_tries_is_refused() -> None:
    """The floor has said that no try is left."""
    table, _ = at_trading({0: lambda view, _c: front(view, (1,))}, setting=FloorSetting("one", 1, 1, 24))

    with pytest.raises(BotError, match="no offer left"):
        trade_until_closed(table)


def test_pass_is_refused_when_the_game_waits() -> None:
    """Somebody must move the game on."""

    class Idle(Farmer):
        name = "idle"

        def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
            return None

    with pytest.raises(BotError, match=r"idle in seat . passed"):
        play_game(FULL, 1, [Idle() for _ in range(4)])


@pytest.mark.parametrize(("setting", "offers"), [(BRISK, 0), (AS_SEATED, 1)])
def test_who_has_said_something_is_asked_again_as_seated(setting: FloorSetting, offers: int) -> None:
    """Elsewhere his word was all he had to say until something is traded."""
    said = once(lambda view: SetWish(0, view.rules.kinds[0], "want"))
    offered = once(lambda view: front(view, (1,)))
    table, _ = at_trading({0: lambda v, c: said(v, c) or offered(v, c)}, setting=setting)
    trade_until_closed(table)

    assert table.stats.talk == 1
    assert table.stats.offers == offers


@pytest.mark.parametrize(("setting", "offers"), [(BRISK, 1), (AS_SEATED, 2)])
def test_who_has_answered_is_asked_again_as_seated(setting: FloorSetting, offers: int) -> None:
    """He may still propose something himself."""
    offered = once(lambda view: front(view, (1,)))
    declined = once(lambda _view: DeclineOffer(1, 1, 1))
    back = once(lambda view: front(view, (0,)))
    table, _ = at_trading({0: offered, 1: lambda v, c: declined(v, c) or back(v, c)}, setting=setting)
    trade_until_closed(table)

    assert table.stats.offers == offers


def test_who_had_passed_is_asked_again_after_an_answer_as_seated() -> None:
    """The offer of another one may give him an idea."""
    offered = once(lambda view: front(view, (0,)))
    declined = once(lambda _view: DeclineOffer(0, 1, 1))
    passed: list[bool] = []

    def first_passes(view: View, choices: Choices) -> Command | None:
        if not passed:
            passed.append(True)
            return None
        return declined(view, choices)

    asked = {}
    for setting in (BRISK, AS_SEATED):
        passed.clear()
        offered, declined = once(lambda view: front(view, (0,))), once(lambda _view: DeclineOffer(0, 1, 1))
        table, log = at_trading({0: first_passes, 2: offered}, setting=setting)
        trade_until_closed(table)
        asked[setting.name] = log.count(0)

    assert asked == {"brisk": 2, "as-seated": 3}


def test_talk_without_end_is_refused() -> None:
    """A bot that only talks would never let the game end."""

    class Talker(Farmer):
        name = "talker"

        def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
            assert view.viewer is not None
            wanted = view.rules.kinds[0] in view.talk.wishes[view.viewer].want
            return SetWish(view.viewer, view.rules.kinds[0], "none" if wanted else "want")

    with pytest.raises(BotError, match="talks without end"):
        play_game(FULL, 1, [Talker() for _ in range(4)])


def test_number_of_bots_must_be_that_of_the_seats() -> None:
    """Every seat has one bot."""
    with pytest.raises(ValueError, match="4 seats and 3 bots"):
        play_game(FULL, 1, [PLAYERS["pk"](seat) for seat in range(3)])


# -- results ------------------------------------------------------------------------------------------


def test_batches_of_a_result_fold_into_the_final_state() -> None:
    """A result with its batches is enough for a record."""
    last: list[State] = []

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        last[:] = [after]

    bots = [PLAYERS["random-trader"](seat) for seat in range(4)]
    result = play_game(FULL, 5, bots, with_moves=True, watch=watch)
    state = fold(result.opening)
    for move in result.moves:
        state = fold(move.events, state)

    assert state == last[0]
    assert isinstance(state.phase, EndPhase)


def test_batches_are_left_out_unless_wanted() -> None:
    """Simulations need the result only."""
    result = play_game(FULL, 5, [PLAYERS["no-trade"](seat) for seat in range(4)])

    assert (result.opening, result.moves) == ((), ())


def test_stats_count_what_the_moves_show() -> None:
    """Offers, answers, talk and all others add up to the commands."""
    result = play_game(FULL, 5, [PLAYERS["random-trader"](seat) for seat in range(4)], with_moves=True)
    stats = result.stats

    assert stats.commands == len(result.moves)
    assert stats.commands == stats.offers + stats.answers + stats.talk + stats.other_commands
    assert sum(isinstance(e, TradingBegan) for m in result.moves for e in m.events) == result.turns


def test_same_seed_plays_the_same_game() -> None:
    """A game depends on its seed and its bots only."""
    games = [
        play_game(FULL, 9, [PLAYERS["random-trader"](seat) for seat in range(4)], with_moves=True)
        for _ in range(2)
    ]

    assert games[0] == games[1]


def test_shares_of_a_tie_add_up_to_one() -> None:
    """Winners after the tie-break share one win."""
    results = [play_game(FULL, seed, [PLAYERS["no-trade"](seat) for seat in range(4)]) for seed in range(30)]

    assert all(sum(result.shares) == pytest.approx(1) for result in results)
    assert all({s for s, x in enumerate(result.shares) if x} == set(result.winners) for result in results)


# -- knowledge ----------------------------------------------------------------------------------------


def test_knowledge_is_folded_for_bots_that_use_it() -> None:
    """Only they are handed what their seat has seen."""
    log: list[int] = []
    bots = [Scripted(log) for _ in range(4)]
    bots[1].uses_knowledge = True
    play_game(FULL, 5, bots)

    assert {id(knowledge) for knowledge in bots[0].learnt} == {id(NOTHING_LEARNT)}
    assert bots[1].learnt[-1].viewer == 1
    assert len({knowledge.draw_pile for knowledge in bots[1].learnt}) > 10


def test_off_turn_bots_are_asked_in_the_turns_of_others() -> None:
    """A bot that is asked in the turns of others may harvest in them."""
    results = [play_game(FULL, seed, [PLAYERS["random-trader"](0) for _ in range(4)]) for seed in range(5)]

    assert all(result.stats.off_turn_harvests for result in results)
