"""The help of `?`: how a command is written, what it does, and the clauses behind it."""

from __future__ import annotations

from textwrap import wrap

from bohn.narration.words import Words
from bohn.rulebook import Clause, clauses

FORMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "plant": ("plant FIELD", ("PLANT-1", "PLANT-2", "PLANT-4")),
    "reveal": ("reveal", ("TURN-3", "REVEAL-1")),
    "offer": (
        "offer [BEANS | hand:N face:N ...] [for BEANS] [to NAME,...] [open]",
        ("TRADE-1", "GIFT-2", "OFFER-2"),
    ),
    "edit": ("edit OFFER [BEANS ...] [for BEANS] [to NAME,...] [open]", ("OFFER-6",)),
    "withdraw": ("withdraw OFFER", ("OFFER-7",)),
    "accept": ("accept [OFFER] [with hand:N face:N ...]", ("OFFER-3", "OFFER-12", "TRADE-6")),
    "claim": ("claim [OFFER] [with hand:N ...]", ("OFFER-4",)),
    "pick": ("pick OFFER NAME", ("OFFER-5",)),
    "decline": ("decline [OFFER]", ("OFFER-8",)),
    "end": ("end", ("TRADE-11", "OFFER-13")),
    "pass": ("pass", ("TRADE-12", "DD-17")),
    "plant-set-aside": ("plant-set-aside PLACE FIELD", ("SETASIDE-1",)),
    "harvest": ("harvest FIELD", ("HARVEST-1", "HARVEST-3", "HARVEST-4")),
    "buy": ("buy [with BEANS]", ("BUY-1", "BUY-3")),
    "plant-leftover": ("plant-leftover PLACE FIELD", ("DUEL-5",)),
    "discard-leftover": ("discard-leftover PLACE", ("DUEL-5", "DUEL-9")),
    "discard": ("discard hand:N", ("DUEL-7",)),
    "keep": ("keep", ("DUEL-7",)),
    "plant-face-up": ("plant-face-up PLACE FIELD", ("DUEL-10", "DD-12")),
    "leave": ("leave", ("DUEL-10",)),
    "name": ("name BEAN [hand:N]", ("DD-6", "DD-8")),
    "take": ("take", ("DD-7", "DD-10")),
    "plant-gift": ("plant-gift FIELD", ("DD-9",)),
    "claim-bonus": ("claim-bonus CARD", ("DD-14", "DD-15")),
    "discard-bonus": ("discard-bonus CARD", ("DD-17",)),
    "refill": ("refill", ("DD-17",)),
    "wish": ("wish want|spare|keep|none BEAN", ("TALK-1",)),
    "promise": ("promise NAME [give BEANS] [for BEANS] [this-turn|next-turn|some-time]", ("TALK-2",)),
    "unpromise": ("unpromise NUMBER", ("TALK-2",)),
}
"""Every command word: its form, and the clauses one reads about it."""

WIDTH = 78

EXTRAS = ("?", "why", "hint", "view", "log", "more", "save", "ask", "quit")
"""What may be typed besides commands; each has its text ``extra.<word>``."""


def overview(words: Words) -> list[str]:
    """Return the list of everything that may be typed."""
    verbs = wrap("  ".join(FORMS), WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    lines = [words.say("help.commands"), *verbs, "", words.say("help.extras")]
    lines += [f"  {word:<6} {words.say(f'extra.{word}')}" for word in EXTRAS]
    return [*lines, "", words.say("help.example")]


def about(words: Words, topic: str) -> list[str]:
    """Return what there is to say about a command or a clause."""
    if topic in FORMS:
        form, ids = FORMS[topic]
        known = clauses(words.catalog.lang)
        lines = [words.say("help.form", form=form), words.say(f"help.{topic}")]
        return lines + [
            f"  {known[name].id}: {known[name].text}" for name in ids if _applies(words, known.get(name))
        ]
    clause = clauses(words.catalog.lang).get(topic.upper())
    if clause is not None:
        return [f"{clause.id} {clause.title}", f"  {clause.text}"]
    return [words.say("help.unknown", topic=topic[:40], known=", ".join(FORMS))]


def _applies(words: Words, clause: Clause | None) -> bool:
    """Tell whether a clause belongs to the edition that is played."""
    return clause is not None and clause.belongs_to(words.rules.edition)
