"""The rules to be read: clauses in every language, and which of them hold in a game."""

from bohn.rulebook.clauses import Clause, clauses, near, sections
from bohn.rulebook.documents import RuleDocument, documents, followed
from bohn.rulebook.holding import POLICIES, choices, holding, policies

__all__ = [
    "POLICIES",
    "Clause",
    "RuleDocument",
    "choices",
    "clauses",
    "documents",
    "followed",
    "holding",
    "near",
    "policies",
    "sections",
]
