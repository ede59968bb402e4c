"""Scenarios: rule tests as text files."""

from __future__ import annotations

import pytest

from bohn.notation.errors import NotationError
from bohn.notation.scenarios import load_scenario, run_scenario, run_texts

HEAD = 'clause = "HARVEST-4"\ntitle = "A case"\nedition = "full"\nplayers = 4\n'
POSITION = """
[position]
draw_pile = "wax blue red"
discard_pile = "chili soy"
[[position.player]]
hand = "chili soy"
fields = ["red*3", "green"]
[[position.player]]
[[position.player]]
[[position.player]]
"""


def scenario(rest: str, position: str = POSITION) -> str:
    """Return the text of a scenario."""
    return HEAD + position + rest


def outcome(text: str) -> list[tuple[str, str, str]]:
    """Return step, expectation and finding of each failure."""
    return [(one.step, one.expected, one.found) for one in run_scenario(load_scenario(text))]


def step(do: str, rest: str = "", by: int = 0) -> str:
    """Return the text of one step."""
    return f'[[steps]]\nby = {by}\ndo = "{do}"\n{rest}\n'


GOOD = [
    step("harvest 1", 'refuse = "single-bean-protected"'),
    step("harvest 1", 'refuse = "single-bean-protected"\nrefuse_clause = "HARVEST-4"'),
    step("plant 7", 'refuse = "unknown-player"', by=9),
    step("harvest 0", 'events = ["harvested 0 0"]'),
    step("harvest 0", 'events = ["harvested 0 0 coins red red discards red"]'),
    step("harvest 0", 'events = ["harvested 0 0 coins red*2 discards red"]'),
    step("harvest 0") + step("harvest 1"),
    step("harvest 0", "events = []") + '[then]\ndiscard_pile = "red chili soy"',
    '[then]\ndraw_pile = "wax ..."\ndiscard_pile = "..."',
    '[then]\nphase = "plant"\nplanted = 0\nturn = 1\n[[then.player]]\n[[then.player]]\nhand = "-"',
    '[then]\nplayer = [{fields = ["red red red", "green"]}, {}, {}, {}]',
    '[then]\nface_up = "-"\nleftovers = "-"\ngift = 0',
    "[then]\ndraw_pile = 3\ndiscard_pile = 2\n[[then.player]]\nhand = 2\nfields = 2",
    '[then]\ndraw_pile = "red*1 blue wax in any order"\n[[then.player]]\nhand = "soy chili in any order"',
    '[then]\n[[then.player]]\nlegal = ["harvest 0"]\n[[then.player]]\nlegal = []',
    "[then]\n[[then.player]]\n[[then.player]]\nview.hands = [2, 0, 0, 0]\nview.draw_pile = 3",
    '[then]\n[[then.player]]\n[then.player.view]\nhand = "chili soy"\ndiscard_top = "chili"',
]


@pytest.mark.parametrize("text", GOOD)
def test_scenario_that_holds_has_no_failures(text: str) -> None:
    """What comes out as said is no failure."""
    assert outcome(scenario(text)) == []


BAD = [
    (
        step("harvest 0", 'refuse = "field-empty"'),
        "steps[0] (0: 'harvest 0')",
        "the refusal field-empty",
        "events ['harv",
    ),
    (
        step("harvest 1"),
        "steps[0] (0: 'harvest 1')",
        "a legal command",
        "the refusal single-bean-protected (HARVEST-4)",
    ),
    (
        step("harvest 1", 'refuse = "field-empty"'),
        "steps[0] (0: 'harvest 1')",
        "the refusal field-empty",
        "the refusal single-bean-protected (HARVEST-4)",
    ),
    (
        step("harvest 1", 'refuse = "single-bean-protected"\nrefuse_clause = "HARVEST-5"'),
        "steps[0] (0: 'harvest 1')",
        "the refusal single-bean-protected (HARVEST-5)",
        "the refusal single-bean-protected (HARVEST-4)",
    ),
    (step("dance"), "steps[0] (0: 'dance')", "a command", "command: expected one of"),
    (
        step("harvest 0", 'events = ["planted"]'),
        "steps[0] (0: 'harvest 0')",
        "event 0 to begin with 'planted'",
        "events ['harvested 0 0 coins red*2 discards red']",
    ),
    (
        step("harvest 0", 'events = ["harvested", "drew"]'),
        "steps[0] (0: 'harvest 0')",
        "event 1 to begin with 'drew'",
        "events ['harvested",
    ),
    (
        step("harvest 0") + step("harvest 0"),
        "steps[1] (0: 'harvest 0')",
        "a legal command",
        "the refusal field-empty",
    ),
    ('[then]\nphase = "trade"\nface_up = "-"', "then.phase", "'trade'", "plant"),
    ('[then]\nface_up = "red"', "then.face_up", "'red'", "no face_up in phase plant"),
    ("[then]\ndraw_pile = 4", "then.draw_pile", "4 of them", "3: wax blue red"),
    ("[then]\n[[then.player]]\nfields = 3", "then.player[0].fields", "3 of them", "2: ['red*3', 'green']"),
    ('[then]\ndraw_pile = "red wax in any order"', "then.draw_pile", "red wax in any order", "wax blue red"),
    (
        '[then]\n[[then.player]]\nlegal = ["harvest 1"]',
        "then.player[0].legal",
        "['harvest 1']",
        "['harvest 0']",
    ),
    (
        '[then]\n[[then.player]]\nlegal = ["dance"]',
        "then.player[0].legal",
        "['dance']",
        "['harvest 0']; command: expected one of",
    ),
    (
        "[then]\n[[then.player]]\nview.hands = [2, 0, 0, 1]",
        "then.player[0].view.hands",
        "[2, 0, 0, 1]",
        "[2,",
    ),
    ('[then]\n[[then.player]]\nview.draw_pile = "wax"', "then.player[0].view.draw_pile", "'wax'", "3; "),
    ("[then]\nturn = 2", "then.turn", "2", "1"),
    ("[then]\nplanted = 1", "then.planted", "1", "0"),
    (
        '[then]\nhand = "x"'.replace("hand", "draw_pile"),
        "then.draw_pile",
        "'x'",
        "wax blue red; draw_pile: expected a bean",
    ),
    ('[then]\ndraw_pile = "blue ..."', "then.draw_pile", "blue ...", "wax blue red"),
    ('[then]\ndraw_pile = "wax blue"', "then.draw_pile", "wax blue", "wax blue red"),
    ('[then]\n[[then.player]]\nhand = "soy"', "then.player[0].hand", "soy", "chili soy"),
    ('[then]\nbox = "red"', "then.box", "red", "coffee*24"),
]


