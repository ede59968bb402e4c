"""Das Duell in words: what lies on the board has a name, not a drawing, a code or a colour alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Locator, expect

from bohn.rules.events import BonusClaimed, TurnBegan
from tests.effort import WHOLE
from tests.web.support.duels import duels, many, named, pair
from tests.web.support.looking import BROKEN
from tests.web.support.markets import moved, places
from tests.web.support.states import fullest, whole_game
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e if WHOLE else [pytest.mark.browser, pytest.mark.xdist_group("browser")]

Opened = Callable[..., Unserved]

COMPLETE = "plant mine waits claim-bonus plant"
"""A state in which a bonus card in the own hand is complete."""

TURN = "bonus theirs waits claim-bonus discard-bonus pass"
"""One in which it is asked for."""

PILE = {"en": "Bonus pile", "de": "Bohnusstapel", "ru": "Бонусная колода"}
PENNIES = {"en": r"\d+ penn(y|ies)", "de": r"\d+ Pfennig", "ru": r"\d+ пенни"}
SHORT = {"en": r"\d+\sp", "de": r"\d+\sPf\.", "ru": r"\d+\sп\."}
"""What the bonus pile and pennies are called, in full and where there is little room."""

COIN = {"en": "1 coin", "de": "1 Taler", "ru": "1 монета"}
"""What a claimed bonus card brings beside them."""

WITHIN = """(thing, around) => {
  const [inner, outer] = [thing, thing.closest(around)].map(one => one.getBoundingClientRect());
  return ["left", "top", "right", "bottom"].filter(side => {
    const by = inner[side] - outer[side];
    return (side === "left" || side === "top" ? -by : by) > 0;
  });
}"""
"""The sides on which a thing lies beyond what is around it."""

NAMED = """cards => cards.map(card => {
  const own = card.querySelector(".card").getBoundingClientRect();
  const covered = cards.slice(cards.indexOf(card) + 1).some(later => {
    const { left, top } = later.getBoundingClientRect();
    return left < own.right - 1 && top < own.bottom - 1 && later.getBoundingClientRect().right > own.left + 1;
  });
  const named = card.querySelector(".name") !== null;
  return { covered, named, upright: card.querySelector(".spine") !== null };
})"""
"""Of each card of the hand: whether the next one lies over it, and whether its name is below or upright."""


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Return how to open a page in a window and a language; it is closed afterwards."""
    pages: list[Unserved] = []

    def opening(size: str, language: str = "en", **settings: Any) -> Unserved:
        pages.append(Unserved(browser, settings={"language": language, **settings}, **SIZES[size]))
        return pages[-1]

    yield opening
    for page in pages:
        page.close()


def in_sight(thing: Locator) -> bool:
    """Tell whether a text is drawn whole, and inside the window."""
    return bool(
        thing.evaluate(
            """text => {
              const { left, right, width, height } = text.getBoundingClientRect();
              const whole = text.scrollWidth <= Math.ceil(width) + 1;
              return width > 12 && height > 12 && left >= 0 && right <= innerWidth && whole;
            }"""
        )
    )


@pytest.mark.parametrize("language", PILE)
@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_bonus_pile_bears_its_name(opened: Opened, size: str, language: str) -> None:
    """The name stands beside the pile in every phase in which it lies there."""
    table = opened(size, language)
    for still in {still.name.split()[1]: still for still in duels(mine=True)}.values():
        if " trade " in still.name:
            continue
        table.show(still)
        name = table.page.locator("[data-bonus-pile] .label").first
        expect(name).to_have_text(PILE[language])
        assert in_sight(name), still.name


@pytest.mark.parametrize("language", PENNIES)
@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_pennies_bear_their_name(opened: Opened, size: str, language: str) -> None:
    """On cards, on what was claimed and in the total stands the word, and a unit where it has no room."""
    table = opened(size, language)
    table.show(many(COMPLETE))
    word, unit = (re.compile(rf"^\s*{text[language]}\s*$") for text in (PENNIES, SHORT))
    cards = table.page.locator(".own [data-bonus] [data-pennies]")

    for at in range(cards.count()):
        expect(cards.nth(at)).to_have_text(word if size == "phone" else unit)
        assert in_sight(cards.nth(at))
    expect(table.page.locator(".own .claimed [data-pennies]")).to_have_text(unit if size == "small" else word)
    expect(table.page.locator(".context [data-total]")).to_have_text(re.compile(PENNIES[language]))


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_bonus_card_is_read_as_one_sentence(opened: Opened, size: str) -> None:
    """What fulfils it and what it brings is its name for a screen reader, and what a tip tells."""
    table = opened(size)
    table.show(many(TURN))
    says = re.compile(
        r"^Bonus card [\d-]+, \d+\s(?:p|pennies): it brings a coin and its pennies once a whole field, .*: "
        r"\d+ beans? of one kind"
    )
    first = table.page.locator(".own [data-bonus]").nth(1)
    first.click(force=True)

    expect(table.page.get_by_role("button", name=says)).to_have_count(4)  # the complete one in the middle too
    expect(table.page.get_by_role("img", name=says)).to_have_count(2)
    expect(table.page.locator(".note p").first).to_have_text(re.compile(rf"{says.pattern}[^.]*\.$"))


