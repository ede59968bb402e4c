"""What all editions share: printed counts, beanometers, and the base of the main game."""

from __future__ import annotations

from bohn.rules.beans import BEANS, Bean, Beanometer

COUNTS: dict[Bean, int] = {
    Bean.COFFEE: 24,  # IT "Contenuto" §4
    Bean.WAX: 22,  # IT "Contenuto" §4
    Bean.BLUE: 20,  # IT "Contenuto" §4
    Bean.CHILI: 18,  # IT "Contenuto" §4
    Bean.STINK: 16,  # IT "Contenuto" §4
    Bean.GREEN: 14,  # IT "Contenuto" §4
    Bean.SOY: 12,  # IT "Contenuto" §4
    Bean.BLACK_EYED: 10,  # IT "Contenuto" §4
    Bean.RED: 8,  # IT "Contenuto" §4
    Bean.GARDEN: 6,  # IT "Contenuto" §4
    Bean.COCOA: 4,  # IT "Contenuto" §4
}

BEANOMETERS: dict[Bean, Beanometer] = {
    Bean.COFFEE: ((4, 1), (7, 2), (10, 3), (12, 4)),  # secondary: printed card
    Bean.WAX: ((4, 1), (7, 2), (9, 3), (11, 4)),  # secondary: printed card
    Bean.BLUE: ((4, 1), (6, 2), (8, 3), (10, 4)),  # secondary: printed card
    Bean.CHILI: ((3, 1), (6, 2), (8, 3), (9, 4)),  # secondary: printed card
    Bean.STINK: ((3, 1), (5, 2), (7, 3), (8, 4)),  # RU "Карты бобов" §2
    Bean.GREEN: ((3, 1), (5, 2), (6, 3), (7, 4)),  # secondary: printed card
    Bean.SOY: ((2, 1), (4, 2), (6, 3), (7, 4)),  # secondary: printed card
    Bean.BLACK_EYED: ((2, 1), (4, 2), (5, 3), (6, 4)),  # secondary: printed card
    Bean.RED: ((2, 1), (3, 2), (4, 3), (5, 4)),  # secondary: printed card
    Bean.GARDEN: ((2, 2), (3, 3)),  # secondary: printed card
    Bean.COCOA: ((2, 2), (3, 3), (4, 4)),  # secondary: printed card
}

ALL_KINDS: tuple[Bean, ...] = BEANS
EIGHT_KINDS: tuple[Bean, ...] = tuple(b for b in BEANS if Bean.GARDEN <= b <= Bean.BLUE)


def deck(kinds: tuple[Bean, ...], without: tuple[Bean, ...] = ()) -> tuple[int, ...]:
    """Return the number of cards by bean of these kinds (SETUP-1)."""
    return tuple(COUNTS[bean] if bean in kinds and bean not in without else 0 for bean in BEANS)


def boxed(kinds: tuple[Bean, ...], without: tuple[Bean, ...]) -> tuple[int, ...]:
    """Return the number of cards by bean put into the box before the game (SETUP-1)."""
    return tuple(COUNTS[bean] if bean in kinds and bean in without else 0 for bean in BEANS)


BEANOMETER_TABLE: tuple[Beanometer, ...] = tuple(BEANOMETERS[bean] for bean in BEANS)
