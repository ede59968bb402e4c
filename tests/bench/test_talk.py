"""A person that speaks beside computer players: what it says, and that its games are compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bench import manners, talk
from bench.talk import SPEAKERS, Person, Played, TalkingGame, Words, next_word, play, rows
from bohn.bots import PLAYERS
from bohn.bots.bargaining import own_useful, useful
from bohn.bots.farming import hand
from bohn.play.floor import BRISK, outcome
from bohn.rules import decide, resolve
from bohn.rules.commands import Command, MakePromise, SetWish, WithdrawPromise
from bohn.rules.deal import opening
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.shuffle import seed_from
from bohn.rules.state import State
from bohn.server.bots.worker import BotCache
from bohn.views.view import View, view

RULES = resolve("full", 4)
TALK = SetWish | MakePromise | WithdrawPromise


class Heard:
    """Keeps every word of seat 0 with what it saw then, and its commands."""

    def __init__(self) -> None:
        self.words: list[tuple[View, Command]] = []
        self.deeds: list[Command] = []

    def watch(self, before: State, command: Command, events: Sequence[Event], after: State) -> None:  # noqa: ARG002 - one signature
        """Note one move."""
        if command.player == 0 and isinstance(command, TALK):
            self.words.append((view(RULES, before, 0), command))
        else:
            self.deeds.append(command)


def spoken(speaker: str) -> tuple[Heard, tuple[int, ...]]:
    """Let a speaker play a game with three that hear nothing; return what it said, and everybody's coins."""
    heard = Heard()
    bots = [Person(SPEAKERS[speaker], 0), *(PLAYERS["pk"](seat) for seat in range(1, 4))]
    game = TalkingGame(RULES, fold(opening(RULES, seed_from("talk"))), bots, BRISK, heard.watch)
    game.play()
    return heard, outcome(game).coins


def test_words_alone_change_nothing() -> None:
    """Where nobody hears them every speaker plays the game of the silent one."""
    games = {speaker: spoken(speaker) for speaker in SPEAKERS}
    silent, coins = games["silent"]

    assert not silent.words
    for heard, other_coins in games.values():
        assert heard.deeds == silent.deeds
        assert other_coins == coins


def test_honest_one_says_what_is_true() -> None:
    """It wants what it grows, and spares and promises what it holds and does not grow."""
    heard, _ = spoken("honest")

    marks = [(seen, said.bean, said.mark) for seen, said in heard.words if isinstance(said, SetWish)]
    assert {mark for *_, mark in marks} == {"want", "spare", "none"}
    for seen, bean, mark in marks:
        assert (bean in own_useful(seen)) == (mark == "want")
        assert (bean in {*hand(seen)} - own_useful(seen)) == (mark == "spare")
    promised = [(seen, said) for seen, said in heard.words if isinstance(said, MakePromise)]
    assert promised
    for seen, said in promised:
        assert {*said.give} <= {*hand(seen)} - own_useful(seen)
        assert {*said.give} <= useful(seen, said.to)
        assert {*said.get} <= own_useful(seen)


@pytest.mark.parametrize(("speaker", "truly"), [("liar", False), ("sly", True)])
def test_liar_gives_nothing_of_what_it_says(speaker: str, truly: bool) -> None:
    """It does not hold what it spares and promises, or grows it; the sly one wants what it grows."""
    heard, _ = spoken(speaker)

    said = {type(word): 0 for _, word in heard.words}
    assert {SetWish, MakePromise, WithdrawPromise} <= {*said}
    for seen, word in heard.words:
        given = {*hand(seen)} - own_useful(seen)
        if isinstance(word, MakePromise):
            assert given.isdisjoint(word.give)
        elif isinstance(word, SetWish) and word.mark == "spare":
            assert word.bean not in given
        elif isinstance(word, SetWish) and word.mark == "want":
            assert (word.bean in own_useful(seen)) == truly


def test_what_is_so_no_longer_is_taken_back() -> None:
    """After its last word nothing stands but what the speaker means, and then it says nothing."""
    state = fold(opening(RULES, seed_from("talk")))
    me = view(RULES, state, 0)
    bean = me.rules.kinds[0]

    assert next_word(me, Words()) is None
    assert next_word(me, Words(want=frozenset({bean}))) == SetWish(0, bean, "want")
    said = fold(decide(RULES, state, SetWish(0, bean, "want")), state)
    assert next_word(view(RULES, said, 0), Words()) == SetWish(0, bean, "none")


def test_who_does_nothing_but_talk_is_stopped() -> None:
    """Instead of a game that does not end there is an error."""

    def torn(seen: View) -> Words:
        bean = seen.rules.kinds[0]
        return Words() if bean in seen.talk.wishes[0].want else Words(want=frozenset({bean}))

    bots = [Person(torn, 0), *(PLAYERS["pk"](seat) for seat in range(1, 4))]
    game = TalkingGame(RULES, fold(opening(RULES, seed_from("talk"))), bots, BRISK)
    with pytest.raises(RuntimeError, match="nothing but talk"):
        game.play()


@pytest.mark.slow
def test_person_sits_in_each_seat_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are computer players of the level, who hear it."""
    seated: list[int] = []
    made = manners.Mannered

    def noted(cache: BotCache, name: str, seat: int, person: int) -> manners.Mannered:
        seated.append(person)
        return made(cache, name, seat, person)

    monkeypatch.setattr(talk, "Mannered", noted)
    found = play("gentle", "honest", 6, "talk")

    assert set(seated) == {2}
    assert 0 <= found.share <= 1


def test_row_has_the_difference_to_the_honest_one() -> None:
    """On the same deals, in points of the share and in coins."""
    found = {
        "honest": np.array([Played(0.0, 1.0), Played(1.0, 3.0)]),
        "liar": np.array([Played(0.0, 0.0), Played(1.0, 3.0)]),
    }

    honest, liar = rows("gentle-3", found)
    assert honest == "| three `gentle-3` | honest | 50.0 ± 98.0 % | +2.00 | | | 2 |"
    assert liar.endswith("| 0.0 ± 0.0 | -0.50 ± 0.98 | 2 |")


def test_program_prints_every_speaker_of_every_level(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each plays the same deals."""
    asked: list[tuple[str, str, int]] = []

    def pretended(level: str, speaker: str, deal: int, seed: str) -> Played:  # noqa: ARG001 - one signature
        asked.append((level, speaker, deal))
        return Played(0.25, 0.0)

    monkeypatch.setattr(talk, "play", pretended)
    talk.main(["--games", "2", "--level", "gentle", "--speaker", "honest", "liar"])

    assert asked == [("gentle", speaker, deal) for deal in (0, 1) for speaker in ("honest", "liar")]
    assert capsys.readouterr().out.count("| three `gentle-3` |") == 2
