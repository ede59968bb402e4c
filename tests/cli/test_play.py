"""`bohn play`: whole games, refusals, help, several people."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from bohn.lab.compile_cache import INTERPRET
from bohn.notation.records import read_record, verify
from bohn.rules.state import EndPhase
from tests.cli.conftest import Run

FIRST = itertools.repeat("1\n")


@pytest.mark.parametrize("edition", ["full", "classic-ja", "classic-sv", "das-duell"])
def test_play_first_suggestion_leads_to_the_end(bohn: Run, home: Path, edition: str) -> None:
    """Whoever always takes the first suggestion plays a whole legal game, whatever ends a trading or pays."""
    result = bohn("play", "--edition", edition, "--seed", 5, "--record", home / "game", lines=FIRST)

    assert (result.status, result.err) == (0, "")
    assert isinstance(verify(read_record((home / "game").read_bytes())).phase, EndPhase)


def test_play_says_how_computer_players_play(bohn: Run) -> None:
    """In a word, as the page does; one that has none there by the name one has typed."""
    shown = bohn("play", "--seats", "you,strong,b4", "--seed", 1).out

    assert "Anna (Strong) and Bert (b4)" in shown


@pytest.mark.parametrize("players", [2, 7])
def test_play_ends_for_every_number_of_players(bohn: Run, players: int) -> None:
    """The bean duel and large tables come to their last page too."""
    result = bohn("play", "--players", players, "--seed", "x", lines=FIRST)

    assert "game over" in result.out


def test_play_alone_with_bots_needs_no_input(bohn: Run) -> None:
    """A table of computer players is watched."""
    result = bohn("play", "--seats", "no-trade,no-trade,no-trade", "--seed", 1)

    assert result.status == 0
    assert "Anna plants" in result.out


@pytest.mark.parametrize("complete", [True, False])
def test_play_compiles_nothing(bohn: Run, monkeypatch: pytest.MonkeyPatch, complete: bool) -> None:
    """Nobody at a terminal waits for a compiler: what does not lie in the cache is interpreted."""
    monkeypatch.delenv(INTERPRET)
    monkeypatch.setattr("bohn.cli.play.is_cache_complete", lambda: complete)
    bohn("play", "--seats", "no-trade,no-trade,no-trade", "--seed", 1)

    assert os.environ.get(INTERPRET) == (None if complete else "1")


def test_play_tells_why_computer_players_offer(bohn: Run) -> None:
    """What a computer player says stands behind its offer, in words."""
    out = bohn("play", "--seats", "you,pk,pk", "--seed", 7, lines=FIRST).out.splitlines()
    spoken = [place for place, line in enumerate(out) if line.startswith(("Anna: ", "Bert: "))]

    assert any(f"{out[place][:4]} offers" in out[place - 1] and "coin" in out[place] for place in spoken)
    assert any("Thank" in out[place] for place in spoken)
    assert not [out[place] for place in spoken if "{" in out[place] or "[" in out[place]]


def test_play_among_bots_says_nothing(bohn: Run) -> None:
    """Where nobody plays, no computer player explains itself."""
    out = bohn("play", "--seats", "pk,pk,pk", "--seed", 7).out.splitlines()

    assert not [line for line in out if line.startswith("Anna: ")]


def test_play_names_what_is_missing_in_no_text(bohn: Run) -> None:
    """No key and no parameter of the catalog is left unfilled in a whole game."""
    result = bohn("play", "--edition", "das-duell", "--seed", 2, lines=FIRST)

    assert not [
        line for line in result.out.splitlines() if "{" in line or "[event." in line or "[board." in line
    ]


def test_play_leaves_politely_at_the_end_of_input(bohn: Run, home: Path) -> None:
    """Ctrl-D saves the game and tells how to go on."""
    result = bohn("play", "--seed", 1, "--record", home / "game", lines=())

    assert result.status == 0
    assert f"bohn play --resume {home / 'game'}" in result.out


def test_play_leaves_politely_on_interrupt(bohn: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C does the same as Ctrl-D."""

    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("bohn.cli.keyboard.Pipe.read", interrupted)
    result = bohn("play", "--seed", 1)

    assert result.status == 0
    assert "The game is saved" in result.out


