"""Positions as text."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bohn.notation.counting import cards_in
from bohn.notation.errors import NotationError
from bohn.notation.positions import format_position, parse_position
from bohn.notation.reading import load_toml
from bohn.rules import Bean, State, fold, opening, resolve, seed_from
from bohn.rules.deal import cards_of
from bohn.rules.shuffle import shuffled
from bohn.rules.state import Copy, EndPhase, GiftPhase, PlantGiftPhase, Promise, TradePhase, Wishes
from tests.effort import sample
from tests.notation.playing import GAMES, finished, game

R, S, B, G, C = Bean.RED, Bean.SOY, Bean.BLUE, Bean.GARDEN, Bean.CHILI

SEATS = "[[position.player]]\n" * 4


def full(position: str, players: int = 4) -> str:
    """Return the text of a position of the 11-kind game."""
    return f'edition = "full"\nplayers = {players}\n[position]\n{position}'


def duel(position: str) -> str:
    """Return the text of a position of Das Duell."""
    return f'edition = "das-duell"\nplayers = 2\n[position]\n{position}'


def read(text: str) -> State:
    """Return the state of a text."""
    return parse_position(text)[1]


# -- round trips --------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "players", "house_rules"), GAMES)
def test_position_round_trips(edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """Positions all through a game, offers, claims and talk included, are read back as they were."""
    rules, played = game(edition, players, house_rules)
    for _, _, state in sample(played):
        assert parse_position(format_position(rules, state)) == (rules, state)


def test_games_of_these_tests_reach_every_phase() -> None:
    """The round trips see every phase, offers with claims and refusals, and a named hand card."""
    states = [state for one in GAMES for _, _, state in sample(game(*one)[1])] + [
        finished("classic", 3)[1][-1][2]
    ]
    phases = {type(state.phase).__name__ for state in states}
    offers = [
        offer for state in states if isinstance(state.phase, TradePhase) for offer in state.phase.offers
    ]
    named = [n for state in states if isinstance(state.phase, GiftPhase) for n in state.phase.named]

    assert len(phases) == 10
    assert any(offer.claims for offer in offers)
    assert any(offer.declined for offer in offers)
    assert any(naming.hand for naming in named)
    assert any(state.talk.promises for state in states)


@pytest.mark.parametrize(("edition", "players", "house_rules"), GAMES)
def test_position_of_the_end_round_trips(edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """The last position of a game has its result, and is read back as it was."""
    rules, played = finished(edition, players, house_rules)
    state = played[-1][2]

    assert isinstance(state.phase, EndPhase)
    assert parse_position(format_position(rules, state)) == (rules, state)


def test_position_is_read_from_bytes_and_tables() -> None:
    """A text, its bytes and its tables say the same."""
    text = full('discard_pile = "red"')

    assert parse_position(text.encode()) == parse_position(load_toml(text)) == parse_position(text)


def test_position_writes_a_box_in_another_order_whole() -> None:
    """What was put away is left out only if it lies below everything else."""
    rules, state = parse_position(full('draw_pile = "red"'))
    turned = replace(state, box=state.box[::-1])

    assert parse_position(format_position(rules, turned)) == (rules, turned)


def test_position_cannot_be_written_under_other_rules() -> None:
    """Rules changed by hand have no name, so they are refused."""
    rules, state = parse_position(full('discard_pile = "red"'))

    with pytest.raises(NotationError, match="changed by hand"):
        format_position(replace(rules, draw=5), state)


# -- defaults ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["seed = 7\n", "[position]\nseed = 7\n", "seed = 8\n[position]\nseed = 7\n"])
def test_position_without_more_is_an_opening(text: str) -> None:
    """With nothing but a seed it is the beginning of a real game."""
    rules, state = parse_position('edition = "full"\nplayers = 4\n' + text)

    assert state == fold(opening(rules, seed_from(7)))


def test_seed_is_number_text_or_itself() -> None:
    """A text is hashed, 64 hexadecimal digits are the bytes."""
    assert read(full('seed = "bohn"')).seed == seed_from("bohn")
    assert read(full(f'seed = "hex:{"ab" * 32}"')).seed == bytes([0xAB] * 32)
    assert read('edition = "classic"\nplayers = 3\n').seed == seed_from(0)


def test_position_defaults_are_the_beginning_of_a_turn() -> None:
    """What is not named is as after TurnBegan, with nothing in hand."""
    rules, state = parse_position(full("active = 2"))

    assert (state.turn, state.starter, state.exhaustions, state.shuffles) == (1, 2, 0, 1)
    assert {player.fields for player in state.players} == {((), ())}
    assert state.talk.wishes == (Wishes(),) * 4
    assert state.draw_pile == shuffled(cards_of(rules.deck), state.seed, 0)
    assert state.box == cards_of(rules.boxed)


def test_piles_are_written_top_first() -> None:
    """The first bean of a pile's text is its top, the last of the tuple."""
    state = read(full('draw_pile = "red soy"\ndiscard_pile = "blue chili"'))

    assert (state.draw_pile, state.discard_pile) == ((S, R), (C, B))


