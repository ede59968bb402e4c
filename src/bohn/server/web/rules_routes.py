"""The rules to be read in the page: clauses in the reader's language, and what holds in a game."""

from __future__ import annotations

from functools import cache

from bohn.i18n import FALLBACK, clause_language
from bohn.rulebook import choices, clauses, followed, holding, policies, sections
from bohn.rules.editions import EDITIONS
from bohn.rules.ruleset import Rules
from bohn.server.names import clean_language
from bohn.server.room.options import check_options
from bohn.server.room.state import Options
from bohn.server.web.answers import ENCODER, Answer
from bohn.server.web.calls import Call, query_text, query_texts
from bohn.server.web.keeping import Kept
from bohn.server.wire import api


async def list_clauses(call: Call) -> Answer:
    """Return all clauses in a language."""
    asked = query_text(call.scope, "language")
    language = FALLBACK if asked is None else clean_language(asked)
    return _clauses(clause_language(language)).answer(call.scope)


async def show_rules(call: Call) -> Answer:
    """Return what holds in a game of an edition, with so many players and these house rules."""
    asked, players = query_text(call.scope, "edition"), call.number("players")
    edition = Options().edition if asked is None else asked
    options = Options(
        edition=edition,
        players=_usual(edition) if players is None else players,
        house_rules=query_texts(call.scope, "house"),
    )
    return Kept(ENCODER.encode(sheet(check_options(options)))).answer(call.scope)


def _usual(edition: str) -> int:
    """Return the number of players nearest to that of a table of which nothing is said."""
    usual = Options().players
    return min(EDITIONS.get(edition, (usual,)), key=lambda players: abs(players - usual))


def sheet(rules: Rules) -> api.RuleSheet:
    """Return everything that holds under these rules."""
    return api.RuleSheet(
        rules=rules,
        sections=tuple(
            api.Section(section, tuple(clause.id for clause in members))
            for section, members in sections(holding(rules)).items()
        ),
        policies=tuple("policy." + text.replace("=", ".") for text in policies(rules)),
        choices=choices(rules),
        sources=followed(rules.edition),
    )


@cache
def _clauses(language: str) -> Kept:
    """Return all clauses in a language that is there, encoded."""
    found = tuple(
        api.ClauseInfo(
            id=clause.id,
            section=clause.section,
            title=clause.title,
            text=clause.text,
            language=clause.language,
            cites=clause.places,
            secondary=clause.publications,
            rulings=clause.rulings,
            editions=clause.editions,
        )
        for clause in clauses(language).values()
    )
    return Kept(ENCODER.encode(api.ClauseList(language, found)))
