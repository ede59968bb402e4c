"""The table as the page reads it: complete and up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bohn.narration import typescript
from bohn.protocol.shown import NEVER_SHOWN, SHOWN
from bohn.rules.decide import tag


def test_typescript_in_the_repository_is_up_to_date() -> None:
    """What the page tells is what the table says."""
    assert typescript.main(["--check"]) == 0


def test_check_fails_for_a_stale_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--check`` tells of a file that is not as it would be written, and leaves it alone."""
    target = tmp_path / "narration.ts"
    target.write_text("export const SENTENCES = {};\n", encoding="utf-8")

    status = typescript.main(["--check", "--out", str(target)])

    assert (status, target.read_text(encoding="utf-8")) == (1, "export const SENTENCES = {};\n")
    assert "is stale" in capsys.readouterr().err


def test_written_file_passes_its_check(tmp_path: Path) -> None:
    """What is written, in a folder that was not there, is what ``--check`` looks for."""
    target = tmp_path / "generated" / "narration.ts"

    assert typescript.main(["--out", str(target)]) == 0
    assert typescript.main(["--check", "--out", str(target)]) == 0


@pytest.mark.parametrize("kind", SHOWN, ids=lambda kind: kind.__name__)
def test_every_event_that_the_page_gets_stands_in_one_place(kind: type) -> None:
    """It is not told, told with the usual parameters, or has an entry: types of the page ask for one."""
    name = re.escape(tag(kind))

    assert len(re.findall(rf'^  \| "{name}"|^  "?{name}"?: ', typescript.generate(), flags=re.MULTILINE)) == 1


@pytest.mark.parametrize("kind", NEVER_SHOWN, ids=lambda kind: kind.__name__)
def test_events_nobody_is_shown_have_none(kind: type) -> None:
    """The page never gets an event with the cards of all."""
    assert not re.search(rf'"{tag(kind)}"|^  {tag(kind)}:', typescript.generate(), flags=re.MULTILINE)
