"""`bohn admin`: what an operator does at the terminal, on the file of a server."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
import structlog
from rich.cells import cell_len

from bohn.server.moderation.limits import CHANGEABLE
from bohn.server.store.place import database_in
from bohn.server.store.protocol import Report, User
from bohn.server.store.sqlite import SqliteStore
from tests.cli.conftest import Result, Run

DAY = 24 * 60 * 60 * 1000


class Served:
    """The data of a server with two people and a report, and `bohn admin` on it."""

    def __init__(self, bohn: Run, folder: Path) -> None:
        """Store everything."""
        self.folder = folder
        self._bohn = bohn
        asyncio.run(self._fill())

    async def _fill(self) -> None:
        store = SqliteStore(database_in(self.folder))
        await store.open()
        await store.put_user(User("anna", "Anna", "en", 0))
        await store.put_user(User("bert", "Be\x1b[2Jrt", "de", 0))
        await store.report(Report("t1", 7, "anna", "bert", 5, "you bean\u202e", "insults"))
        await store.close()

    def admin(self, *arguments: object) -> Result:
        """Run a command of an operator."""
        return self._bohn("admin", "--data", self.folder, *arguments)

    def settings(self, **changed: object) -> Path:
        """Return a file of settings."""
        file = self.folder.with_name("settings.json")
        file.write_bytes(msgspec.json.encode(changed))
        return file

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """Open the file with other tools."""
        with closing(sqlite3.connect(database_in(self.folder))) as database, database:
            yield database


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """The command sends logs to its own stderr, which is closed when other tests log."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def served(bohn: Run, tmp_path: Path) -> Served:
    """Return the data of a server, and `bohn admin` on it."""
    return Served(bohn, tmp_path / "data")


def columns(result: Result, row: int = 1) -> list[str]:
    """Return the words of a printed row; the headings are row 0."""
    return result.out.splitlines()[row].split()


def test_sanction_is_in_the_overview_until_it_is_lifted(served: Served) -> None:
    """Its name is printed when it begins, and ends it."""
    made = served.admin("mute", "--user", "bert", "--for", "7d", "--reason", "Insults", "--report", 1)
    assert made.status == 0
    name = columns(made)[0]
    assert name in served.admin("overview").out
    assert "mute" in served.admin("people", "bert").out

    assert served.admin("lift", name).status == 0
    assert name not in served.admin("overview").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("ban", "--user", "carl", "--for", "7d", "--reason", "x"), "no such person"),
        (("ban", "--for", "7d", "--reason", "x"), "no such person"),
        (("ban", "--user", "bert", "--for", "soon", "--reason", "x"), "1m"),
        (("ban", "--user", "bert", "--for", "999999w", "--reason", "x"), "520w"),
        (("ban", "--user", "bert", "--for", "7d", "--reason", ""), "text"),
        (("ban", "--address", "nowhere", "--for", "7d", "--reason", "x"), "nowhere"),
        (("ban", "--address", "127.0.0.1", "--for", "7d", "--reason", "x"), "127.0.0.1"),
        (("lift", "nothing"), "nothing"),
        (("close", "t9", "--word", "Good night"), "no such table"),
        (("settle", 9), "9"),
        (("report", 0), "0"),
        (("report", 10**30), "nothing"),
        (("settle", 10**30), "nothing"),
        (("mute", "--user", "bert", "--for", "7d", "--reason", "x", "--report", 10**30), "nothing"),
        (("mute", "--user", "\udcff", "--for", "7d", "--reason", "x"), "no such person"),
        (("close", "\udcff", "--word", "x"), "no such table"),
        (("lift", "\udcff"), "nothing"),
        (("ban", "--user", "bert", "--for", "0m", "--reason", "x"), "1m"),
        (("limit", "bohns", 3), "bohns"),
        (("limit", "bohns", "usual"), "bohns"),
        (("limit", "tables", "nan"), "nan"),
        (("limit", "tables", "inf"), "inf"),
        (("limit", "tables", "many"), "many"),
        (("limit", "tables", -1), "-1"),
        (("limit", "tables", 2.5), "2.5"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    served: Served, arguments: tuple[object, ...], said: str
) -> None:
    """It says what was wrong, and nothing is done: the log stays empty."""
    refused = served.admin(*arguments)

    assert refused.status == 2
    assert said in refused.err
    assert refused.err.count("\n") == 1
    assert "All 0 entries" in served.admin("log").out


def test_everybodys_address_is_sanctioned_only_anyway(served: Served) -> None:
    """The address of a whole provider needs a second word."""
    ban = ("ban", "--address", "100.64.1.0/24", "--for", "1h", "--reason", "x")

    assert served.admin(*ban).status == 2
    assert served.admin(*ban, "--anyway").status == 0


def test_report_is_shown_with_what_was_done_about_it(served: Served) -> None:
    """It is open until something is done."""
    served.admin("suspend", "--user", "bert", "--for", "forever", "--reason", "Insults", "--report", 1)
    shown = served.admin("report", 1).out
    assert "you bean" in shown
    assert "suspend" in shown

    assert columns(served.admin("reports"))[1] == "x"


def test_limit_is_set_and_goes_back_to_the_usual(served: Served) -> None:
    """The list has both values, and between what it may be."""

    def told() -> list[str]:
        return next(line.split() for line in served.admin("limits").out.splitlines() if "sockets " in line)

    assert served.admin("limit", "sockets", 77).status == 0
    assert told()[1] == "77"
    assert served.admin("limit", "sockets", "usual").status == 0
    assert told()[1] == told()[2]
    assert len(served.admin("limits").out.splitlines()) == 1 + len(CHANGEABLE)


