"""The screens of the page at prepared moments, for whoever looks at them: a picture, a rule, a measure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, expect

from tests.web.support.moments import Moment, bean_duel, das_duell, last_card, seven_players
from tests.web.support.people import USUAL, Person, fetched
from tests.web.support.serving import QUICK

HOUR = 3_600_000
FROZEN: dict[str, Any] = {
    "times": {
        **dict.fromkeys(("bot_move", "bot_delay", "bot_chatter", "bot_beside_people"), (HOUR, HOUR)),
        "bot_quiet": HOUR,
    },
    "limits": {**QUICK["limits"], "tables_a_user": 100},
}
"""Computer players who do nothing, so that a moment stays as it is."""

LINES = ("Who has a red bean for me?", "Not before you give me a blue one.", "Deal. Next turn?")


class Prepared:
    """Tables at which the moments stand still, and the cookie of the one who sits there."""

    def __init__(self, browser: Browser, url: str) -> None:
        """Open all of them."""
        self.browser = browser
        self.url = url
        self.ada = Person(browser, url, "Ada")
        self.ada.come_in()
        self.seven = self._opened(seven_players())
        self.das_duell = self._opened(das_duell())
        self.bean_duel = self._opened(bean_duel())
        self.over = self._opened(last_card())
        self.waiting = self._set(self.ada, players=5, bots=1)
        self.record = self._kept(seven_players())
        self._others()
        for text in LINES:
            self.ada.ask("POST", f"/api/tables/{self.seven}/chat", {"text": text})
        self.state = self.ada.context.storage_state()

    def person(self, **context: Any) -> Person:
        """Return Ada before another screen: a context of its own with her cookie."""
        settings = {**context.pop("settings", {})}
        cookies = {"cookies": self.state["cookies"], "origins": []}
        return Person(self.browser, self.url, "Ada", settings=settings, storage_state=cookies, **context)

    def close(self) -> None:
        """Leave."""
        self.ada.close()

    def _kept(self, moment: Moment) -> str:
        """Upload a record and return its id."""
        headers = {"Cookie": self.ada.cookie(), "Content-Type": "application/x-ndjson"}
        answer = fetched("POST", f"{self.url}/api/records", body=moment.record, headers=headers)
        assert answer.status == 200, answer.data
        return str(answer.json()["record"])

    def _opened(self, moment: Moment) -> str:
        """Open the table on which a moment goes on."""
        origin = {"entry": moment.entries - 1, "seat": 0, "record": self._kept(moment)}
        self.ada.table = self.ada.ask("POST", "/api/tables", {"origin": origin})["table"]
        for command in moment.then:
            self.ada.do(**command)
        return self.ada.table

    def _set(
        self, person: Person, *, players: int, bots: int, edition: str = "full", listed: bool = False
    ) -> str:
        """Set a table that waits for people."""
        options = {**USUAL, "edition": edition, "players": players, "listed": listed}
        body = {"options": options, "bots": ["pk"] * bots}
        return str(person.ask("POST", "/api/tables", body)["table"])

    def _others(self) -> None:
        """Let others wait in the lobby."""
        for name, players, bots, edition in (("Chiyo", 5, 1, "full"), ("Dagur", 2, 0, "das-duell")):
            other = Person(self.browser, self.url, name)
            other.come_in()
            self._set(other, players=players, bots=bots, edition=edition, listed=True)
            other.close()


# -- going there ------------------------------------------------------------------------------------------


def lobby(ada: Person, _: Prepared) -> None:
    """The first page, with open tables, a running game and an old one."""
    ada.page.goto(ada.url)
    expect(ada.page.locator("#tables ~ ul a").first).to_be_visible()


def new_table(ada: Person, prepared: Prepared) -> None:
    """The form of a new table, with its house rules."""
    lobby(ada, prepared)
    ada.page.locator(".actions .button[aria-expanded]").click()
    ada.page.locator("form details summary").click()
    expect(ada.page.locator("form .house select").first).to_be_visible()


def waiting(ada: Person, prepared: Prepared) -> None:
    """A table that waits for people, with its invitation."""
    ada.page.goto(f"{ada.url}/t/{prepared.waiting}")
    expect(ada.page.locator("#invite")).to_be_visible()


def seven(ada: Person, prepared: Prepared) -> None:
    """Seven players, eight offers, twelve cards in hand."""
    ada.page.goto(f"{ada.url}/t/{prepared.seven}")
    expect(ada.page.locator("[data-offer]")).to_have_count(8)
    expect(ada.page.locator("[data-card]")).to_have_count(12)


def tray(ada: Person, prepared: Prepared) -> None:
    """The same while an offer is put together."""
    seven(ada, prepared)
    ada.page.locator("[data-key='o']").first.click()
    ada.page.locator("[data-face-up='0']").click()
    ada.raise_card(1)
    ada.page.locator("[data-want]").first.click()
    ada.page.mouse.move(2, 2)  # else what is below the mouse explains itself
    expect(ada.page.locator("[data-tray] .meaning > *").first).to_be_visible()


def chat(ada: Person, prepared: Prepared) -> None:
    """The same with what was said."""
    seven(ada, prepared)
    ada.page.locator("[data-key='m']").first.click()
    expect(ada.page.get_by_role("dialog").get_by_text(LINES[0])).to_be_visible()


def das_duell_haggling(ada: Person, prepared: Prepared) -> None:
    """Das Duell while gifts are named."""
    ada.page.goto(f"{ada.url}/t/{prepared.das_duell}")
    expect(ada.page.locator("[data-take]").first).to_be_visible()


def bean_duel_choosing(ada: Person, prepared: Prepared) -> None:
    """The bean duel while what lies face up is planted."""
    ada.page.goto(f"{ada.url}/t/{prepared.bean_duel}")
    expect(ada.page.locator("[data-face-up]").first).to_be_visible()


def game_over(ada: Person, prepared: Prepared) -> None:
    """The end of a game."""
    ada.page.goto(f"{ada.url}/t/{prepared.over}")
    expect(ada.page.locator("[data-over] table tbody tr td.best").first).to_be_visible()


def replay(ada: Person, prepared: Prepared) -> None:
    """An old game in its middle."""
    ada.page.goto(f"{ada.url}/replay/record/{prepared.record}?at=500&seat=0")
    expect(ada.page.locator("input[type='range']")).to_be_visible()


def rules(ada: Person, _: Prepared) -> None:
    """The rules of an edition."""
    ada.page.goto(f"{ada.url}/rules/full")
    expect(ada.page.locator(".facts")).to_be_visible()


def linear(ada: Person, prepared: Prepared) -> None:
    """The table as text."""
    ada.page.goto(f"{ada.url}/t/{prepared.seven}")
    ada.page.locator(".as-text").press("Enter")
    expect(ada.page.locator("main.linear .actions button").first).to_be_visible()


Screen = Callable[[Person, Prepared], None]

SCREENS: dict[str, Screen] = {
    "lobby": lobby,
    "new-table": new_table,
    "waiting": waiting,
    "tray": tray,
    "chat": chat,
    "game-over": game_over,
    "replay": replay,
    "rules": rules,
    "linear": linear,
}
"""What everybody must be able to use."""

MOMENTS: dict[str, Screen] = {
    "lobby": lobby,
    "seven": seven,
    "tray": tray,
    "das-duell": das_duell_haggling,
    "bean-duel": bean_duel_choosing,
    "game-over": game_over,
}
"""The fullest moments, for the pictures."""