@pytest.mark.parametrize("rest", ["box", "discard_pile", "draw_pile"])
def test_rest_lies_below_what_is_named(rest: str) -> None:
    """Cards that are not named lie where `rest` says, and none is lost."""
    named = 'draw_pile = "red"\ndiscard_pile = "soy"\nbox = "blue"\n'
    rules, state = parse_position(full(f'{named}rest = "{rest}"'))
    pile = getattr(state, rest)

    assert cards_in(state) == cards_in(fold(opening(rules, seed_from(0))))
    assert pile[-1] == {"box": B, "discard_pile": S, "draw_pile": R}[rest]
    assert len(pile) == sum(rules.deck) - 2 + (sum(rules.boxed) if rest == "box" else 0)


def test_box_may_name_what_was_put_away() -> None:
    """Coffee, which four players do not use, may be named in the box, and is not doubled."""
    rules, state = parse_position(full('box = "coffee*24 red"'))

    assert sorted(state.box) == sorted((*cards_of(rules.boxed), R))


def test_offers_are_completed_and_numbered() -> None:
    """Beans of places are looked up, and the next number is one above the last."""
    state = read(
        full(
            'phase = "trade"\nface_up = "soy"\noffers = ["4.2 0>1 hand:1 face:0 for red*2"]\npasses = [0]\n'
            '[[position.player]]\nhand = "red blue"\n' + SEATS.replace("[[position.player]]\n", "", 1)
        )
    )
    phase = state.phase

    assert isinstance(phase, TradePhase)
    assert (phase.offers[0].hand, phase.offers[0].face_up) == ((Copy(1, B),), (Copy(0, S),))
    assert (phase.next_offer, phase.final) == (5, True)


def test_gift_is_open_once_named() -> None:
    """The word passes to the other, who may take."""
    first = read(duel('phase = "gift"\nface_up = "soy"')).phase
    second = read(duel('phase = "gift"\nnamed = ["0 red"]')).phase

    assert first == GiftPhase((S,), (), 0, open=False)
    assert isinstance(second, GiftPhase)
    assert (second.word, second.open) == (1, True)


def test_gift_goes_to_the_other() -> None:
    """The receiver of a gift is by default the opponent of the active player."""
    assert read(duel('phase = "plant-gift"\ngift = "red"')).phase == PlantGiftPhase((), (R,), 1)
    assert read(duel('phase = "plant-gift"\nface_up = "red"')).phase == PlantGiftPhase((R,))


def test_end_counts_hands_and_finds_winners() -> None:
    """Of a result only the coins must be named."""
    state = read(full('phase = "end"\nresult = [1, 4, 4, 2]\n' + SEATS + 'hand = "soy"'))
    result = getattr(state.phase, "result", None)

    assert result is not None
    assert (result.coins, result.hand_cards, result.winners) == ((1, 4, 4, 2), (0, 0, 0, 1), (1, 2))


def test_bonus_cards_not_named_are_the_bonus_pile() -> None:
    """Without a bonus pile the others lie in it; with one they are out of the game."""
    held = (
        "[[position.player]]\nbonus = [3, 4]\nclaimed = [5]\n[[position.player]]\nbonus = [6]\nstood = [1]\n"
    )
    whole, named = read(duel(f"bonus_discard = [7]\n{held}")), read(duel(f"bonus_pile = [1, 2]\n{held}"))

    assert sorted(whole.bonus.draw) == [n for n in range(32) if n not in (3, 4, 5, 6, 7)]
    assert (named.bonus.draw, named.bonus.discard) == ((2, 1), ())
    assert (whole.players[0].bonus.stood, whole.players[1].bonus.stood) == ((-1, -1), (1,))


