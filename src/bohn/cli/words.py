"""Words: names of seats and beans, lists and amounts, all through the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bohn.i18n import Catalog, Param
from bohn.rules.beans import BEANS, Bean
from bohn.rules.ruleset import Rules


class Words:
    """Turns the game's data into words of one language, as one viewer would put it.

    ``names`` are those of the seats; ``viewer`` is called "you", nobody if it is ``None``.
    """

    __slots__ = ("catalog", "names", "rules", "viewer")

    def __init__(
        self, catalog: Catalog, rules: Rules, names: Sequence[str], viewer: int | None = None
    ) -> None:
        self.catalog = catalog
        self.rules = rules
        self.names = tuple(names)
        self.viewer = viewer

    def seen_by(self, viewer: int | None) -> Words:
        """Return the same words for another viewer."""
        return Words(self.catalog, self.rules, self.names, viewer)

    def say(self, key: str, /, **params: Param) -> str:
        """Return the text of a key."""
        return self.catalog.text(key, **params)

    def is_you(self, player: int) -> str:
        """Return ``yes`` or ``no``, by which a sentence chooses its verb."""
        return "yes" if player == self.viewer else "no"

    def name(self, player: int) -> str:
        """Return the name of a seat."""
        return self.names[player] if 0 <= player < len(self.names) else str(player)

    def seat(self, player: int) -> str:
        """Return the name of a seat, or "you"."""
        return self.say("words.you") if player == self.viewer else self.name(player)

    def seats(self, players: Iterable[int]) -> str:
        """Return the names of seats as a list."""
        return self.listed([self.seat(player) for player in players])

    def group(self, players: Sequence[int]) -> str:
        """Return the names of seats, or "everybody" for all but one of them."""
        many = len(players) == len(self.names) - 1 and len(players) > 1
        return self.say("words.everybody") if many else self.seats(players)

    def bean(self, bean: Bean) -> str:
        """Return the short name of a kind."""
        return self.say(f"bean.{bean.name.lower()}")

    def some(self, bean: Bean, count: int) -> str:
        """Return a number of beans: "2 soy beans"."""
        return self.say(f"beans.{bean.name.lower()}", count=count)

    def beans(self, beans: Iterable[Bean]) -> str:
        """Return beans counted by kind: "2 soy beans and 1 red bean"."""
        found = list(beans)
        parts = [self.some(bean, found.count(bean)) for bean in BEANS if bean in found]
        return self.listed(parts) if parts else self.say("words.nothing")

    def short(self, beans: Iterable[Bean]) -> str:
        """Return beans in little space: "soy ×2, red"."""
        found = list(beans)
        parts = [
            self.bean(bean)
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

    def bonus(self, card: int) -> str:
        """Return a bonus card with its pattern and worth."""
        printed = self.rules.bonus_cards[card]
        pattern = "-".join(map(str, printed.runs))
        return self.say("words.bonus", number=card, pattern=pattern, pennies=printed.pennies)

    def listed(self, parts: Sequence[str], link: str = "and") -> str:
        """Return "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self.say(f"words.{link}", first=self.say("words.comma").join(parts[:-1]), last=parts[-1])
