"""simulate, replay, verify, scenarios, rules, players: what they print, and what they refuse."""

from __future__ import annotations

import itertools
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from bohn.bots import PLAYERS
from bohn.cli import simulate
from bohn.cli.main import COMMANDS
from bohn.i18n import Catalog, clause_texts
from bohn.play.simulate import Summary
from bohn.play.simulate import simulate as simulate_games
from bohn.rulebook import clauses
from bohn.rules.editions import EDITIONS
from tests.cli.conftest import Run

TRANSLATED = sys.modules["bohn.i18n.clause_texts"].translated()
"""Languages with clauses of their own."""


@pytest.fixture
def record(bohn: Run, home: Path) -> Path:
    """Return the record of a short game between a person and computer players."""
    path = home / "game.bohn"
    lines = itertools.repeat("1\n", 12)
    bohn("play", "--players", 3, "--seed", 1, "--house", "starter=seat:0", "--record", path, lines=lines)
    return path


# -- all of them ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(bohn: Run, command: str) -> None:
    """`--help` is printed and is no error."""
    result = bohn(command, "--help")

    assert result.status == 0
    assert f"usage: bohn {command}" in result.out


@pytest.mark.parametrize(
    "arguments", [(), ("deal",), ("--nonsense",), ("verify",), ("replay",), ("scenarios",)]
)
def test_a_wrong_call_is_one_line(bohn: Run, arguments: tuple[str, ...]) -> None:
    """What argparse would not take is told in one line that names the help."""
    result = bohn(*arguments)

    assert result.status == 2
    assert result.err.startswith("bohn: ")
    assert result.err.count("\n") == 1


def test_version_is_printed(bohn: Run) -> None:
    """`bohn --version` names the product."""
    assert bohn("--version").out.startswith("bohn 0.")


def test_an_unknown_language_is_english(bohn: Run) -> None:
    """A language without a catalog falls back to English."""
    assert "(the usual" in " ".join(bohn("players", "--lang", "xx-YY").out.split())