def test_promises_are_read() -> None:
    """A promise says who, to whom, what for what, and when."""
    state = read(full('promises = ["2: 0>3 give red for soy next-turn", "1: 1>0 for soy"]'))

    assert state.talk.promises == (Promise(2, 0, 3, (R,), (S,), "next-turn"), Promise(1, 1, 0, (), (S,)))
    assert state.talk.next_promise == 3


# -- refusals ---------------------------------------------------------------------------------------

TRADE = """
phase = "trade"
face_up = "soy"
offers = ["{}"]
[[position.player]]
hand = "red blue"
[[position.player]]
hand = "chili"
[[position.player]]
hand = "chili"
[[position.player]]
"""

BROKEN_DOCUMENTS = [
    ("edition", "edition = 1\nplayers = 4"),
    ("edition", "players = 4"),
    ("there is no edition", 'edition = "half"\nplayers = 4'),
    ("for 8 players", 'edition = "full"\nplayers = 8'),
    ("players", 'edition = "full"\nplayers = "4"'),
    ("players", 'edition = "full"\nplayers = true'),
    ("players", 'edition = "full"\nplayers = -4'),
    ("players", 'edition = "full"'),
    ("there is no house rule", 'edition = "full"\nplayers = 4\nhouse_rules = ["end=never"]'),
    ("house_rules: expected a list", 'edition = "full"\nplayers = 4\nhouse_rules = "end=at_once"'),
    (r"house_rules\[0\]: expected a text", 'edition = "full"\nplayers = 4\nhouse_rules = [1]'),
    ("unknown key 'colour'", 'edition = "full"\nplayers = 4\ncolour = "red"'),
    ("position: expected a table", 'edition = "full"\nplayers = 4\nposition = 1'),
    ("TOML", "edition = "),
    ("TOML: nested too deeply", "x = " + "[" * 5_000),
    ("TOML", "x = " + "9" * 5_000),
    ("at most 1000000 characters", "#" * 1_000_001),
]

BROKEN_POSITIONS = [
    ("unknown key 'fase'", 'fase = "plant"'),
    ("expected a phase of this game", 'phase = "gift"'),
    ("expected a phase of this game", 'phase = "reveal"'),
    ("phase: expected a text", "phase = 3"),
    ("phase 'plant': unknown key 'face_up'", 'face_up = "soy"'),
    ("planted: expected at most 2", "planted = 3"),
    ("planted: expected a number", "planted = -1"),
    ("turn: expected a number", "turn = 1000000"),
    ("active: expected a number from 0 to 3", "active = 4"),
    ("position.seed: expected a number", "seed = -1"),
    ("position.seed: expected a number", "seed = 1.5"),
    ("expected 'hex:' and 64 digits", 'seed = "hex:12"'),
    ("position.rest: expected one of", 'rest = "table"'),
    ("position.rest: expected a text", "rest = 1"),
    ("at most 8 red in this game, not 9", 'discard_pile = "red*9"'),
    ("at most 8 red", 'phase = "trade"\nface_up = "red*2"\ndiscard_pile = "red*7"'),
    ("at most 0 coffee", 'discard_pile = "coffee"'),
    ("at most 0 coffee in this game, not 25", 'box = "coffee*25"'),
    ("draw_pile: expected a bean", 'draw_pile = "pea"'),
    ("draw_pile: expected a text", "draw_pile = []"),
    ("expected 4 tables", "[[position.player]]"),
    ("position.player: expected a list", "player = 1"),
    (r"player\[0\]: expected a table", "player = [1, 2, 3, 4]"),
    (r"player\[3\]: unknown key 'hat'", SEATS + "hat = 1"),
    (r"player\[3\].hand: expected a bean", SEATS + 'hand = "pea"'),
    (r"player\[3\].fields: expected 2 to 3 fields, not 1", SEATS + 'fields = ["-"]'),
    (r"player\[3\].fields\[1\]: expected beans that grow", SEATS + 'fields = ["red", "red soy"]'),
    (r"player\[3\].stood: expected 0 turns", SEATS + "stood = [1]"),
    ("expected bonus cards below 0", SEATS + "bonus = [1]"),
    ("expected each seat once", 'phase = "trade"\npasses = [1, 1]'),
    ("passes: expected a list", 'phase = "trade"\npasses = 1'),
    ("final: expected true or false", 'phase = "trade"\nfinal = 1'),
    (r"wishes\[1\]: expected each seat once", 'wishes = ["0 want red", "0 want soy"]'),
    (r"wishes\[0\]: expected each seat", 'wishes = ["4 want red"]'),
    (r"wishes\[0\]: expected each seat", 'wishes = ["0 need red"]'),
    (r"wishes\[0\]: expected a number", 'wishes = [""]'),
    (r"wishes\[0\]: expected beans", 'wishes = ["0 want"]'),
    (r"promises\[0\]: expected a promise", 'promises = ["1"]'),
    (r"promises\[0\]: expected a promise", 'promises = ["1:"]'),
    (r"promises\[0\]: expected seats", 'promises = ["1: 0 give red"]'),
    (r"promises\[0\]: expected a promise to one seat", 'promises = ["1: 0>1,2 give red"]'),
    (r"promises\[0\]: expected two seats", 'promises = ["1: 0>4 give red"]'),
    (r"promises\[0\]: expected two seats", 'promises = ["1: 0>0 give red"]'),
    (r"promises\[0\]: expected two seats", 'promises = ["1: 0>1"]'),
    (r"promises\[0\]: expected two seats", 'promises = ["1: 0>1 give red", "1: 0>2 give red"]'),
    (r"promises\[0\]: expected two seats", 'promises = ["0: 0>1 give red"]'),
    (r"promises\[0\]: expected two seats", 'promises = ["1: 0>1 give red"]\nnext_promise = 1'),
    ("later: expected numbers of offers already made", 'phase = "trade"\nlater = [1]'),
    ("expected 4 numbers", 'phase = "end"\nresult = [1]'),
    ("winners", 'phase = "end"\nresult = [1, 2, 3, 4]\nwinners = [4]'),
    (
        "next_offer: expected a number above",
        TRADE.format("1.1 0>1 hand:0").replace("face_up", "next_offer = 1\nface_up"),
    ),
]

