"""Recovery codes: 80 random bits each, written so that they can be copied by hand."""

from __future__ import annotations

from hashlib import sha256

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter in it looks like another one or like a digit."""

CODE_BYTES = 10
GROUP = 4
"""Letters that are written together."""

CODES = 8
"""Codes that somebody is given at once."""

LONGEST = 64
"""Characters of what is looked up as a code; anything longer is none."""

_READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1", "-": "", " ": ""})


def code_of(random: bytes) -> str:
    """Return a code as it is shown: ``7K2M-0Q9T-...``."""
    number = int.from_bytes(random)
    letters = "".join(ALPHABET[number >> shift & 31] for shift in range(len(random) * 8 - 5, -1, -5))
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def code_digest(code: str) -> str:
    """Return what is stored of a code, however it was typed."""
    plain = code.upper().translate(_READ_AS)
    return sha256(f"recovery:{plain}".encode(errors="surrogatepass")).hexdigest()
