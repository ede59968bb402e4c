"""The TypeScript of the protocol: complete, up to date, without a type for what never leaves the server."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from bohn.protocol import frames, schemas, typescript
from bohn.protocol.refusals import Problem
from bohn.protocol.shown import NEVER_SHOWN, SHOWN
from bohn.rules.errors import Reason

GLOBAL_NAMES = frozenset(
    {"Array", "Date", "Document", "Error", "Event", "Map", "Number", "Object", "Omit", "Partial", "Pick"}
    | {"Promise", "Readonly", "Record", "Request", "Required", "Response", "Set", "String", "Symbol", "Text"}
)
"""Names that mean something else wherever TypeScript is written."""


@cache
def code() -> str:
    """Return the generated file without its comments."""
    return re.sub(r"/\*.*?\*/", "", typescript.generate(), flags=re.DOTALL)


def declaration(name: str) -> str:
    """Return the body of one interface."""
    found = re.search(rf"export interface {name} {{\n(.*?)}}", code(), flags=re.DOTALL)
    assert found is not None
    return found[1]


def test_typescript_in_the_repository_is_up_to_date() -> None:
    """What the page is built with is what the server speaks."""
    assert typescript.main(["--check"]) == 0


def test_check_fails_for_a_stale_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--check`` tells of a file that is not as it would be written, and leaves it alone."""
    target = tmp_path / "protocol.ts"
    target.write_text("export const PROTOCOL = 0;\n", encoding="utf-8")

    status = typescript.main(["--check", "--out", str(target)])

    assert (status, target.read_text(encoding="utf-8")) == (1, "export const PROTOCOL = 0;\n")
    assert "is stale" in capsys.readouterr().err


def test_check_fails_for_a_missing_file(tmp_path: Path) -> None:
    """A file that was never written is stale too."""
    assert typescript.main(["--check", "--out", str(tmp_path / "none.ts")]) == 1


def test_written_file_passes_its_check(tmp_path: Path) -> None:
    """What is written, in a folder that was not there, is what ``--check`` looks for."""
    target = tmp_path / "generated" / "protocol.ts"

    assert typescript.main(["--out", str(target)]) == 0
    assert typescript.main(["--check", "--out", str(target)]) == 0


def test_generating_twice_gives_the_same_text() -> None:
    """The order does not depend on chance."""
    assert typescript.generate() == typescript.generate()


@pytest.mark.parametrize("kind", schemas.roots(), ids=lambda kind: kind.__name__)
def test_every_frame_body_and_event_is_declared(kind: type) -> None:
    """No frame, body or shown event is forgotten."""
    name = typescript.name_of(schemas.name_of(kind))

    assert re.search(rf"^export (interface|type) {name}\b", code(), flags=re.MULTILINE)


@pytest.mark.parametrize("kind", NEVER_SHOWN, ids=lambda kind: kind.__name__)
def test_events_nobody_is_shown_are_not_declared(kind: type[Struct]) -> None:
    """The page has no type for an event with the cards of all."""
    assert not re.search(rf"\b{kind.__name__}\b", code())


@pytest.mark.parametrize("name", ["seed", "hands", "face_down", "bonus_pile", "shuffles", "stood"])
def test_no_type_has_a_field_for_hidden_things(name: str) -> None:
    """Nothing generated could carry a seed, another's hand or the order of a pile."""
    assert not re.search(rf"\breadonly {name}\??:", code())


@pytest.mark.parametrize("name", ["draw_pile", "discard_pile"])
def test_piles_are_numbers_everywhere(name: str) -> None:
    """Of the piles a client knows how high they are."""
    types = set(re.findall(rf"\breadonly {name}\??: (.*?);", code()))

    assert types == {"number"}


def test_secret_and_nonce_are_in_the_revealed_deal_only() -> None:
    """What checks the deal has one place, which is filled after the end."""
    assert code().count("readonly secret:") == code().count("readonly nonce:") == 1
    assert "readonly secret: string" in declaration("DealReveal")


def test_no_name_means_something_else_in_typescript() -> None:
    """A page that imports a type does not lose one of the language."""
    declared = set(re.findall(r"^export (?:interface|type|const) (\w+)", code(), flags=re.MULTILINE))

    assert declared & GLOBAL_NAMES == set()


def test_tags_are_literals() -> None:
    """Frames, commands, events and phases are told apart by a literal."""
    assert 'readonly type: "batch";' in declaration("Batch")
    assert 'readonly do: "make-offer";' in declaration("MakeOffer")
    assert 'readonly event: "dealt-shown";' in declaration("DealtShown")
    assert 'readonly phase: "trade";' in declaration("TradeView")


def test_fields_the_server_may_leave_out_are_optional() -> None:
    """In a batch only its number is always there."""
    required = re.findall(r"readonly (\w+):", declaration("Batch"))

    assert required == ["type", "seq"]


def test_fields_with_a_default_are_always_in_what_the_server_sends() -> None:
    """A welcome has all its parts, empty ones too."""
    assert "?:" not in declaration("Welcome")


def test_fields_with_a_default_are_optional_in_what_a_client_sends() -> None:
    """A client need not say what is so by default."""
    assert "readonly hand?: readonly Copy[];" in declaration("Draft")
    assert "readonly seat?: number | null;" in declaration("Sit")


def test_cards_are_tuples_of_place_and_bean() -> None:
    """A copy is an array of two, as it is on the wire."""
    assert "export type Copy = readonly [place: number, bean: Bean];" in code()
    assert msgspec.json.encode(frames.Draft(id="a", to=(1,)).hand) == b"[]"


def test_patches_name_players_by_seat() -> None:
    """A part of the players is a record, not an array."""
    assert "readonly players?: Readonly<Record<number, PlayerView>>;" in declaration("ViewPatch")


@pytest.mark.parametrize(("name", "words"), [("Reason", Reason), ("Problem", Problem)])
def test_codes_of_refusals_are_words(name: str, words: type[Reason | Problem]) -> None:
    """Every code a client may meet is in the type, so that a missing translation is a type error."""
    found = re.search(rf"export type {name} =(.*?);", code(), flags=re.DOTALL)

    assert found is not None
    assert re.findall(r'"([^"]+)"', found[1]) == [word.value for word in words]


def test_refusals_name_codes_of_rules_and_server() -> None:
    """A refusal's code is one of the known ones, over both transports."""
    assert "readonly reason: Reason | Problem;" in declaration("Refused")
    assert "readonly reason: Reason | Problem;" in declaration("ErrorBody")


def test_events_of_a_batch_are_typed() -> None:
    """What the server leaves open (any value) is a union for the page."""
    union = re.search(r"export type ShownEvent =(.*?);", code(), flags=re.DOTALL)

    assert "readonly events?: readonly ShownEvent[];" in declaration("Batch")
    assert union is not None
    assert re.findall(r"\| (\w+)", union[1]) == [kind.__name__ for kind in SHOWN]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "contentEncoding": "base64"},
        {"type": "string", "format": "date-time"},
        {"type": "object", "patternProperties": {}},
        {"oneOf": [{"type": "string"}, {"type": "null"}]},
    ],
    ids=str,
)
def test_unknown_schemas_are_refused(schema: dict[str, object]) -> None:
    """The generator does not guess: what no frame has had yet fails the build."""
    with pytest.raises(schemas.UnknownTypeError, match="no TypeScript for"):
        typescript.Writer({}).text_of(schema)