def test_a_failure_nobody_foresaw_is_one_line(bohn: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a mistake of ours shows no traceback unless one is asked for."""

    def broken(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("bohn.cli.players.run", broken)
    result = bohn("players")

    assert result.status == 1
    assert "BOHN_TRACEBACK=1" in result.err


# -- replay and verify --------------------------------------------------------------------------------


def test_verify_says_that_a_record_follows_the_rules(bohn: Run, record: Path) -> None:
    """An honest record is confirmed."""
    result = bohn("verify", record)

    assert result.status == 0
    assert "follow the rules of full for 3 players; the game is not finished." in result.out


def test_verify_names_the_entry_that_does_not_follow(bohn: Run, record: Path) -> None:
    """A command that was changed is found."""
    data = record.read_bytes().replace(
        b'"do":"plant","player":0,"field":0', b'"do":"plant","player":0,"field":1', 1
    )
    record.write_bytes(data)
    result = bohn("verify", record)

    assert result.status == 2
    assert "entry 1" in result.err


def test_replay_tells_the_story(bohn: Run, record: Path) -> None:
    """Every event is a sentence, numbered by its entry."""
    out = bohn("replay", record).out

    assert "   0  The cards are dealt." in out
    assert "   1  You plant" in out


def test_replay_of_a_seat_hides_what_others_drew(bohn: Run, record: Path) -> None:
    """With --view the cards others draw are only counted."""
    seen, everything = bohn("replay", record, "--view", "You").out, bohn("replay", record).out

    assert "Anna draws 3 cards." in seen
    assert "Anna draws 3 cards." not in everything


def test_replay_stops_at_an_entry_with_the_position(bohn: Run, record: Path) -> None:
    """`--to` prints the position in notation, which reads back."""
    out = bohn("replay", record, "--to", 0).out

    assert out.startswith('edition = "full"')
    assert "[[position.player]]" in out


def test_replay_shows_the_table_of_a_seat(bohn: Run, record: Path) -> None:
    """`--to` with `--view` shows what the seat saw then."""
    out = bohn("replay", record, "--to", 0, "--view", 0).out

    assert "front [0" in out


def test_replay_prints_the_playthrough(bohn: Run, record: Path) -> None:
    """`--as notation` is the text of golden files."""
    assert "\n#0 opening\n" in bohn("replay", record, "--as", "notation").out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--to", "100000"), "expected an entry from 0 to"),
        (("--to", "-1"), "expected an entry from 0 to"),
        (("--view", "Zoe"), "expected a seat from 0 to 2, or one of: You, Anna, Bert"),
        (("--view", "7"), "expected a seat"),
        (("--view", "0", "--as", "notation"), "shows everything"),
    ],
)
def test_replay_refuses_in_one_line(
    bohn: Run, record: Path, arguments: tuple[str, ...], expected: str
) -> None:
    """What cannot be shown is told with what was expected."""
    result = bohn("replay", record, *arguments)

    assert result.status == 2
    assert expected in result.err


# -- simulate -----------------------------------------------------------------------------------------


def test_simulate_prints_a_table(bohn: Run) -> None:
    """Coins and wins of each player, and of equal ones together, come with their intervals."""
    out = bohn("simulate", "--bots", "no-trade,random,no-trade", "--games", 4, "--workers", 1).out

    assert "full with 3 players, 6 games (2 deals, each seen from every seat), floor free" in out
    assert out.count("±") == 2 * 3 + 2 * 2 + 1


def test_simulate_prints_json(bohn: Run) -> None:
    """`--json` is one object with a line for each seat."""
    out = bohn("simulate", "--bots", "no-trade", "--players", 4, "--games", 2, "--workers", 1, "--json").out
    report = json.loads(out)

    assert [entry["name"] for entry in report["entries"]] == ["no-trade"] * 4
    assert sum(entry["share"]["mean"] for entry in report["entries"]) == pytest.approx(1)


def test_simulate_is_the_same_with_more_workers(bohn: Run) -> None:
    """Who plays a game does not change it."""
    arguments = ("simulate", "--bots", "no-trade", "--players", 3, "--games", 9, "--json")

    assert bohn(*arguments, "--workers", 1).out == bohn(*arguments, "--workers", 2).out


def test_simulation_takes_a_former_name(bohn: Run) -> None:
    """And says the name of today."""
    result = bohn("simulate", "--bots", "h", "--players", 2, "--games", 1, "--workers", 1)

    assert result.status == 0
    assert "value-trader" in result.out


def test_list_of_players_names_the_former_name(bohn: Run) -> None:
    """Who looks for `h` finds it."""
    (line,) = (one for one in bohn("players").out.splitlines() if one.startswith("value-trader"))

    assert line.rstrip().endswith("(formerly h)")


@pytest.mark.parametrize(
    ("bots", "workers", "loaded"), [("value-trader", 2, 1), ("pk", 2, 0), ("value-trader", 1, 0)]
)
def test_simulate_compiles_once_for_all_workers(
    bohn: Run, monkeypatch: pytest.MonkeyPatch, bots: str, workers: int, loaded: int
) -> None:
    """Players that weigh are loaded before there are workers, so that not each of them compiles."""
    times: list[str] = []

    def quickly(edition: str, players: int, _: object, *rest: Any, **more: Any) -> Summary:
        return simulate_games(edition, players, ["pk"] * players, *rest, **more)

    monkeypatch.setattr(simulate, "simulate", quickly)
    monkeypatch.setattr(simulate, "compile_traders", lambda: times.append("loaded"))
    result = bohn("simulate", "--bots", bots, "--players", 3, "--games", 1, "--workers", workers)

    assert result.status == 0
    assert len(times) == loaded


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--bots", "pk,deep-blue,pk"), "expected computer players"),
        (("--games", "0"), "expected a number from 1"),
        (("--workers", "0"), "expected a number from 1"),
        (("--players", "12"), "expected one of"),
        (("--bots", "pk,pk,pk", "--players", "4"), "expected the same number"),
        (("--edition", "none"), "expected one of"),
    ],
)
def test_simulate_refuses_in_one_line(bohn: Run, arguments: tuple[str, ...], expected: str) -> None:
    """A wrong argument names what there is."""
    result = bohn("simulate", *arguments)

    assert result.status == 2
    assert expected in result.err


# -- scenarios ----------------------------------------------------------------------------------------

GOOD = """
clause = "PLANT-1"
title = "The front card is planted"
edition = "full"
players = 3
[[steps]]
by = {by}
do = "plant 0"
"""


def scenario(folder: Path, name: str, by: int) -> Path:
    """Write a scenario in which a seat plants first."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = GOOD.replace("{by}", str(by)) + "[position]\nactive = 0\n[[position.player]]\nhand = 'soy'\n"
    path.write_text(text + "[[position.player]]\n[[position.player]]\n", encoding="utf-8")
    return path


def test_scenarios_pass(bohn: Run, home: Path) -> None:
    """A folder is searched to its depth, and what holds is counted."""
    scenario(home / "cases", "deep/good.toml", 0)
    result = bohn("scenarios", home / "cases")

    assert (result.status, result.out) == (0, "1 passed, 0 failed\n")


def test_scenarios_fail_with_one_line_each(bohn: Run, home: Path) -> None:
    """A failure names file, step, what was expected and what was found; the status is 1."""
    path = scenario(home, "bad.toml", 1)
    result = bohn("scenarios", path)

    assert result.status == 1
    assert result.out.startswith(f"{path}: step")
    assert result.out.endswith("0 passed, 1 failed\n")


def test_scenarios_tell_what_is_no_scenario(bohn: Run, home: Path) -> None:
    """A file that cannot be read as a scenario is a failure with its reason."""
    (home / "broken.toml").write_text("clause = [", encoding="utf-8")
    result = bohn("scenarios", home / "broken.toml")

    assert result.status == 1
    assert "expected TOML" in result.out


def test_scenarios_refuse_an_unknown_clause(bohn: Run, home: Path) -> None:
    """A scenario shows a clause that there is."""
    path = scenario(home, "lost.toml", 0)
    path.write_text(re.sub('clause = ".*"', 'clause = "HARVEST-99"', path.read_text("utf-8")), "utf-8")
    result = bohn("scenarios", path)

    assert result.status == 1
    assert "clause: expected a clause of the rules" in result.out


def test_scenarios_refuse_an_empty_folder(bohn: Run, home: Path) -> None:
    """A folder without scenarios is a mistake, not a success."""
    (home / "empty").mkdir()

    assert bohn("scenarios", home / "empty").status == 2
    assert "does not exist" in bohn("scenarios", home / "nowhere").err


# -- rules and players ---------------------------------------------------------------------------------


def test_rules_lists_every_edition(bohn: Run) -> None:
    """All editions stand in the overview."""
    out = bohn("rules").out

    assert all(edition in out for edition in EDITIONS)


@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_shows_an_edition(bohn: Run, edition: str) -> None:
    """Numbers, policies, house rules and clauses of an edition are shown."""
    out = bohn("rules", edition).out

    assert "How it is played" in out
    assert "HARVEST-1" in out


def test_rules_marks_the_reconstruction(bohn: Run) -> None:
    """Bonus cards that are not known for certain are labelled."""
    out = bohn("rules", "das-duell").out

    assert "a reconstruction" in out
    assert " 3: 2-1 (10) *" in out


@pytest.mark.parametrize("clause", sorted(clauses()))
def test_rules_shows_every_clause(bohn: Run, clause: str) -> None:
    """Each clause is shown with its text and citations, however it is spelt."""
    out = bohn("rules", clause.lower()).out

    assert out.startswith(clause)
    assert len(out.splitlines()) >= 4


@pytest.mark.parametrize("lang", TRANSLATED)
def test_rules_shows_a_clause_in_translation(bohn: Run, lang: str) -> None:
    """In the language that was asked for, with the citations as they are."""
    out = bohn("rules", "--lang", lang, "HARVEST-4").out

    assert clause_texts(lang)["HARVEST-4"].title in out
    assert 'JP "[summary: boxes of the four actions]" §6.2' in out


def test_rules_shows_a_clause_without_translation_in_english(bohn: Run) -> None:
    """Nobody has put them into Klingon yet."""
    assert clauses()["HARVEST-4"].title in bohn("rules", "--lang", "tlh", "HARVEST-4").out


@pytest.mark.parametrize("lang", ["en", *TRANSLATED])
def test_rules_groups_the_clauses_of_an_edition_by_subject(bohn: Run, lang: str) -> None:
    """Each subject has its heading, and its clauses the titles of the language."""
    lines = [line.strip() for line in bohn("rules", "--lang", lang, "das-duell").out.splitlines()]
    heading = Catalog.load(lang).text("section.dd")
    titled = f"{'DD-1':<12} {clauses(lang)['DD-1'].title}"

    assert heading in lines
    assert lines.index(heading, lines.index(titled) - 1) == lines.index(titled) - 1


def test_rules_shows_policies_where_they_decide_something(bohn: Run) -> None:
    """The bean duel has nobody's trading to close; with three players no field is for sale."""
    out = " ".join(bohn("rules", "full").out.split())

    assert "closing=active the active player ends trading (3, 4, 5, 6, 7 players)" in out
    assert "payment=topmost a field is paid for with the topmost coins (2, 4, 5, 6, 7 players)" in out


def test_rules_marks_secondary_sources(bohn: Run) -> None:
    """What rests on another publication says so."""
    assert "secondary" in bohn("rules", "DD-21").out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("HARVST-4",), "HARVEST-4"),
        (("HARVEST-99",), "did you mean HARVEST-"),
        (("nonsense",), "expected an edition"),
        (("fool", "HARVEST-1"), "expected one of: full"),
        (("full", "DD-3"), "DD-3 is no clause of full"),
    ],
)
def test_rules_refuses_with_near_ones(bohn: Run, arguments: tuple[str, ...], expected: str) -> None:
    """An unknown clause suggests those it may have meant."""
    result = bohn("rules", *arguments)

    assert result.status == 2
    assert expected in result.err


def test_players_lists_every_bot(bohn: Run) -> None:
    """Each computer player is named and described."""
    out = bohn("players").out

    assert all(name in out for name in PLAYERS)
    assert out.count("Makes a trader") == 0


@pytest.mark.parametrize("may", [True, False])
def test_players_says_who_plays_as_another_here(
    may: bool, bohn: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing compiles nobody searches, and that is said where the player is named."""
    monkeypatch.setattr("bohn.cli.players.may_compile", lambda: may)

    assert ("plays as strong here" in " ".join(bohn("players").out.split())) is not may
