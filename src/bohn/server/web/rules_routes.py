"""Endpoints for reading the rules: all clauses in a language, and the rules of one kind of game."""

from __future__ import annotations

from functools import cache

from bohn.i18n import FALLBACK, clause_language
from bohn.protocol import api
from bohn.protocol.room import Options
from bohn.rulebook import clauses, clauses_in_force, documents_of, house_rule_choices, policies, sections
from bohn.rules.beans import Bean
from bohn.rules.editions import EDITIONS
from bohn.rules.ruleset import Rules
from bohn.server.people.names import clean_language
from bohn.server.room.options import check_options
from bohn.server.web.api_request import ApiRequest, query_text, query_texts
from bohn.server.web.cacheable import CacheableBody
from bohn.server.web.responses import ENCODER, Response


async def list_clauses(request: ApiRequest) -> Response:
    """Return all clauses in a language."""
    asked = query_text(request.scope, "language")
    language = FALLBACK if asked is None else clean_language(asked)
    return _clauses(clause_language(language)).response(request.scope)


async def show_rules(request: ApiRequest) -> Response:
    """Return the rules of a game: its edition, number of players and house rules."""
    asked, players = query_text(request.scope, "edition"), request.number("players")
    edition = Options().edition if asked is None else asked
    options = Options(
        edition=edition,
        players=_usual(edition) if players is None else players,
        house_rules=query_texts(request.scope, "house"),
    )
    return CacheableBody(ENCODER.encode(sheet(check_options(options)))).response(request.scope)


def _usual(edition: str) -> int:
    """Return the number of players the edition has that is nearest to the default."""
    usual = Options().players
    return min(EDITIONS.get(edition, (usual,)), key=lambda players: abs(players - usual))


def sheet(rules: Rules) -> api.RuleSheet:
    """Return clauses, policies, choices and sources of these rules."""
    return api.RuleSheet(
        rules=rules,
        sections=tuple(
            api.Section(section, tuple(clause.id for clause in members))
            for section, members in sections(clauses_in_force(rules)).items()
        ),
        policies=tuple("policy." + text.replace("=", ".") for text in policies(rules)),
        choices=house_rule_choices(rules),
        sources=documents_of(rules.edition),
        left_out=_left_out(rules),
    )


def _left_out(rules: Rules) -> tuple[Bean, ...]:
    """Return the kinds of the edition that are not played with here (SETUP-1)."""
    decks = [known.deck for known in EDITIONS[rules.edition].values()]
    return tuple([bean for bean in Bean if not rules.deck[bean] and any(deck[bean] for deck in decks)])


@cache
def _clauses(language: str) -> CacheableBody:
    """Return all clauses in a language for which there is a translation, as JSON."""
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
    return CacheableBody(ENCODER.encode(api.ClauseList(language, found)))