@pytest.mark.parametrize(("text", "where", "expected", "found"), BAD)
def test_scenario_failure_names_step_expected_and_found(
    text: str, where: str, expected: str, found: str
) -> None:
    """A failure says where, what was expected and what was found."""
    ((got_where, got_expected, got_found),) = outcome(scenario(text))

    assert (got_where, got_expected) == (where, expected)
    assert got_found.startswith(found)


def test_scenario_failure_is_one_line_with_the_position() -> None:
    """As a text a failure has the position too."""
    (failure,) = run_scenario(load_scenario(scenario(step("harvest 1"))))

    assert str(failure).endswith(
        "position: turn 1: plant of 0; draw 3; discards 2: chili soy; " + failure.position.split("; ", 3)[3]
    )
    assert "\n" not in str(failure)


@pytest.mark.parametrize(
    "box", ["red*3", "coffee*12 red coffee*12 red*2 cocoa*4 garden*6".replace("coffee*12 ", "")]
)
def test_scenario_compares_boxes_in_any_order(box: str) -> None:
    """What was put away before the game may be named in the box or left out."""
    text = (
        HEAD.replace("4\n", "2\n").replace("HARVEST-2", "HARVEST-4")
        + '[position]\n[[position.player]]\ntreasury = "red*3"\n[[position.player]]\n'
        + step("buy")
        + f'[then]\nbox = "{box}"'
    )

    assert outcome(text) == []


def test_scenario_of_an_opening() -> None:
    """Without a position the scenario begins with the deal."""
    assert outcome(scenario("[then]\nturn = 1\nexhaustions = 0", position="seed = 3\n")) == []


def test_scenario_compares_offers() -> None:
    """Offers in the outcome are completed from the position, as elsewhere."""
    position = POSITION.replace("draw_pile", 'phase = "trade"\ndraw_pile')
    text = step("offer hand:1 to 1") + '[then]\noffers = ["1.1 0>1 hand:1"]\nnext_offer = 2'

    assert outcome(scenario(text, position)) == []


def test_scenario_compares_the_end() -> None:
    """Result and winners are keys like any other."""
    position = '[position]\nphase = "end"\nresult = [3, 1, 1, 1]\n'

    assert outcome(scenario("[then]\nresult = [3, 1, 1, 1]\nwinners = [0]", position)) == []


BROKEN = [
    ("unknown key 'note'", "note = 1\n" + step("end")),
    ("scenario: expected", ""),
    ("unknown key 'do_it'", POSITION + "[[steps]]\nby = 0\ndo_it = 1"),
    ("by: expected a number .*, but it is missing", POSITION + '[[steps]]\ndo = "end"'),
    ("do: expected a text .*, but it is missing", POSITION + "[[steps]]\nby = 0"),
    ("by: expected a number .*, not 'x'", POSITION + '[[steps]]\nby = "x"\ndo = "end"'),
    ("expected refuse_setup without", 'refuse_setup = "phase"\n' + step("end")),
    (r"then.player\[0\].view: unknown key 'hat'", "[then]\n[[then.player]]\nview.hat = 1"),
    (r"then.player\[0\].view: expected a table", "[then]\n[[then.player]]\nview = 1"),
    (r"then.player\[0\].legal: expected a list", "[then]\n[[then.player]]\nlegal = 1"),
    ("refuse: expected a reason", POSITION + step("end", 'refuse = "no"')),
    ("expected refuse with or without", POSITION + step("end", 'refuse_clause = "HARVEST-4"')),
    ("expected refuse with or without", POSITION + step("end", 'refuse = "hand-empty"\nevents = []')),
    ("events: expected a list", POSITION + step("end", 'events = "planted"')),
    ("steps: expected a list", "steps = 1"),
    ("steps: expected at most 1000", step("end") * 1_001),
    ("then: unknown key 'rest'", POSITION + '[then]\nrest = "box"'),
    ("then: expected a table", "then = 1"),
    ("then.player: expected at most 4", "[then]\n" + "[[then.player]]\n" * 5),
    (r"then.player\[0\]: unknown key 'hat'", "[then]\n[[then.player]]\nhat = 1"),
]


