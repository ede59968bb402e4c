"""Every registered player plays every game to its end, legally."""

from __future__ import annotations

import pytest

from bohn.bots import DEFAULT, LOADED_LAZILY, PLAYERS, level_of
from bohn.play.floor import BRISK, FREE, GameResult, play_game
from bohn.rules import house_rules_for, resolve
from bohn.rules.commands import Command, DeclineOffer, NameGift
from bohn.rules.events import Event, Traded
from bohn.rules.state import EndPhase, GiftPhase, Offer, State, TradePhase
from tests.tables import COVERING

FEW = [("full", 2)]
"""For players that search: test_frozen.py and the test of the large table play it through the other games."""

SHORT = [("full", 2), ("das-duell", 2)]
"""For the interpreted traders, which take seconds. Compiled, all play all; test_frozen.py compares both."""


def marks(name: str, table: tuple[str, int]) -> tuple[pytest.MarkDecorator, ...]:
    """Return the marks of a player at a table."""
    return (pytest.mark.compiled(only=table not in SHORT),) if name in LOADED_LAZILY else ()


SEATED = [
    pytest.param(name, *table, marks=marks(name, table))
    for name in PLAYERS
    for table in (FEW if level_of(name) == "strongest" else COVERING)
]
"""Everybody at tables that show all there is."""


@pytest.mark.parametrize(("name", "edition", "players"), SEATED)
def test_player_finishes_every_game(name: str, edition: str, players: int) -> None:
    """Every player plays in any number, and by the rules of all editions, to the end, legally."""
    bots = [PLAYERS[name](seat) for seat in range(players)]
    result = play_game(resolve(edition, players), 1, bots, BRISK)

    assert result.names == (name,) * players
    assert result.stats.other_commands < 10_000


@pytest.mark.compiled(only=True)
def test_searching_player_finishes_at_a_large_table() -> None:
    """The player that searches has room for seven players' memories."""
    bots = [PLAYERS[name](seat) for seat, name in enumerate(["strongest-1", *["pk"] * 6])]

    assert play_game(resolve("full", 7), 1, bots, BRISK).names[0] == "strongest-1"


@pytest.mark.parametrize("name", ["pk", "b4", "random-trader"])
@pytest.mark.parametrize(
    ("edition", "players", "rule"),
    [
        (edition, players, rule)
        for edition, players in (("full", 4), ("full", 2), ("das-duell", 2))
        for rule in house_rules_for(resolve(edition, players))
        if not rule.startswith("starter")
    ],
)
def test_player_finishes_under_every_house_rule(name: str, edition: str, players: int, rule: str) -> None:
    """Under no house rule a game loses or makes a card, or takes more turns than there are cards."""
    rules = resolve(edition, players, rule)
    last: list[State] = []

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        last[:] = [after]

    result = play_game(rules, 2, [PLAYERS[name](seat) for seat in range(players)], BRISK, watch=watch)

    assert cards(last[0]) == sum(rules.deck) + sum(rules.boxed)
    assert 0 < result.turns <= sum(rules.deck)


def cards(state: State) -> int:
    """Return how many cards a finished game has, wherever they lie."""
    assert isinstance(state.phase, EndPhase)
    held = sum(
        len(player.hand) + len(player.treasury) + len(player.face_down) + len(player.set_aside)
        + sum(map(len, player.fields))
        for player in state.players
    )  # fmt: skip
    return held + len(state.draw_pile) + len(state.discard_pile) + len(state.box) + len(state.phase.unscored)


def test_default_opponent_is_a_player() -> None:
    """The player for a seat without a named one exists."""
    assert DEFAULT in PLAYERS


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.compiled(only=True) if name in LOADED_LAZILY else ())
        for name in PLAYERS
        if level_of(name) != "strongest"
    ],
)
def test_player_depends_on_its_seed_only(name: str) -> None:
    """The same seeds play the same game."""
    rules = resolve("classic", 3)
    one, two = (
        play_game(rules, 7, [PLAYERS[name](seat) for seat in range(3)], BRISK, with_moves=True)
        for _ in range(2)
    )

    assert one == two


@pytest.mark.parametrize("name", ["random", "no-trade"])
def test_player_without_trade_gets_nothing_and_gives_nothing(name: str) -> None:
    """Among traders, a player who never trades takes no part in any exchange."""
    seen = exchanges([name, "random-trader", "pk", "b3"])

    assert seen
    assert all(0 not in (event.maker, event.partner) for _, event in seen)


def exchanges(names: list[str], seeds: range = range(2)) -> list[tuple[State, Traded]]:
    """Return every exchange of some games, with the state before it."""
    found: list[tuple[State, Traded]] = []

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if isinstance(events[0], Traded):
            found.append((before, events[0]))

    for seed in seeds:
        bots = [PLAYERS[name](seed * 10 + seat) for seat, name in enumerate(names)]
        play_game(resolve("full", len(names)), seed, bots, FREE, watch=watch)
    return found