@pytest.mark.parametrize("size", ["phone", "small"])
def test_first_bonus_card_that_is_complete_is_explained_once(opened: Opened, size: str) -> None:
    """A tip says what it is until it is closed; the next complete one has none, nor where tips are off."""
    table = opened(size, hints=True)
    tip = table.page.locator("[data-told='hint-bonus']")
    table.show(named("plant mine waits plant"))
    expect(tip).to_have_count(0)
    table.show(many(TURN))
    expect(tip).to_contain_text("Tip: this bonus card is complete")
    tip.get_by_role("button").click()
    expect(tip).to_have_count(0)
    for state in (COMPLETE, TURN):
        table.show(many(state))
        table.drawn()
        expect(tip).to_have_count(0)

    silent = opened(size, hints=False)
    silent.show(many(TURN))
    expect(silent.page.locator("[data-claim-bonus]")).to_have_count(1)
    expect(silent.page.locator("[data-told='hint-bonus']")).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "small"])
def test_hand_card_bears_its_name(opened: Opened, size: str) -> None:
    """It stands below each card over which no other lies, and upright at the edge of those that one hides."""
    table = opened(size)
    seen = set()
    for still in (fullest(), *duels(mine=True)[::4]):
        table.show(still)
        for card in table.page.locator("[data-card]").evaluate_all(NAMED):
            seen.add(card["covered"])
            assert card["named"] is not card["upright"], still.name
            assert card["named"] or card["covered"], still.name

    assert seen == {True, False}


@pytest.mark.parametrize("size", ["small", "wide"])
def test_fields_of_two_bear_names_of_their_kinds(opened: Opened, size: str) -> None:
    """The other player's fields say what grows there, and one's own what may follow, without a code."""
    table = opened(size)
    table.show(many(COMPLETE))
    kinds = table.page.locator("[data-seat] .field [data-kinds]")
    follows = table.page.locator("[data-takes] b")

    assert kinds.count() == table.page.locator("[data-seat] .field[data-kind]").count() > 0
    assert all(
        re.fullmatch(r"[a-z-]{3,}(\s\d+)?(, [a-z-]{3,}(\s\d+)?)*", text.strip())
        for text in kinds.all_inner_texts()
    )
    assert all(re.fullmatch(r"[a-z-]{3,}", text) for text in follows.all_inner_texts())
    assert follows.count() > 0


@pytest.mark.parametrize("size", ["phone", "wide"])
def test_no_two_buttons_of_the_turn_are_called_alike(opened: Opened, size: str) -> None:
    """Neither a step and the button that does it, nor two ways to claim a card; equal beans may be."""
    table = opened(size)
    found: dict[str, str] = {}
    for still in (*duels(), many("bonus theirs waits claim-bonus discard-bonus pass")):
        table.show(still)
        called = re.findall(r'- button "([^"]+)"', table.page.locator("body").aria_snapshot())
        alike = [name for name, count in Counter(called).items() if count > 1 and not name.endswith(" bean")]
        found |= dict.fromkeys(alike, still.name)

    assert found == {}


@pytest.mark.parametrize("window", ["phone", "small", "wide"])
@pytest.mark.parametrize("language", ["de", "ru"])
def test_first_duel_is_introduced_until_that_is_put_away(opened: Opened, window: str, language: str) -> None:
    """Goal, fields and bonus cards are told whole on the wood before cards are turned over, once."""
    table = opened(window, language, hints=True)
    still = next(one for one in duels(mine=True) if one.name.endswith("plant mine waits plant"))
    table.show(still)
    intro = table.page.locator("[data-told='hint-duel']")
    box, wood = intro.bounding_box(), table.page.locator(".duel section").bounding_box()
    assert box is not None
    assert wood is not None
    assert box["y"] + box["height"] <= wood["y"] + wood["height"] + 1
    assert table.page.evaluate(
        "() => document.querySelector('div.duel').clientHeight"
    ) >= table.page.evaluate("() => document.querySelector('div.duel').scrollHeight - 1")
    intro.locator("button").click()
    expect(intro).to_have_count(0)
    table.show(still)
    expect(intro).to_have_count(0)


