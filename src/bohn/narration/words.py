"""The words in sentences: names of seats and beans, lists and amounts, all from the catalog.

A ``form`` asks for a text in a grammatical form, ``bean.soy_acc`` instead of ``bean.soy``; a language that
lacks the form uses the text as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from bohn.i18n import Catalog, Inflected, Param
from bohn.rules.beans import BEANS, Bean
from bohn.rules.ruleset import Rules

ARE = "is"
"""The form of people that says who they are, not what they are called: ``{to_is, select, you {...} ...}``."""


class Words:
    """Turns the game's data into words of one language, as one viewer would put it.

    ``names`` are those of the seats; ``viewer`` is called "you", nobody if it is ``None``. ``people`` are
    names by user, of whom ``user`` reads. ``first_field`` is the number of the first field: 0 in the
    terminal, where fields are typed, shown and recorded by the numbers of the notation; 1 on the page.
    """

    __slots__ = ("catalog", "first_field", "names", "people", "rules", "user", "viewer")

    def __init__(
        self,
        catalog: Catalog,
        rules: Rules,
        names: Sequence[str],
        viewer: int | None = None,
        *,
        people: Mapping[str, str] | None = None,
        user: str | None = None,
        first_field: int = 0,
    ) -> None:
        self.catalog = catalog
        self.rules = rules
        self.names = tuple(names)
        self.viewer = viewer
        self.people = people or {}
        self.user = user
        self.first_field = first_field

    def seen_by(self, viewer: int | None) -> Words:
        """Return the same words for another viewer."""
        words = copy(self)
        words.viewer = viewer
        return words

    def say(self, key: str, /, **params: Param | Inflected) -> str:
        """Return the text of a key."""
        return self.catalog.text(key, **params)

    def _in_form(self, key: str, form: str, /, **params: Param) -> str:
        return self.say(self.catalog.form(key, form), **params)

    def is_you(self, player: int) -> str:
        """Return ``yes`` or ``no``, by which a sentence chooses its verb."""
        return "yes" if player == self.viewer else "no"

    def name(self, player: int) -> str:
        """Return the name of a seat."""
        return self.names[player] if 0 <= player < len(self.names) else str(player)

    def seat(self, player: int, form: str = "") -> str:
        """Return the name of a seat, or "you"."""
        if form == ARE:
            return self.are((player,))
        return self._in_form("words.you", form) if player == self.viewer else self.name(player)

    def seats(self, players: Sequence[int], form: str = "") -> str:
        """Return the names of seats as a list."""
        if form == ARE:
            return self.are(players)
        return self.listed([self.seat(player, form) for player in players])

    def group(self, players: Sequence[int], form: str = "") -> str:
        """Return the names of seats, or "everybody" for all but one of them."""
        everybody = form != ARE and self.are(players) == "all"
        return self._in_form("words.everybody", form) if everybody else self.seats(players, form)

    def are(self, players: Sequence[int]) -> str:
        """Return ``you``, ``one``, ``all`` (but one) or ``many``, by which a sentence chooses its words."""
        if len(players) == 1:
            return "you" if players[0] == self.viewer else "one"
        return "all" if len(players) == len(self.names) - 1 else "many"

    def is_user(self, user: str) -> str:
        """Return ``yes`` or ``no``: whether the user is the one who reads."""
        return "yes" if user == self.user else "no"

    def user_name(self, user: str) -> str:
        """Return what a user is called."""
        return self.people.get(user) or self.say("app.nobody")

    def field(self, field: int) -> int:
        """Return the number of a field."""
        return field + self.first_field

    def bean(self, bean: Bean, form: str = "") -> str:
        """Return the name of a kind."""
        return self._in_form(f"bean.{bean.name.lower()}", form)

    def label(self, bean: Bean) -> str:
        """Return the name of a kind where there is little room."""
        return self.say(f"table.short.{bean.name.lower()}")

    def some(self, bean: Bean, count: int, form: str = "") -> str:
        """Return a number of beans: "2 soy beans"."""
        return self._in_form(f"beans.{bean.name.lower()}", form, count=count)

    def beans(self, beans: Iterable[Bean], form: str = "") -> str:
        """Return beans counted by kind: "2 soy beans and 1 red bean"."""
        found = list(beans)
        parts = [self.some(bean, found.count(bean), form) for bean in BEANS if bean in found]
        return self.listed(parts) if parts else self._in_form("words.nothing", form)

    def short(self, beans: Iterable[Bean]) -> str:
        """Return beans in little space: "soy ×2, red"."""
        found = list(beans)
        parts = [
            self.label(bean)
            + (
                f"\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}{found.count(bean)}"
                if found.count(bean) > 1
                else ""
            )
            for bean in BEANS
            if bean in found
        ]
        return self.say("words.comma").join(parts) or self.say("words.nothing")

    def coins(self, count: int) -> str:
        """Return a number of coins."""
        return self.say("words.coins", count=count)

    def bonus(self, card: int, form: str = "") -> str:
        """Return a bonus card with its pattern and worth."""
        printed = self.rules.bonus_cards[card]
        pattern = "-".join(map(str, printed.runs))
        return self._in_form("words.bonus", form, pattern=pattern, pennies=printed.pennies)

    def listed(self, parts: Sequence[str], link: str = "and") -> str:
        """Return "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self.say(f"words.{link}", first=self.say("words.comma").join(parts[:-1]), last=parts[-1])