BROKEN_OFFERS = [
    ("expected an offer such as", "1.1"),
    ("expected an offer such as", "1.1 0>1 hand:0 open wide"),
    ("expected an offer with its revision", "1 0>1 hand:0"),
    ("expected seats such as 0>2", "1.1 0 hand:0"),
    ("expected a number", "1.1 x>1 hand:0"),
    ("expected a card", "1.1 0>1 red"),
    ("there are 2 cards", "1.1 0>1 hand:2"),
    ("there are 1 cards", "1.1 0>1 face:1"),
    ("out of place", "1.1 0>1 hand:0 open for red"),
    ("no-such-place", "1.1 0>1 hand:0=blue"),
    ("no-such-place", "1.1 0>1 hand:7=blue"),
    ("same-card-twice", "1.1 0>1 hand:0 hand:0"),
    ("no-such-place", "1.1 0>1 face:0=red"),
    ("face-up-not-yours", "1.1 1>0 face:0"),
    ("active-player-missing", "1.1 1>2 hand:0"),
    ("unknown-addressee", "1.1 0>0 hand:0"),
    ("unknown-addressee", "1.1 0>9 hand:0"),
    ("a maker from 0 to 3", "1.1 9>0 for red"),
    ("nothing-for-nothing", "1.1 0>1"),
    ("want-too-many", "1.1 0>1 for red*9"),
    ("unknown-bean", "1.1 0>1 for coffee"),
    ("offer-is-direct", "1.1 1>0 hand:0 open"),
    ("number and revision from 1", "0.1 0>1 hand:0"),
    ("number and revision from 1", "1.0 0>1 hand:0"),
    ("claims only on an open offer", "1.1 0>1 for chili claims 1 hand:0"),
    ("answers from the seats", "1.1 0>1 for chili open claims 2 hand:0"),
    ("answers from the seats", "1.1 0>1,2 for chili open claims 1 hand:0; 1 hand:0"),
    ("answers from the seats", "1.1 0>1 for chili declined 2"),
    ("answers from the seats", "1.1 0>1 for chili declined 1,1"),
    ("wrong-copies", "1.1 0>1 for red open claims 1 hand:0"),
    ("no-such-place", "1.1 0>1 for chili open claims 1 hand:4=chili"),
    ("expected hand cards only", "1.1 0>1 for chili open claims 1 face:0"),
    ("expected a number", "1.1 0>1 for chili open claims"),
    ("expected a number", "1.1 0>1 for chili open claims 1 hand:0;"),
    ("expected seats", "1.1 0>1 for chili declined"),
]