@pytest.mark.parametrize("window", ["small", "wide"])
def test_log_tells_all_in_the_order_in_which_it_happened(opened: Opened, window: str) -> None:
    """Each line stands below what was before it, and the newest one is in sight at the end."""
    table = opened(window)
    still = named("gift mine waits name-gift")
    table.show(still)
    table.page.keyboard.press("l")
    lines = table.page.locator(".sheet ol li")
    expect(lines.last).to_be_in_viewport()
    texts = [text.strip() for text in lines.locator("span").all_inner_texts()]

    began = texts.index("It is your turn.")
    shown = next(at for at, text in enumerate(texts) if "turn over" in text)
    assert 0 < began < shown < len(texts) - 1, texts


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_what_the_other_claims_is_told_on_the_wood_of_a_phone(opened: Opened, language: str) -> None:
    """While the viewer plants he reads that a bonus card was claimed, and its pennies."""
    still = named("plant-gift mine waits plant-face-up")
    claimed = BonusClaimed(1, still.state.players[1].bonus.hand[0])
    table = opened("phone", language)
    table.show(replace(still, told=(*still.told, (claimed,))))
    line = table.page.locator(".duel .tail .line").first
    expect(line).to_contain_text(re.compile(PENNIES[language]))

    assert in_sight(line)


@pytest.mark.parametrize("language", ["en", "de", "is", "it", "ru", "sv"])
def test_no_word_is_broken_in_what_is_told_of_a_seat(opened: Opened, language: str) -> None:
    """Names of players and kinds part nowhere in the sheet of a seat, and all of it is in sight."""
    table = opened("phone", language)
    table.show(named("plant mine waits plant"))
    table.page.locator("[data-seat='1'] .open").click()
    sheet = table.page.locator(".detail")
    expect(sheet.locator("header")).to_be_visible()

    assert table.page.evaluate(BROKEN) == []
    assert sheet.evaluate("one => one.scrollHeight - one.clientHeight") <= 1


@pytest.mark.parametrize("language", ["en", "de", "is", "it", "ja", "ru", "sv"])
def test_which_card_is_given_is_asked_above_the_kinds(opened: Opened, language: str) -> None:
    """On a phone the buttons that choose among cards of a kind lie on nothing else, and are whole."""
    still = next(one for one in whole_game("das-duell", 2, 2) if pair(one) is not None)
    table = opened("phone", language)
    table.show(still)
    table.page.locator(f"[data-kind-name='{pair(still)}']").click()
    ways = table.page.locator("[data-way]")
    expect(ways.first).to_be_visible()
    kinds = [box for one in table.page.locator("[data-kind-name]").all() if (box := one.bounding_box())]
    lowest = max(box["y"] + box["height"] for one in ways.all() if (box := one.bounding_box()))

    assert lowest <= min(box["y"] for box in kinds) + 1
    assert all(in_sight(way) for way in ways.all())


@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_what_the_other_claims_is_told_in_full(opened: Opened, size: str, language: str) -> None:
    """Who, which bonus card, its coin and its pennies stand over the steps and move nothing."""
    still = many("gift mine waits name-gift")
    claimed = BonusClaimed(1, still.state.players[1].bonus.hand[0])
    told = replace(still, told=(*still.told, (claimed,), (TurnBegan(0),)))
    card = still.rules.bonus_cards[claimed.bonus]
    table = opened(size, language)
    table.show(still)
    before = places(table.page)
    table.show(told)
    says = table.page.locator("[data-other-claims]")

    expect(says).to_contain_text("Bert")
    expect(says).to_contain_text("-".join(map(str, card.runs)))
    expect(says).to_contain_text(re.compile(rf"{COIN[language]}.*{PENNIES[language]}"))
    assert says.evaluate(WITHIN, ".course") == []
    shifted = moved(before, places(table.page))
    assert [line for line in shifted if not line.startswith("tail ")] == []  # the lines of the log


@pytest.mark.parametrize("size", ["phone", "small", "wide"])
def test_pattern_lies_within_its_bonus_card(opened: Opened, size: str) -> None:
    """The longest patterns of the game leave the edges of their cards in sight."""
    still = many(TURN)
    cards = still.rules.bonus_cards
    long = sorted(range(len(cards)), key=lambda card: (-sum(cards[card].runs), -len(cards[card].runs)))[:3]
    viewer, other = still.state.players
    holding = replace(viewer, bonus=replace(viewer.bonus, hand=tuple(long)))
    table = opened(size)
    table.show(replace(still, state=replace(still.state, players=(holding, other))))
    patterns = table.page.locator(".bonus-card .pattern")

    expect(patterns).to_have_count(6)
    for at in range(patterns.count()):
        assert patterns.nth(at).evaluate(WITHIN, ".bonus-card") == []
