"""The table as TypeScript, from which the page makes its sentences: ``python -m bohn.narration.typescript``.

``--check`` only compares: its exit status is 1 if the file is not up to date. The types ask for an entry for
every event of ``protocol.ts``, so that an event without one does not compile.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import get_args

import msgspec

from bohn.narration.parameters import AnyParameter, Parameters, SentenceEntry
from bohn.narration.table import REMARK, TABLE
from bohn.protocol.generated_file import write_or_check
from bohn.protocol.shown import SHOWN
from bohn.rules.decide import tag

TARGET = Path(__file__).parents[3] / "web" / "src" / "generated" / "narration.ts"
"""Where the page reads it from, in the repository."""

HEADER = """\
/* eslint-disable */
/**
 * The parameters in the sentence of each event, and where in the event their values are.
 *
 * Written by `python -m bohn.narration.typescript`; change bohn.narration.table, not this file.
 */
import type { ShownEvent } from "./protocol";

/** The kinds of parameters: see bohn.narration.parameters. */
export type Kind ="""

TYPES = """\
/** A kind of parameter, and where in the event its value is: `offer.maker`, `coins+discards`. */
export type Parameter = readonly [kind: Kind, place: string, other?: string];

export type Parameters = Readonly<Record<string, Parameter>>;

/** An exchange is described from one of its sides; of each, the places of its seat and of what it gave. */
export interface Side {
  readonly seat: string;
  readonly gave: string;
}

/** The sentence of an event: the text `event.<tag>`, with parameters that are not the usual ones. */
export interface SentenceEntry {
  readonly params?: Parameters;
  readonly sides?: readonly [Side, Side];
  /** If nothing is there, there is no sentence. */
  readonly needs?: string;
}

/** What most events have by these names. */
export const USUAL: Parameters = """

ODD = """\
/** All other events: which of their parameters are not the usual ones. */
export const SENTENCES: { readonly [Tag in Exclude<ShownEvent["event"], Silent | Plain>]: SentenceEntry } = {
"""


def _usual() -> Parameters:
    """Return for each name the parameter that most events have under it: the page is sent the others only."""
    found: dict[str, Counter[AnyParameter]] = {}
    for entry in filter(None, map(TABLE.__getitem__, SHOWN)):
        for name, param in entry.params.items():
            found.setdefault(name, Counter())[param] += 1
    return {name: params.most_common(1)[0][0] for name, params in found.items()}


USUAL = _usual()


def generate() -> str:
    """Return the whole file."""
    entries = {tag(kind): TABLE[kind] for kind in SHOWN}
    parts = {name: list(_parts(entry)) for name, entry in entries.items() if entry is not None}
    odd = "".join(f"  {_quoted(name)}: {{ {', '.join(found)} }},\n" for name, found in parts.items() if found)
    return (
        f"{HEADER}{_union(tag(kind) for kind in get_args(AnyParameter))}\n{TYPES}{_params(USUAL)};\n\n"
        "/** Events without a sentence. */\n"
        f"type Silent ={_union(name for name in entries if name not in parts)}\n"
        "/** Events whose sentence has the usual parameters alone. */\n"
        f"type Plain ={_union(name for name, found in parts.items() if not found)}\n"
        f"{ODD}{odd}}};\n\n"
        "/** The parameters of what computer players say. */\n"
        f"export const REMARK: Parameters = {_params(REMARK)};\n"
    )


def _union(names: Iterable[str]) -> str:
    return "".join(f'\n  | "{name}"' for name in names) + ";\n"


def _parts(entry: SentenceEntry) -> Iterator[str]:
    params = {name: param for name, param in entry.params.items() if USUAL[name] != param}
    if params:
        yield f"params: {_params(params)}"
    if entry.sides:
        sides = ", ".join(f'{{ seat: "{side.seat}", gave: "{side.gave}" }}' for side in entry.sides)
        yield f"sides: [{sides}]"
    if entry.needs:
        yield f'needs: "{entry.needs}"'


def _params(params: Parameters) -> str:
    texts = (f"{name}: {msgspec.json.encode(param).decode()}" for name, param in params.items())
    return "{ " + ", ".join(texts) + " }"


def _quoted(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file, or with ``--check`` only compare it; return the exit status."""
    return write_or_check("bohn.narration.typescript", __doc__, TARGET, generate, arguments)


if __name__ == "__main__":
    sys.exit(main())