BROKEN_DUELS = [
    ("expected bonus cards below 32", "bonus_pile = [32]"),
    ("each once, not 3", "bonus_pile = [3]\nbonus_discard = [3]"),
    ("bonus_pile: expected a list", "bonus_pile = 3"),
    (r"bonus_pile\[0\]: expected a number", "bonus_pile = [-1]"),
    (
        r"stood\[0\]: expected a number from -1",
        "[[position.player]]\n[[position.player]]\nbonus = [1]\nstood = [-2]",
    ),
    ("gift: expected at most one", 'phase = "plant-gift"\ngift = "red*2"'),
    ("refilling: expected a seat", 'phase = "bonus"'),
    (r"named\[0\]: expected seat and bean", 'phase = "gift"\nnamed = ["1"]'),
    (r"named\[0\]: expected a seat from 0 to 1", 'phase = "gift"\nnamed = ["2 red"]'),
    (r"named\[0\]: expected a bean of this game", 'phase = "gift"\nnamed = ["1 coffee"]'),
    (r"named\[0\]: expected at most one hand card", 'phase = "gift"\nnamed = ["1 red hand:0=soy"]'),
    (r"named\[0\]: expected a card of the hand", 'phase = "gift"\nnamed = ["1 red hand:0=red"]'),
    (r"named\[0\]: expected hand cards only", 'phase = "gift"\nface_up = "red"\nnamed = ["1 red face:0"]'),
]


@pytest.mark.parametrize(("message", "text"), BROKEN_DOCUMENTS)
def test_position_refuses_broken_documents(message: str, text: str) -> None:
    """What is no document with a game is refused, with what was expected."""
    with pytest.raises(NotationError, match=message):
        parse_position(text)


def test_position_refuses_other_encodings() -> None:
    """Bytes must be UTF-8."""
    with pytest.raises(NotationError, match="TOML"):
        parse_position(b"\xff\xfe")


@pytest.mark.parametrize(("message", "text"), BROKEN_POSITIONS)
def test_position_refuses_what_cannot_be(message: str, text: str) -> None:
    """Wrong counts, keys, phases and numbers are refused, with the place and what was expected."""
    with pytest.raises(NotationError, match=message):
        parse_position(full(text))


@pytest.mark.parametrize(("message", "offer"), BROKEN_OFFERS)
def test_position_refuses_offers_that_cannot_be(message: str, offer: str) -> None:
    """An offer must name cards that are there, and nothing that the core would have refused."""
    with pytest.raises(NotationError, match=rf"offers\[0\]: .*{message}"):
        parse_position(full(TRADE.format(offer)))


def test_position_refuses_a_number_of_two_offers() -> None:
    """Offers have numbers of their own."""
    with pytest.raises(NotationError, match="each number of an offer once"):
        parse_position(full(TRADE.format('1.1 0>1 hand:0", "1.1 0>1 hand:1')))


@pytest.mark.parametrize(("message", "text"), BROKEN_DUELS)
def test_position_refuses_duels_that_cannot_be(message: str, text: str) -> None:
    """The same holds for what only Das Duell has."""
    with pytest.raises(NotationError, match=message):
        parse_position(duel(text))


def test_position_refuses_no_leftovers() -> None:
    """The bean duel is in its first phase only while something is left over."""
    with pytest.raises(NotationError, match="leftovers: expected at least one"):
        parse_position(full('phase = "leftovers"', players=2))


def test_position_takes_fields_of_das_duell() -> None:
    """A field of Das Duell may hold the next higher kind, and no other."""
    state = read(duel('[[position.player]]\nfields = ["red black_eyed*2", "-", "-"]\n[[position.player]]'))

    assert state.players[0].fields[0] == (R, Bean.BLACK_EYED, Bean.BLACK_EYED)
    with pytest.raises(NotationError, match="grow on one field, not 'red soy'"):
        parse_position(duel('[[position.player]]\nfields = ["red soy", "-", "-"]\n[[position.player]]'))


def test_rules_of_a_position_are_resolved() -> None:
    """Edition, players and house rules give the rules."""
    rules, _ = parse_position(
        'edition = "full"\nplayers = 5\nhouse_rules = ["end=at_once", "starter=seat:2"]'
    )

    assert rules == resolve("full", 5, "end=at_once", "starter=seat:2")
