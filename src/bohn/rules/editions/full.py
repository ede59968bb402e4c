"""The 11-kind game: ``full``, its printed forms, and with two players the bean duel."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules.beans import Bean
from bohn.rules.editions.common import ALL_KINDS, BEANOMETER_TABLE, boxed, deck
from bohn.rules.ruleset import Rules


def _rules(players: int, without: tuple[Bean, ...], deal: tuple[int, ...], **changes: object) -> Rules:
    """Return the base of the 11-kind game with the changes for one number of players."""
    base = Rules(
        edition="full",
        players=players,
        game="main",
        deck=deck(ALL_KINDS, without),
        boxed=boxed(ALL_KINDS, without),
        beanometers=BEANOMETER_TABLE,
        deal=deal,
        fields=2,  # RU "Бобовые поля" §2
        max_fields=3,  # RU "Покупаем третье бобовое поле" §1
        field_price=3,  # RU "Покупаем третье бобовое поле" §1
        reveal=2,  # RU "2. Открываем 2 карты из колоды, меняем и дарим бобы" §1
        draw=3,  # RU "4. Берём 3 новые карты бобов из колоды в руку" §1
        exhaustions=3,  # RU "Финиш игры и подсчёт очков" §1
    )
    return replace(base, **changes)


_DUEL = _rules(
    2,  # RU "Дуэль на бобах для двух игроков" §1
    (Bean.GARDEN, Bean.COCOA),
    (5, 5),  # RU "Подготовка к игре" §3
    game="bean-duel",
    reveal=3,  # RU "3. Берёт и сажает бобы, а также предлагает их оппоненту." §1
    draw=2,  # RU "4. Получает новые карты бобов" §1
    exhaustions=1,  # RU "Дуэль на бобах для двух игроков" §5
    harvest="own_turn",
    coins_to="box",
)
_THREE = _rules(
    3,  # RU "Варианты игры в зависимости от числа игроков" §2
    (Bean.COCOA,),
    (5, 5, 5),  # RU "Подготовка к игре" §3
    fields=3,  # RU "Варианты игры в зависимости от числа игроков" §2
    exhaustions=2,  # RU "Варианты игры в зависимости от числа игроков" §2
)
_FOUR = _rules(
    4,  # RU "Варианты игры в зависимости от числа игроков" §3
    (Bean.COFFEE,),
    (5, 5, 5, 5),  # RU "Подготовка к игре" §3
)
_FIVE = _rules(
    5,  # RU "Варианты игры в зависимости от числа игроков" §3
    (Bean.COFFEE,),
    (5, 5, 5, 5, 5),  # RU "Подготовка к игре" §3
)
_SIX = _rules(
    6,  # RU "Варианты игры в зависимости от числа игроков" §4
    (Bean.COCOA, Bean.GARDEN),
    (3, 4, 5, 6, 6, 6),  # RU "Варианты игры в зависимости от числа игроков" §4
    draw=4,  # RU "Варианты игры в зависимости от числа игроков" §4
    field_price=2,  # RU "Варианты игры в зависимости от числа игроков" §4
)
_SEVEN = replace(
    _SIX,
    players=7,  # RU "Варианты игры в зависимости от числа игроков" §4
    deal=(3, 4, 5, 6, 6, 6, 6),  # RU "Варианты игры в зависимости от числа игроков" §4
)

FULL: dict[int, Rules] = {rules.players: rules for rules in (_DUEL, _THREE, _FOUR, _FIVE, _SIX, _SEVEN)}
"""The plain form; where the documents differ, the publisher's current wording (rulings)."""

FULL_RU = {n: replace(r, edition="full-ru", singles="all_single") for n, r in FULL.items()}
"""The Russian document to the letter."""

FULL_IS = {
    n: replace(r, edition="full-is", singles="all_single", reshuffle="when_needed") for n, r in FULL.items()
}
"""The Icelandic document; numbers of players and the duel as in the Russian one."""

FULL_IT = {
    n: replace(r, edition="full-it", singles="all_single", reshuffle="when_needed") for n, r in FULL.items()
}
"""The Italian document to the letter."""
