"""The deal that nobody can choose: the seed from a secret and salts, as docs/deals.md says."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType, to_builtins
from msgspec.structs import replace

from bohn.notation.deals import Deal, check, commitment, salt_bytes, seed_of
from bohn.notation.errors import NotationError, RecordError
from bohn.notation.records import Record, entry_of, format_record, header_of, read_record, verify
from bohn.rules import resolve
from bohn.rules.deal import opening
from bohn.rules.evolve import fold

DOCUMENT = (Path(__file__).parents[2] / "docs" / "deals.md").read_text(encoding="utf-8")
HASH = "`([0-9a-f]{64})`"
ROW = re.compile(rf"^\| {HASH} \| {HASH} \| {HASH} \| `([0-9a-f,-]+)` \| {HASH} \|$", flags=re.MULTILINE)
VECTORS = ROW.findall(DOCUMENT)

SECRET, NONCE = bytes(range(32)), bytes(range(32, 64))
DEAL = Deal(commitment(SECRET, NONCE), SECRET.hex(), NONCE.hex(), ("00", "", "c0ffee"))

SALTS = st.lists(st.binary(max_size=32).map(bytes.hex), max_size=7).map(tuple)


def salts_in(text: str) -> tuple[str, ...]:
    """Return the salts of a row of the document."""
    return tuple("" if salt == "-" else salt for salt in text.split(","))


def test_document_has_five_vectors() -> None:
    """Two secrets; salts that are empty, in other seats, and of different lengths."""
    assert len(VECTORS) == 5


@pytest.mark.parametrize(("secret", "nonce", "committed", "salts", "seed"), VECTORS)
def test_deal_is_as_documented(secret: str, nonce: str, committed: str, salts: str, seed: str) -> None:
    """Commitment and seed of each vector are what is computed."""
    assert commitment(bytes.fromhex(secret), bytes.fromhex(nonce)) == committed
    assert check(Deal(committed, secret, nonce, salts_in(salts))).hex() == seed


def test_lines_of_the_document_compute_a_vector() -> None:
    """Whoever copies them checks a deal without Bohn."""
    (lines,) = re.findall(r"^```python\n(.*?)^```", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = {}
    exec(lines, found)  # noqa: S102 - the document's own example

    assert (found["commitment"], found["seed"]) in {(row[2], row[4]) for row in VECTORS}


def test_seed_is_a_hash_of_lengths_and_salts() -> None:
    """Written out once by hand."""
    hashed = b"bohn-deal:1" + SECRET + b"\x01\x00" + b"\x00" + b"\x03\xc0\xff\xee"

    assert seed_of(SECRET, ("00", "", "c0ffee")) == sha256(hashed).digest()


@given(SALTS, SALTS)
def test_seeds_of_different_salts_differ(some: tuple[str, ...], others: tuple[str, ...]) -> None:
    """No two lists of salts are hashed as the same bytes."""
    assert (seed_of(SECRET, some) == seed_of(SECRET, others)) == (some == others)


@given(st.lists(st.binary(min_size=1, max_size=10), min_size=2, max_size=4))
def test_bytes_cannot_move_from_salt_to_salt(salts: list[bytes]) -> None:
    """What two seats have put in is not what one could have."""
    moved = (salts[0] + salts[1][:1], salts[1][1:], *salts[2:])

    assert seed_of(SECRET, [salt.hex() for salt in salts]) != seed_of(SECRET, [salt.hex() for salt in moved])


def test_seed_needs_the_secret() -> None:
    """Salts alone, which everybody sees, lead nowhere."""
    assert seed_of(SECRET, ("00",)) != seed_of(NONCE, ("00",))


@pytest.mark.parametrize(("text", "expected"), [("", b""), ("00", b"\0"), ("ff" * 32, b"\xff" * 32)])
def test_salt_is_read(text: str, expected: bytes) -> None:
    """From none to 32 bytes."""
    assert salt_bytes(text) == expected


@pytest.mark.parametrize("salt", ["0", "zz", "00 11", "0x00", "AB", "٠٠", "00\n", "00" * 33, "00" * 100_000])
def test_salt_is_refused(salt: str) -> None:
    """One way only to write it: pairs of small digits, at most 32."""
    with pytest.raises(NotationError, match=r"^salt: expected") as refusal:
        salt_bytes(salt)

    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("size", [0, 31, 33])
def test_secret_and_nonce_have_32_bytes(size: int) -> None:
    """So that nothing can be moved from one to the other."""
    with pytest.raises(NotationError, match="secret: expected 32 bytes"):
        commitment(bytes(size), NONCE)
    with pytest.raises(NotationError, match="nonce: expected 32 bytes"):
        commitment(SECRET, bytes(size))
    with pytest.raises(NotationError, match="secret: expected 32 bytes"):
        seed_of(bytes(size), ())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"commitment": "00" * 32}, "commitment: expected fdeab9ac"),
        ({"commitment": ""}, "commitment: expected fdeab9ac"),
        ({"commitment": DEAL.commitment.upper()}, "commitment: expected fdeab9ac"),
        ({"secret": DEAL.nonce}, "commitment: expected"),
        ({"nonce": DEAL.secret}, "commitment: expected"),
        ({"secret": DEAL.secret + "00"}, "secret: expected 32 bytes, not 33"),
        ({"secret": DEAL.secret.upper()}, "secret: expected pairs"),
        ({"nonce": "soup"}, "nonce: expected pairs"),
        ({"salts": ("xx",)}, "salt: expected pairs"),
    ],
)
def test_deal_that_does_not_fit_is_refused(changes: dict[str, Any], message: str) -> None:
    """The message names what does not fit."""
    with pytest.raises(NotationError, match=message):
        check(replace(DEAL, **changes))


def test_deal_with_other_salts_has_another_seed() -> None:
    """The commitment says nothing about salts: the seed does."""
    assert check(replace(DEAL, salts=("01", "", "c0ffee"))) != check(DEAL)


# -- in a record ---------------------------------------------------------------------------------------


def record_with(deal: Deal | UnsetType, **header: Any) -> Record:
    """Return a record that begins with the deal of :data:`DEAL`, and says this about it."""
    rules = resolve("classic", 3)
    events = opening(rules, check(DEAL))
    made = header_of(rules, ("Anna", "Bert", "Chiyo"), check(DEAL), "bohn 0", deal)
    return Record(replace(made, **header), (entry_of(0, "host", None, events, fold(events)),))


def test_record_with_its_deal_round_trips_and_verifies() -> None:
    """The deal stands in the header."""
    record = record_with(DEAL)

    assert read_record(format_record(record)) == record
    assert verify(record).seed == check(DEAL)


def test_record_without_deal_says_nothing_of_it() -> None:
    """Records from before there were deals keep their bytes."""
    record = record_with(UNSET)

    assert b'"deal":{' not in format_record(record)
    assert verify(record) == verify(record_with(DEAL))


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (replace(DEAL, salts=("00", "", "c0ffef")), "header: deal: expected the seed"),
        (replace(DEAL, salts=("00", "")), "header: deal: expected 3 salts, not 2"),
        (replace(DEAL, salts=("00", "", "c0ffee", "")), "header: deal: expected 3 salts, not 4"),
        (replace(DEAL, commitment="00" * 32), "header: deal: commitment: expected"),
        (replace(DEAL, nonce="00"), "header: deal: nonce: expected 32 bytes"),
    ],
)
def test_verify_refuses_a_deal_that_does_not_lead_to_the_seed(deal: Deal, message: str) -> None:
    """The cards may be those of the seed: it is the seed that was not dealt fairly."""
    with pytest.raises(RecordError, match=message):
        verify(record_with(deal))


@pytest.mark.parametrize("said", ["null", "[]", '{"commitment":""}'])
def test_record_with_half_a_deal_is_refused(said: str) -> None:
    """A deal is whole or absent."""
    deal = json.dumps(to_builtins(DEAL), separators=(",", ":"))
    data = format_record(record_with(DEAL)).replace(deal.encode(), said.encode())

    with pytest.raises(RecordError, match="header: "):
        read_record(data)


def test_record_with_more_than_a_deal_is_refused() -> None:
    """What nobody would check is not passed over."""
    data = format_record(record_with(DEAL)).replace(b'"salts":[', b'"luck":1,"salts":[')

    with pytest.raises(RecordError, match="header: "):
        read_record(data)