@pytest.mark.parametrize(("message", "text"), BROKEN)
def test_scenario_refuses_what_is_none(message: str, text: str) -> None:
    """What is no scenario is refused when it is read."""
    with pytest.raises(NotationError, match=message):
        load_scenario(HEAD + text)


@pytest.mark.parametrize("key", ["clause", "title"])
def test_scenario_needs_clause_and_title(key: str) -> None:
    """Every scenario names its clause and says what it shows."""
    with pytest.raises(NotationError, match=f"{key}: expected a text"):
        load_scenario(scenario(step("end")).replace(f"{key} =", "#"))


# -- set-ups that are refused ------------------------------------------------------------------


SETUPS = [
    ("position.phase", '[position]\nphase = "gift"', []),
    ("house rule 'end=never'", 'house_rules = ["end=never"]', []),
    ("position.phase", "[position]\nturn = 2", ["a position"]),
    ("position.turn", '[position]\nphase = "gift"', ["position.phase: expected a phase of this game"]),
]


@pytest.mark.parametrize(("part", "setup", "found"), SETUPS)
def test_scenario_states_that_a_setup_is_refused(part: str, setup: str, found: list[str]) -> None:
    """A set-up that is refused as was said is no failure; one that is taken, or refused otherwise, is one."""
    failures = outcome(f'{HEAD}refuse_setup = "{part}"\n{setup}')

    assert [(where, why.startswith(tuple(found))) for where, _, why in failures] == [
        ("refuse_setup", True) for _ in found
    ]


def test_scenario_of_a_refused_setup_begins_nowhere() -> None:
    """Whoever asks for its position is told why there is none."""
    scenario = load_scenario(HEAD + 'refuse_setup = "phase"\n[position]\nphase = "gift"')

    with pytest.raises(NotationError, match=r"position\.phase"):
        scenario.begin()


# -- clauses and commands that there are -------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("clause: expected a clause", scenario(step("end")).replace("HARVEST-4", "HARVEST-99", 1)),
        (
            r"steps\[0\].refuse_clause: expected a clause",
            scenario(step("harvest 1", 'refuse = "single-bean-protected"\nrefuse_clause = "HARVEST-99"')),
        ),
    ],
)
def test_scenario_of_an_unknown_clause_is_refused(message: str, text: str) -> None:
    """A clause that is cited is one that there is."""
    with pytest.raises(NotationError, match=message):
        load_scenario(text, ["HARVEST-4"])


@pytest.mark.parametrize(
    ("edition", "players", "do", "named", "left_out"),
    [
        ("full", 4, "dance", {"offer", "end", "buy"}, {"name", "keep", "pass", "leave"}),
        ("classic-sv", 4, "dance", {"offer", "pass"}, {"end"}),
        ("full", 2, "dance", {"keep", "leave", "discard"}, {"offer", "take", "end"}),
        ("das-duell", 2, "dance", {"name", "take", "pass"}, {"buy", "offer", "discard-leftover"}),
        ("das-duell-ja", 2, "dance", {"name", "offer", "discard-leftover"}, {"buy"}),
        ("full", 4, "end", {"'end'", "'plant'", "'buy'", "'wish'"}, {"end-trading", "buy-field", "'offer'"}),
        ("das-duell", 2, "take", {"'take'", "'claim-bonus'"}, {"'buy'", "take-gift"}),
        ("full", 3, "end", {"'reveal'"}, {"'buy'"}),
    ],
)
def test_refusal_names_the_commands_of_the_game_in_the_words_of_the_notation(
    edition: str, players: int, do: str, named: set[str], left_out: set[str]
) -> None:
    """Whoever writes a scenario is told what he may write, and nothing of other games."""
    text = f'clause = "TURN-1"\ntitle = "A case"\nedition = "{edition}"\nplayers = {players}\n' + step(do)
    ((_, _, found),) = outcome(text)
    words = set(found.replace(",", " ").replace("(", " ").replace(")", " ").replace(";", " ").split())

    assert named <= words | {word.partition("=")[2] for word in words}
    assert not left_out & words


# -- many at once ------------------------------------------------------------------------------


def test_texts_are_run_by_name() -> None:
    """Many scenarios at once give one line for each failure, with its name; a broken one is a failure too."""
    good, bad = scenario(GOOD[0]), scenario(step("harvest 1"))
    lines = run_texts([("good", good.encode()), ("bad", bad.encode()), ("broken", b"clause = ")])

    assert [line.partition(": ")[0] for line in lines] == ["bad", "broken"]
