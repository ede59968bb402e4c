"""Narration: the sentence that describes each event, for the terminal and the page alike.

:mod:`~bohn.narration.table` has an entry for every event of the game and of the room, as data. Two
interpreters read it: :mod:`~bohn.narration.sentences` here, and ``web/src/lib/sentences.ts`` in the page,
which gets the table from :mod:`~bohn.narration.typescript`. The texts are in the catalogs of
:mod:`bohn.i18n` (docs/narration.md).
"""

from bohn.narration.sentences import narrate, remark, remark_line, sentence
from bohn.narration.table import REMARK, TABLE
from bohn.narration.words import Words

__all__ = ["REMARK", "TABLE", "Words", "narrate", "remark", "remark_line", "sentence"]
