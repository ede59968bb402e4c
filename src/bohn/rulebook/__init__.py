"""The rules as text for readers: clauses in every language, and which of them are in force in a game."""

from bohn.rulebook.clauses import Clause, clauses, sections, similar_ids
from bohn.rulebook.documents import RuleDocument, documents, documents_of
from bohn.rulebook.in_force import POLICIES, clauses_in_force, house_rule_choices, policies

__all__ = [
    "POLICIES",
    "Clause",
    "RuleDocument",
    "clauses",
    "clauses_in_force",
    "documents",
    "documents_of",
    "house_rule_choices",
    "policies",
    "sections",
    "similar_ids",
]