def flows(event: Traded, player: int) -> tuple[set[int], set[int]]:
    """Return the kinds a player gives and gets in an exchange."""
    maker = {copy.bean for copy in event.maker_hand + event.maker_face_up}
    partner = {copy.bean for copy in event.partner_hand + event.partner_face_up}
    return (set(maker), set(partner)) if player == event.maker else (set(partner), set(maker))


def grows(state: State, player: int) -> set[int]:
    """Return the kinds on a player's fields."""
    return {field[-1] for field in state.players[player].fields if field}


def test_picky_never_gives_a_kind_it_grows() -> None:
    """What grows stays."""
    seen = [(s, e, p) for s, e in exchanges(["pk", "pk", "b3", "random-trader"]) for p in (0, 1)]
    mine = [(s, e, p) for s, e, p in seen if p in (e.maker, e.partner)]

    assert mine
    assert all(flows(e, p)[0].isdisjoint(grows(s, p)) for s, e, p in mine)


def test_picky_takes_only_kinds_it_grows() -> None:
    """What fits no field of its own it does not take."""
    seen = [(s, e, p) for s, e in exchanges(["pk", "pk", "b3", "random-trader"]) for p in (0, 1)]
    mine = [(s, e, p) for s, e, p in seen if p in (e.maker, e.partner)]

    assert mine
    assert all(flows(e, p)[1] <= grows(s, p) for s, e, p in mine)


def test_one_trade_a_turn_is_kept() -> None:
    """The published default trader makes one exchange a turn."""
    turns = [(state.turn, state.seed) for state, _ in exchanges(["b3u", "b3u", "b3u", "b3u"])]

    assert turns
    assert len(turns) == len(set(turns))


def test_default_trader_takes_every_gift_in_other_turns() -> None:
    """Anything for nothing is taken, whether it fits or not."""
    declined: list[DeclineOffer] = []

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        if isinstance(command, DeclineOffer) and command.player == 1 != before.active_player:
            declined.extend(
                command for offer in offers(before) if offer.id == command.offer and not offer.want
            )

    gifts = 0
    for seed in range(3):
        bots = [PLAYERS[name](seat) for seat, name in enumerate(["pk", "b3", "pk"])]
        gifts += play_game(resolve("full", 3), seed, bots, watch=watch).stats.gifts

    assert gifts
    assert declined == []


def offers(state: State) -> tuple[Offer, ...]:
    """Return the standing offers of a position."""
    return state.phase.offers if isinstance(state.phase, TradePhase) else ()


def test_wrath_refuses_gifts() -> None:
    """It takes nothing for nothing."""
    got = [e for _, e in exchanges(["b4", "pk", "random-trader", "pk"]) if 0 in (e.maker, e.partner)]

    assert got
    assert all(flows(event, 0)[0] for event in got)


def test_smart_gives_only_face_up_beans_as_a_gift() -> None:
    """Hand cards are not given away."""
    gifts = [
        e for s, e in exchanges(["b6"] * 4, range(4)) if e.maker == s.active_player and not e.partner_hand
    ]

    assert gifts
    assert all(not event.maker_hand for event in gifts)


def named_kinds(name: str) -> list[tuple[bool, bool]]:
    """Return for each first word of the haggling whether the kind was held, and whether it was grown."""
    words: list[tuple[bool, bool]] = []

    def watch(before: State, command: Command, events: tuple[Event, ...], after: State) -> None:  # noqa: ARG001 - one signature
        phase = before.phase
        if isinstance(command, NameGift) and isinstance(phase, GiftPhase) and not phase.named:
            held = command.bean in before.players[command.player].hand + phase.face_up
            words.append((held, command.bean in grows(before, command.player)))

    bots = [PLAYERS[name](seat) for seat in range(2)]
    play_game(resolve("das-duell", 2), 1, bots, watch=watch)
    return words


def test_picky_names_a_gift_it_holds() -> None:
    """The first word of the haggling is true."""
    words = named_kinds("pk")

    assert words
    assert all(held for held, _ in words)


def test_picky_names_mostly_kinds_it_does_not_grow() -> None:
    """What it grows it would rather keep."""
    words = named_kinds("pk")

    assert sum(grown for _, grown in words) < len(words) / 2


def share(result: GameResult) -> float:
    """Return what seat 0 has won."""
    return result.shares[0]


def test_picky_beats_players_who_never_trade_with_it() -> None:
    """A sanity check of strength: at least its fair share against two players of chance."""
    rules = resolve("full", 3)
    games = [
        play_game(rules, seed, [PLAYERS[name](seed) for name in ("pk", "random", "random")])
        for seed in range(40)
    ]

    assert sum(map(share, games)) / len(games) > 1 / 3
