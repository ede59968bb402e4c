"""Grammatical forms: a text names the form it needs, and a catalog that has the form says it."""

from __future__ import annotations

import pytest

from bohn.i18n import Catalog, catalog
from bohn.narration import Words, narrate
from bohn.rules import resolve
from bohn.rules.beans import Bean
from bohn.rules.events import BluffCaught, Drew, Planted
from bohn.views import OfferView
from bohn.views.visible import OfferShown

MADE_UP = {
    "de": {
        "bean.red": "rote Bohne",
        "bean.red_acc": "rote Bohne (Akk.)",
        "bean.black_eyed": "Augenbohne",
        "beans.red": "{count} rote",
        "beans.red_dat": "{count} roten",
        "words.and": "{first} und {last}",
        "words.you": "du",
        "words.you_dat": "dir",
        "words.everybody": "jeder",
        "words.everybody_dat": "jedem",
        "words.comma": ", ",
        "event.planted": "{player} {player_is}: {bean_acc}, {bean_dat}",
        "event.drew": "mit {beans_dat}",
        "event.bluff-caught": "von {giver_dat}",
        "event.offer-shown": "{to_dat} ({to_is, select, you {dich} all {jeder} one {einen} other {mehrere}})",
    },
    "en": {"bean.red": "red", "bean.red_gen": "of red", "words.nothing": "nothing"},
}


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the files by small catalogs."""
    monkeypatch.setattr(catalog, "available", lambda: tuple(sorted(MADE_UP)))
    monkeypatch.setattr(catalog, "_patterns", MADE_UP.__getitem__)


def words(viewer: int | None = None, players: int = 4) -> Words:
    """Return German words for a table."""
    return Words(Catalog.load("de"), resolve("full", players), "ABCD"[:players], viewer)


def offer_to(*seats: int) -> OfferShown:
    """Return an offer of seat 0."""
    return OfferShown(OfferView(1, 1, 0, seats, hand=(Bean.RED,), face_up=(), want=(), open=False))


def test_a_bean_is_said_in_the_form_that_the_text_names() -> None:
    """The form stands behind the name; without it the bean is said as it is."""
    assert narrate(words(), Planted(0, 0, Bean.RED)) == "A one: rote Bohne (Akk.), rote Bohne"


def test_a_bean_whose_name_has_an_underscore_needs_no_form() -> None:
    """A language may have the form of one bean and not of another."""
    assert narrate(words(1), Planted(1, 0, Bean.BLACK_EYED)) == "B you: Augenbohne, Augenbohne"


def test_counted_beans_are_said_in_the_form() -> None:
    """So are numbers of beans."""
    assert narrate(words(), Drew(0, (Bean.RED, Bean.RED))) == "mit 2 roten"


@pytest.mark.parametrize(("viewer", "said"), [(1, "von dir"), (2, "von B")])
def test_you_are_said_in_the_form(viewer: int, said: str) -> None:
    """Names have no forms, but "you" has."""
    assert narrate(words(viewer), BluffCaught(0, 1, Bean.RED)) == said


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (offer_to(1), "dir (dich)"),
        (offer_to(2), "C (einen)"),
        (offer_to(1, 2), "dir und C (mehrere)"),
        (offer_to(1, 2, 3), "jedem (jeder)"),
    ],
)
def test_a_group_says_who_it_is(event: OfferShown, said: str) -> None:
    """One's own seat alone, all others, one or some of them: by this a text chooses its words."""
    assert narrate(words(1), event) == said


def test_a_form_of_another_language_is_not_borrowed() -> None:
    """English stands in for a text, not for a form of it."""
    assert Catalog.load("de").form("bean.red", "gen") == "bean.red"
    assert Catalog.load("de").form("words.nothing", "gen") == "words.nothing"
    assert Catalog.load("en").form("bean.red", "gen") == "bean.red_gen"