def test_log_that_was_changed_is_found_out(served: Served) -> None:
    """Without the database's own guards too; the first changed entry is named."""
    for limit in (77, 78, 79):
        served.admin("limit", "sockets", limit)
    assert "All 3 entries" in served.admin("log").out
    with served.database() as database:
        database.execute("DROP TRIGGER deeds_kept")
        database.execute("UPDATE deeds SET text = '99' WHERE id = 2")

    found = served.admin("log")
    assert found.status == 2
    assert "entry 2" in found.err


def test_link_is_for_one_sign_in_at_the_address_of_the_server(served: Served) -> None:
    """The secret stands behind `#`, where no log of a proxy has it; only the making is in the log."""
    made = served.admin("link", "--url", "https://bohn.example.org/")
    secret = made.out.split("https://bohn.example.org/operator#")[1].strip()

    log = served.admin("log").out
    assert len(secret) >= 40
    assert "sign-in" in log
    assert secret not in log


def test_link_says_which_address_it_takes_for_the_servers(served: Served) -> None:
    """Unless it was told; beside the link, so that a pipe has that alone."""
    guessed = served.admin("link")
    assert "http://localhost:8000" in guessed.err
    assert guessed.out.count("\n") == 1
    long = f"https://{'bohn.' * 60}example.org"
    told = served.admin("link", "--url", long)
    assert (told.err, long in told.out) == ("", True)


def test_link_is_for_the_network_that_is_named_and_the_origin_of_the_settings(served: Served) -> None:
    """Both as the server has them."""
    settings = served.settings(origins=["https://bohn.example.org"])
    made = served.admin("--settings", settings, "link", "--from", "203.0.113.9")

    assert (made.err, "https://bohn.example.org/operator#" in made.out) == ("", True)
    assert "link 203.0.113.9/32" in served.admin("log").out


def test_settings_of_the_server_hold_at_the_terminal(served: Served) -> None:
    """Its limits are the usual ones, and its proxies are everybody's addresses."""
    settings = served.settings(proxies=["203.0.113.0/28"], limits={"sockets": 55})
    limits = served.admin("--settings", settings, "limits").out.splitlines()
    assert next(line.split() for line in limits if line.startswith("sockets "))[1:3] == ["55", "55"]
    ban = ("--settings", settings, "ban", "--address", "203.0.113.7", "--for", "1h", "--reason", "x")
    assert "203.0.113.7" in served.admin(*ban).err


def test_notes_of_an_operator_are_in_the_log(served: Served) -> None:
    """Why a sanction was lifted, and why nothing is to be done."""
    name = columns(served.admin("mute", "--user", "bert", "--for", "7d", "--reason", "x"))[0]
    served.admin("lift", name, "--word", "He has apologised")
    served.admin("settle", 1, "--word", "A joke")

    assert [line.split("  ")[-1].strip() for line in served.admin("log").out.splitlines()[2:4]] == [
        "He has apologised",
        "A joke",
    ]


def test_names_move_no_cursor_of_the_terminal(served: Served) -> None:
    """What people have written is printed without control characters and without what turns a line round."""
    printed = served.admin("people").out
    assert "Be [2Jrt" in printed
    assert "\x1b" not in printed
    assert "\u202e" not in served.admin("report", 1).out


def test_columns_have_headings_and_are_as_wide_as_they_look(served: Served) -> None:
    """A letter of Chinese takes two places."""
    with served.database() as database:
        database.execute("UPDATE users SET name = '李小龍' WHERE id = 'anna'")
    printed = served.admin("people").out.splitlines()

    assert printed[0].split() == ["USER", "NAME", "LANGUAGE", "USED", "SANCTION"]
    places = [
        cell_len(line[: line.index(word)]) for line, word in zip(printed, ("LANG", "en ", "de "), strict=True)
    ]
    assert len(set(places)) == 1


def test_list_that_is_cut_says_so(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the rows, which a pipe may count."""
    monkeypatch.setattr("bohn.cli.admin.LISTED", 1)
    cut = served.admin("people")

    assert len(cut.out.splitlines()) == 2
    assert "first 1 " in cut.err
    assert served.admin("reports").err == ""


def test_sanction_of_who_has_made_a_program_is_shown_at_the_program(served: Served) -> None:
    """It holds for both; the one of a network is nobody's by name."""
    with served.database() as database:
        database.execute("UPDATE users SET made_by = 'anna' WHERE id = 'bert'")
    served.admin("mute", "--address", "203.0.113.7", "--for", "7d", "--reason", "x")
    assert "mute" not in served.admin("people").out
    served.admin("suspend", "--user", "anna", "--for", "7d", "--reason", "x")

    assert [line.split()[-1] for line in served.admin("people").out.splitlines()[1:]] == ["suspend"] * 2


def test_log_says_who_did_it_and_not_who_he_says_he_is(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variables of the environment are his own to set."""
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody-else")
    served.admin("limit", "sockets", 77)

    assert "somebody-else" not in served.admin("log").out


def test_folder_without_a_server_is_refused(bohn: Run, tmp_path: Path) -> None:
    """Nothing is made there: an operator has named the wrong folder."""
    refused = bohn("admin", "--data", tmp_path / "other", "overview")

    assert refused.status == 2
    assert "bohn.sqlite" in refused.err
    assert not (tmp_path / "other").exists()


def test_test_of_a_way_stands_in_the_log(served: Served) -> None:
    """With the way and what came of it, not with the address: whoever knows a hook may post there."""
    file = served.settings(alerts={"hooks": True, "private": True})
    tried = served.admin("--settings", file, "test", "hook", "http://127.0.0.1:9/secret")
    assert tried.status != 0
    log = served.admin("log").out
    assert "hook" in log
    assert "unreachable" in log
    assert "secret" not in log