def first_move(bohn: Run, *lines: str, seed: int = 1) -> str:
    """Return what is printed when somebody who begins types these lines."""
    arguments = ("play", "--players", 3, "--seed", seed, "--house", "starter=seat:0")
    return " ".join(bohn(*arguments, lines=[f"{line}\n" for line in lines]).out.split())


def test_play_shows_front_of_hand_and_piles(bohn: Run) -> None:
    """The front card is marked, and the exhaustions are counted."""
    shown = first_move(bohn)

    assert "front [0 " in shown
    assert "draw pile 1 of 2" in shown


def test_play_refusal_gives_reason_and_clause(bohn: Run) -> None:
    """A refusal is told in words, with the clause and its text."""
    shown = first_move(bohn, "reveal")

    assert "The front card of your hand must be planted first." in shown
    assert "PLANT-1:" in shown


def test_play_refusal_tells_a_house_rule_in_words(bohn: Run) -> None:
    """A clause that names a rule by its key is told with what that rule says."""
    shown = " ".join(first_move(bohn, "plant 0", "reveal", "why pass").split())

    assert "With “the active player ends trading” the trading ends" in shown
    assert "closing=" not in shown


def test_play_refused_command_changes_nothing(bohn: Run, home: Path) -> None:
    """Only accepted commands come into the record."""
    arguments = ("play", "--players", 3, "--seed", 1, "--house", "starter=seat:0", "--record", home / "game")
    bohn(*arguments, lines=["reveal\n", "harvest 0\n", "plant 9\n"])

    assert len(read_record((home / "game").read_bytes()).entries) == 1


def test_play_asks_again_before_a_harvest_for_nothing(bohn: Run, home: Path) -> None:
    """A field that brings no coins is sold only when the command is said twice; another one asks anew."""
    arguments = ("play", "--players", 3, "--seed", 1, "--house", "starter=seat:0", "--record", home / "game")

    def played(*lines: str) -> tuple[str, list[str]]:
        (home / "game").unlink(missing_ok=True)
        out = bohn(*arguments, lines=[f"{line}\n" for line in ("plant 0", *lines)]).out
        entries = read_record((home / "game").read_bytes()).entries
        return " ".join(out.split()), [type(entry).__name__ for entry in entries]

    once, unchanged = played("harvest 0")
    _, between = played("harvest 0", "plant 9", "harvest 0")
    _, sold = played("harvest 0", "harvest 0")

    assert "That field brings no coins." in once
    assert sold == [*unchanged, sold[-1]]
    assert between == sold
    assert len(sold) == len(unchanged) + 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("?", "Commands (“? harvest” explains one"),
        ("? harvest", "Harvest and sell a whole field at any time."),
        ("? PLANT-5", "PLANT-5"),
        ("? nonsense", "There is no help on “nonsense”"),
        ("why reveal", "must be planted first"),
        ("why plant 0", "That is allowed: plant 0"),
        ("why", "Type “why” and a command"),
        ("undo", "What is done is done"),
        ("view", "front [0"),
        ("log", "The cards are dealt. You begin."),
        ("hint", "A computer player would plant"),
        ("save", "Every move is saved in"),
        ("ask", "You will be asked at every moment."),
        ("more", "plant "),
        ("99", "Choose a number from 1 to"),
        ("harvst 0", "Did you mean harvest"),
        ("plant", "Write: plant FIELD"),
        ("", "The game is waiting for you"),
        ("\x00\x1b[2J{}[bold]", "There is no command"),
        ("offer \U0001f331 for \U0001f331", "I did not understand that."),
    ],
)
def test_play_answers_what_is_no_command(bohn: Run, line: str, expected: str) -> None:
    """Help, questions and garbage get an answer, and the game waits on."""
    assert expected in first_move(bohn, line)


def test_play_survives_a_line_of_a_megabyte(bohn: Run) -> None:
    """Garbage of any length is no command."""
    assert "There is no command" in first_move(bohn, "x" * 1_000_000)


