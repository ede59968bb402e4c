"""The rules to be read: clauses in a language, and what holds in a game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bohn.i18n import clause_texts
from bohn.rulebook import clauses, clauses_in_force
from bohn.rules.beans import Bean
from bohn.rules.editions import EDITIONS
from bohn.rules.resolve import resolve
from tests.server.support.site import Place, visit

DOCUMENT = Path(__file__).parents[3] / "docs" / "protocol.md"


def answered(path: str) -> Any:
    """Return what a stranger is answered, which must be 200."""
    got: list[Any] = []

    async def scenario(place: Place) -> None:
        got.append(await place.stranger.get(path))

    visit(scenario)
    return got[0]


def test_clauses_are_told_to_strangers() -> None:
    """All of them, in their order, with what they stand on."""
    told = answered("/api/clauses")

    assert told["language"] == "en"
    assert [clause["id"] for clause in told["clauses"]] == list(clauses())
    by_id = {clause["id"]: clause for clause in told["clauses"]}
    assert by_id["DD-14"]["editions"] == ["das-duell", "das-duell-ja"]
    assert by_id["DD-14"]["section"] == "dd"
    assert by_id["END-5"]["rulings"] == ["exhaustion"]
    assert by_id["END-5"]["secondary"] == ["AMIGO rulebook p.9"]
    assert all(clause["cites"] or clause["secondary"] or clause["rulings"] for clause in told["clauses"])


@pytest.mark.parametrize(("asked", "served"), [("de", "de"), ("de-AT", "de"), ("tlh", "en"), ("pt-BR", "en")])
def test_clauses_are_in_the_language_that_is_asked_for(asked: str, served: str) -> None:
    """The nearest there is; each clause says which language it is in."""
    told = answered(f"/api/clauses?language={asked}")

    assert told["language"] == served
    for clause in told["clauses"]:
        words = clause_texts(served).get(clause["id"])
        assert clause["language"] == ("en" if words is None else served)
        assert words is None or (clause["title"], clause["text"]) == (words.title, words.text)


@pytest.mark.parametrize(
    ("path", "reason", "params"),
    [
        ("/api/clauses?language=../en", "language-unknown", {}),
        ("/api/clauses?language=", "language-unknown", {}),
        ("/api/rules?edition=fool", "options-not-valid", {"what": "edition"}),
        ("/api/rules?edition=", "options-not-valid", {"what": "edition"}),
        ("/api/rules?edition=full&players=8", "options-not-valid", {"what": "players"}),
        ("/api/rules?players=three", "not-understood", {"path": "?players"}),
        ("/api/rules?house=field_price=9", "options-not-valid", {"what": "house-rules"}),
        ("/api/rules?house=", "options-not-valid", {"what": "house-rules"}),
        ("/api/rules?house=tie=shared&house=tie=shared", "options-not-valid", {"what": "house-rules"}),
    ],
)
def test_rules_that_do_not_exist_are_refused(path: str, reason: str, params: dict[str, str]) -> None:
    """With what is wrong about them."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("GET", path)

        assert answer.status == 400
        assert answer.json() == {"reason": reason, "clause": None, "params": params}

    visit(scenario)


def test_rules_tell_what_holds() -> None:
    """Numbers, clauses by section, policies as keys, what could be chosen, and the documents."""
    told = answered("/api/rules?edition=full-ru&players=5&house=field_price=2&house=tie=shared")
    rules = resolve("full-ru", 5, "field_price=2", "tie=shared")

    assert msgspec.convert(told["rules"], type(rules)) == rules
    listed = [name for section in told["sections"] for name in section["clauses"]]
    assert listed == [clause.id for clause in clauses_in_force(rules)]
    assert told["sections"][0] == {"section": "goal", "clauses": ["GOAL-1"]}
    assert "policy.singles.all_single" in told["policies"]
    assert told["choices"]["tie"] == ["most_hand_cards"]
    assert told["choices"]["field_price"] == ["3"]
    assert [source["id"] for source in told["sources"]] == ["RU"]
    assert told["sources"][0]["title"] == "Бонанза"


@pytest.mark.parametrize(
    ("query", "left_out"),
    [
        ("edition=full&players=4", [Bean.COFFEE]),
        ("edition=full&players=3", [Bean.COCOA]),
        ("edition=classic&players=4", []),
        ("edition=das-duell", []),
    ],
)
def test_rules_name_the_kinds_that_are_left_out(query: str, left_out: list[Bean]) -> None:
    """A game of eleven kinds that has ten at this number of players says which is the eleventh."""
    assert answered(f"/api/rules?{query}")["left_out"] == left_out


@pytest.mark.parametrize(
    ("query", "edition", "players"),
    [("", "full", 4), ("?edition=das-duell", "das-duell", 2), ("?edition=classic", "classic", 4)],
)
def test_rules_of_which_nothing_is_said_are_the_usual_ones(query: str, edition: str, players: int) -> None:
    """The plain edition, four players, or as near as the edition has."""
    told = answered(f"/api/rules{query}")

    assert (told["rules"]["edition"], told["rules"]["players"]) == (edition, players)


@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_of_every_edition_are_told(edition: str) -> None:
    """For each number of players; policies have texts in the catalog by the key they come with."""
    for players in EDITIONS[edition]:
        told = answered(f"/api/rules?edition={edition}&players={players}")

        assert told["sections"]
        assert all(re.fullmatch(r"policy\.[a-z_]+\.[a-z_]+", key) for key in told["policies"])


@pytest.mark.parametrize("path", ["/api/clauses?language=de", "/api/rules?edition=full"])
def test_rules_are_not_sent_twice(path: str) -> None:
    """Whoever has them is told that nothing has changed; who has others gets these."""

    async def scenario(place: Place) -> None:
        first = await place.stranger.ask("GET", path)
        tag = first.header("etag")
        again = await place.stranger.ask("GET", path, headers={"if-none-match": f'"old", W/{tag}'})
        other = await place.stranger.ask("GET", path, headers={"if-none-match": '"old"'})

        assert first.header("cache-control") == "no-cache"
        assert (again.status, again.body, again.header("etag")) == (304, b"", tag)
        assert (other.status, other.body) == (200, first.body)

    visit(scenario)


def test_clause_of_the_document_is_as_it_is_served() -> None:
    """docs/protocol.md shows one that there is."""
    shown = re.search(
        r"^```json ClauseInfo\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert shown is not None
    example = msgspec.json.decode(shown[1])

    assert example in answered("/api/clauses")["clauses"]
