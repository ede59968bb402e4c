"""The 8-kind game for three to five players: ``classic``, its Japanese and Swedish forms."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules.editions.common import BEANOMETER_TABLE, EIGHT_KINDS, boxed, deck
from bohn.rules.ruleset import Rules


def _rules(players: int, deal: tuple[int, ...]) -> Rules:
    """Return the 8-kind game for one number of players."""
    return Rules(
        edition="classic",
        players=players,
        game="main",
        deck=deck(EIGHT_KINDS),
        boxed=boxed(EIGHT_KINDS, ()),
        beanometers=BEANOMETER_TABLE,
        deal=deal,
        fields=2,  # SV "Bönfälten" §1
        max_fields=3,  # SV "Spelarnas övriga möjligheter" §2
        field_price=3,  # SV "Spelarnas övriga möjligheter" §2
        reveal=2,  # SV "2:a fasen: Handel och gåvor" §1
        draw=3,  # SV "4:e fasen: Dra nya bönkort" §1
        exhaustions=3,  # SV "Spelets avslutning" §1
    )


CLASSIC: dict[int, Rules] = {
    3: _rules(3, (5, 5, 5)),  # SV "Spelets början" §1
    4: _rules(4, (5, 5, 5, 5)),  # SV "Spelets början" §1
    5: _rules(5, (5, 5, 5, 5, 5)),  # SV "Spelets början" §1
}
"""The plain form; where the documents differ, the publisher's current wording (rulings)."""

CLASSIC_JA = {
    n: replace(r, edition="classic-ja", singles="all_single", same_kind="must_join", closing="unanimous",
               end="at_once", tie="shared")
    for n, r in CLASSIC.items()
}  # fmt: skip
"""The Japanese document to the letter."""

CLASSIC_SV = {
    n: replace(
        r, edition="classic-sv", singles="all_single", closing="unanimous", payment="chosen", tie="shared"
    )
    for n, r in CLASSIC.items()
}
"""The Swedish document to the letter."""