def test_play_takes_wishes_without_a_turn(bohn: Run) -> None:
    """Talk is said at once, and the same person is asked on."""
    shown = first_move(bohn, "wish want red", "reveal")

    assert "You want red beans." in shown
    assert "must be planted first" in shown


def test_play_offers_by_bean_and_name(bohn: Run) -> None:
    """Beans stand for cards and names for seats; the market hears the offer."""
    shown = first_move(
        bohn, "plant 0", "reveal", "offer face:0 for cocoa*9 to Bert", "offer face:0 for soy*2 to Bert"
    )

    assert "in the whole deck" in shown or "not that many" in shown
    assert "You offer Bert" in shown


def test_play_explains_an_offer_of_more_than_there_is(bohn: Run) -> None:
    """Who offers beans he lacks is told how many he has, and how an offer is written."""
    shown = first_move(bohn, "plant 0", "reveal", "offer cocoa cocoa for soy")

    assert "The offer gives more beans than you have. You have: 0 cocoa beans." in shown
    assert "Write: offer [BEANS" in shown
    assert "For example: offer soy for red to Bert" in shown


def test_play_takes_only_numbers_that_are_shown(
    bohn: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not printed has no number; once `more` has printed it, it has."""
    monkeypatch.setattr("bohn.cli.dialogue.SHOWN", 1)
    arguments = ("play", "--players", 3, "--seed", 1, "--house", "starter=seat:0", "--record")
    refused = bohn(*arguments, home / "refused", lines=["2\n"])
    taken = bohn(*arguments, home / "taken", lines=["more\n", "2\n"])

    assert "There is one choice: 1." in refused.out
    assert refused.out.count("“more” shows all") == 2
    assert "There is one choice" not in taken.out
    entries = [len(read_record((home / name).read_bytes()).entries) for name in ("refused", "taken")]
    assert entries == [1, 2]


# -- several people --------------------------------------------------------------------------------


def test_play_hands_the_keyboard_over(bohn: Run) -> None:
    """Between two people the screen is cleared, and the next one is called."""
    arguments = ("play", "--seats", "Ada,Ben,pk", "--house", "starter=seat:0", "--seed", 1)
    out = bohn(*arguments, lines=["\n", "1\n", "reveal\n", "\n", "\n"]).out

    before, _, after = out.partition("Pass the keyboard to Ben.")
    assert "Ada>" in before
    assert "Ben>" in after


def test_play_hides_the_hand_from_the_next_person(bohn: Run) -> None:
    """What is written after the hand-over holds no card of the other's hand."""
    arguments = ("play", "--seats", "Ada,Ben,no-trade", "--house", "starter=seat:0", "--seed", 1)
    out = bohn(*arguments, lines=["\n", "1\n", "reveal\n", "\n", "\n"]).out

    after = out.partition("Pass the keyboard to Ben.")[2]
    assert after.count("front [0") == 1
    assert "hand 4" in after


# -- what is refused before the deal ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--edition", "fool"), "expected one of: full"),
        (("--players", "9"), "expected one of: 2, 3, 4, 5, 6, 7"),
        (("--players", "-1"), "expected one of"),
        (("--players", "many"), "invalid int value"),
        (("--seats", "you,zz top"), "expected a name"),
        (("--seats", "Ann,ann,pk"), "expected different names"),
        (("--seats", "you"), "expected one of"),
        (("--seats", "you,pk,pk", "--players", "4"), "expected the same number"),
        (("--house", "end=never"), "expected one of"),
        (("--floor", "wild"), "invalid choice"),
        (("--resume",), "there is no game"),
        (("--resume", "nowhere"), "does not exist"),
        (("--record", "/dev/null/game"), "cannot write"),
        (("--colour",), "unrecognized arguments"),
    ],
)
def test_play_refuses_in_one_line(bohn: Run, arguments: tuple[str, ...], expected: str) -> None:
    """A wrong argument is one line on stderr that says what was expected."""
    result = bohn("play", *arguments)

    assert result.status == 2
    assert expected in result.err
    assert result.err.count("\n") == 1
