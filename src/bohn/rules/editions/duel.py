"""Das Duell: two players, eight kinds, and 32 bonus cards.

Three bonus cards are known (marked *known*); the others are a reconstruction and
are labelled so wherever they are shown. Their pennies rise with the rarity that was
measured over 10,000 games between computer players (docs/rules/bonus-cards.md).
"""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules.editions.common import BEANOMETER_TABLE, EIGHT_KINDS, boxed, deck
from bohn.rules.ruleset import BonusCard, Rules

KNOWN_BONUS_CARDS: tuple[BonusCard, ...] = (
    BonusCard((2, 2), 10),  # secondary: a screenshot of the published app
    BonusCard((2, 1, 1), 40),  # secondary: a screenshot of the published app
    BonusCard((1, 4), 40),  # secondary: a screenshot of the published app
)
"""The cards whose pattern and pennies are known."""

RECONSTRUCTED_BONUS_CARDS: tuple[BonusCard, ...] = (
    BonusCard((2, 1), 10),  # ruling: bonus-cards
    BonusCard((2, 1), 10),  # ruling: bonus-cards
    BonusCard((1, 2), 10),  # ruling: bonus-cards
    BonusCard((1, 2), 10),  # ruling: bonus-cards
    BonusCard((2, 2), 10),  # ruling: bonus-cards
    BonusCard((3, 1), 20),  # ruling: bonus-cards
    BonusCard((3, 1), 20),  # ruling: bonus-cards
    BonusCard((1, 3), 20),  # ruling: bonus-cards
    BonusCard((1, 3), 20),  # ruling: bonus-cards
    BonusCard((1, 1, 1), 30),  # ruling: bonus-cards
    BonusCard((1, 1, 1), 30),  # ruling: bonus-cards
    BonusCard((2, 3), 30),  # ruling: bonus-cards
    BonusCard((2, 3), 30),  # ruling: bonus-cards
    BonusCard((3, 2), 30),  # ruling: bonus-cards
    BonusCard((3, 2), 30),  # ruling: bonus-cards
    BonusCard((4, 1), 40),  # ruling: bonus-cards
    BonusCard((1, 2, 1), 40),  # ruling: bonus-cards
    BonusCard((1, 1, 2), 40),  # ruling: bonus-cards
    BonusCard((4, 2), 50),  # ruling: bonus-cards
    BonusCard((2, 4), 40),  # ruling: bonus-cards
    BonusCard((3, 3), 40),  # ruling: bonus-cards
    BonusCard((2, 2, 1), 60),  # ruling: bonus-cards
    BonusCard((2, 1, 2), 70),  # ruling: bonus-cards
    BonusCard((1, 2, 2), 60),  # ruling: bonus-cards
    BonusCard((3, 1, 1), 80),  # ruling: bonus-cards
    BonusCard((1, 3, 1), 70),  # ruling: bonus-cards
    BonusCard((1, 1, 3), 70),  # ruling: bonus-cards
    BonusCard((1, 1, 1, 1), 100),  # ruling: bonus-cards
    BonusCard((2, 2, 2), 90),  # ruling: bonus-cards
)
"""The cards that complete the 32."""

DAS_DUELL: dict[int, Rules] = {
    2: Rules(  # JP "DUEL 対戦(2人用)【サマリー】" §1
        edition="das-duell",
        players=2,  # JP "DUEL 対戦(2人用)【サマリー】" §1
        game="das-duell",
        deck=deck(EIGHT_KINDS),
        boxed=boxed(EIGHT_KINDS, ()),
        beanometers=BEANOMETER_TABLE,
        deal=(5, 5),  # JP "DUEL 対戦(2人用)【サマリー】" §2.5
        fields=3,  # JP "DUEL 対戦(2人用)【サマリー】" §4
        max_fields=3,  # JP "DUEL 対戦(2人用)【サマリー】" §4
        field_price=0,
        reveal=3,  # JP "[duel: box of action 2]" §1
        draw=2,  # JP "[duel: box of action 4]" §1
        exhaustions=1,  # JP "ゲームの終了 [duel]" §1
        starting_coins=3,  # JP "DUEL 対戦(2人用)【サマリー】" §2.3
        same_kind="next_higher",
        end="at_once",
        tie="shared",
        bonus_cards=KNOWN_BONUS_CARDS + RECONSTRUCTED_BONUS_CARDS,
        bonus_hand=3,  # JP "DUEL 対戦(2人用)【サマリー】" §2.5
    )
}
"""The plain form: where the document is short, what published descriptions of the game say (rulings)."""

DAS_DUELL_JA = {
    n: replace(
        r,
        edition="das-duell-ja",
        rest="may_discard",  # JP "[duel: box of action 3]" §2
        bluff="continues",  # JP "[duel: box of action 2]" §3.1
        trading="also",  # JP "DUEL 対戦(2人用)【サマリー】" §7
    )
    for n, r in DAS_DUELL.items()
}
"""The last pages of the Japanese document to the letter."""
