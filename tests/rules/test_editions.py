"""Every number of the editions cites its source; decks and beanometers agree; bonus cards are as ruled."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bohn.rules.beans import BEANS, Bean
from bohn.rules.editions import EDITIONS
from bohn.rules.editions.common import COUNTS, EIGHT_KINDS
from bohn.rules.editions.duel import KNOWN_BONUS_CARDS, RECONSTRUCTED_BONUS_CARDS

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT / "docs" / "rules"
RULES = ROOT / "src" / "bohn" / "rules"
FILES = sorted((RULES / "editions").glob("*.py"))
CITATION = re.compile(r'\b([A-Z]{2}) "(.+?)" §(\d+)(?:\.(\d+))?')
OTHER_SOURCE = re.compile(r"# (secondary|ruling): (\S.*)")
EDITIONS_AND_PLAYERS = [(name, number) for name, by_number in EDITIONS.items() for number in by_number]


def label(path: Path) -> str:
    """Return the name of a file in the list of tests."""
    return path.name


def citations(line: str) -> list[tuple[str, str, str, str]]:
    """Return every document, heading, paragraph and sentence that a comment at the end of a line cites."""
    return CITATION.findall(line.partition("#")[2])


def pair_indices(source: str) -> set[tuple[int, int]]:
    """Return the positions of [0] and [1], which take a pair apart and are no rule."""
    return {
        (node.slice.lineno, node.slice.col_offset)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value in (0, 1)
    }


def uncited(source: str) -> list[int]:
    """Return the lines with a number and no citation; 0 needs none."""
    exempt = pair_indices(source)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    numbers = {
        t.start[0] for t in tokens if t.type == tokenize.NUMBER and t.string != "0" and t.start not in exempt
    }
    comments = {t.start[0]: t.string for t in tokens if t.type == tokenize.COMMENT}
    return sorted(
        line
        for line in numbers
        if not (citations(comments.get(line, "")) or OTHER_SOURCE.match(comments.get(line, "")))
    )


@pytest.mark.parametrize("path", FILES, ids=label)
def test_numbers_of_the_editions_are_cited(path: Path) -> None:
    """Every line with a number names the document, publication or ruling it comes from."""
    assert uncited(path.read_text(encoding="utf-8")) == []


def test_search_for_uncited_numbers_finds_one() -> None:
    """A number without a citation is found, an index is none, and a citation counts."""
    source = 'a = 2\nb = c[0]\nd = 3  # RU "Heading" §1\ne = 1  # because\nf = (4, 1)  # ruling: why\n'
    assert uncited(source) == [1, 4]


def test_search_for_citations_finds_each_of_a_line() -> None:
    """A line may cite several documents, and a document that is unknown is found too."""
    assert citations('x = 5  # RU "A" §1, XX "B" §2.3') == [("RU", "A", "1", ""), ("XX", "B", "2", "3")]
    assert citations('RU "A" §1') == []


@cache
def headings() -> dict[str, dict[str, list[int]]]:
    """Return for each document its headings with the sentences of each paragraph."""
    loaded: dict[str, Any] = tomllib.loads((DOCUMENTS / "sources.toml").read_text(encoding="utf-8"))
    return {d["id"]: {h["title"]: h["sentences"] for h in d["heading"]} for d in loaded["document"]}


@pytest.mark.parametrize("path", sorted(RULES.rglob("*.py")), ids=lambda path: str(path.relative_to(RULES)))
def test_citations_in_the_rules_resolve(path: Path) -> None:
    """Every document, heading, paragraph and ruling that the core cites exists."""
    rulings = (DOCUMENTS / "rulings.md").read_text(encoding="utf-8")
    missing: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        for document, heading, paragraph, sentence in citations(line):
            counts = headings().get(document, {}).get(heading, [])
            if not 1 <= int(paragraph) <= len(counts) or int(sentence or 1) > counts[int(paragraph) - 1]:
                missing.append(line.strip())
        sources = OTHER_SOURCE.findall(line)
        missing += [name for kind, name in sources if kind == "ruling" and f"### {name}: " not in rulings]
    assert missing == []


@pytest.mark.parametrize(("edition", "players"), EDITIONS_AND_PLAYERS)
def test_editions_are_listed_under_their_name_and_players(edition: str, players: int) -> None:
    """The rules say themselves by which name and number of players they are looked up."""
    rules = EDITIONS[edition][players]
    assert (rules.edition, rules.players) == (edition, players)


@pytest.mark.parametrize(("edition", "players"), EDITIONS_AND_PLAYERS)
def test_editions_deal_fewer_cards_than_they_have(edition: str, players: int) -> None:
    """The deal has a hand for each player, and leaves a draw pile."""
    rules = EDITIONS[edition][players]
    assert len(rules.deal) == players
    assert sum(rules.deal) + players * rules.starting_coins < sum(rules.deck)


@pytest.mark.parametrize(("edition", "players"), EDITIONS_AND_PLAYERS)
def test_editions_use_each_card_of_their_box_once(edition: str, players: int) -> None:
    """Of each kind all printed cards are in the deck, or all in the box, or none in either; 11 kinds or 8."""
    rules = EDITIONS[edition][players]
    for bean in BEANS:
        assert sorted((rules.deck[bean], rules.boxed[bean])) in ([0, 0], [0, COUNTS[bean]])
    kinds = tuple(bean for bean in BEANS if rules.deck[bean] or rules.boxed[bean])
    assert kinds in (tuple(BEANS), tuple(sorted(EIGHT_KINDS)))


@pytest.mark.parametrize(("edition", "players"), EDITIONS_AND_PLAYERS)
def test_beanometers_rise_and_can_be_reached(edition: str, players: int) -> None:
    """Steps of a beanometer rise in beans and coins, and the printed cards reach the last."""
    rules = EDITIONS[edition][players]
    for bean, steps in zip(BEANS, rules.beanometers, strict=True):
        assert list(steps) == sorted(set(steps))
        assert [coins for _, coins in steps] == sorted({coins for _, coins in steps})
        printed = rules.deck[bean] + rules.boxed[bean]
        assert not printed or steps[-1][0] <= printed


def test_printed_counts_rise_by_two() -> None:
    """The kinds have 4, 6, ... 24 cards, rarest first."""
    assert [COUNTS[bean] for bean in BEANS] == list(range(4, 25, 2))


def test_bonus_cards_are_as_the_rulings_promise() -> None:
    """32 cards, three of them known, at least 20 different patterns of 3-6 cards and 2-4 kinds.

    The ruling is ``bonus-cards`` of docs/rules/rulings.md, its reasons are in docs/rules/bonus-cards.md.
    """
    cards = KNOWN_BONUS_CARDS + RECONSTRUCTED_BONUS_CARDS
    assert len(cards) == 32
    assert len(KNOWN_BONUS_CARDS) == 3
    assert len({card.runs for card in cards}) >= 20
    assert all(3 <= sum(card.runs) <= 6 and 2 <= len(card.runs) <= 4 for card in cards)


def test_beans_are_ordered_by_their_printed_counts() -> None:
    """A greater bean has more cards, so that "the next higher kind" (DD-3) is the order of `Bean`."""
    counts = [COUNTS[bean] for bean in sorted(Bean)]
    assert all(fewer < more for fewer, more in pairwise(counts))
