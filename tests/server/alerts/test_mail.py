"""E-mail goes out by the operator's server: in the clear, by STARTTLS, or by TLS, while it is worth it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bohn.server import mail
from bohn.server.mail import Letter, Mailer, NotMailed
from bohn.server.settings import Mail, Settings, is_mail_address
from tests.server.support.mail_server import SENDER, MailServer, certificate, mail_server

LETTER = Letter(
    "anna@example.org",
    "Dú ert næst",
    "Böhnchen\n猫",
    "https://bohn.example/api/mail/stop/c/" + "k" * 99,
    "table-t1",
)


def with_server(scenario: Callable[[MailServer], Awaitable[None]]) -> None:
    """Run a scenario with a mail server."""

    async def whole() -> None:
        async with mail_server() as server:
            await scenario(server)

    asyncio.run(whole())


async def failed(mailer: Mailer, letter: Letter = LETTER) -> NotMailed:
    """Return why a letter did not go out."""
    with pytest.raises(NotMailed) as raised:
        await mailer.send(letter)
    return raised.value


def test_letter_arrives_as_it_was_written() -> None:
    """In any script, from the address of the settings, and with the one press that ends such letters."""

    async def scenario(server: MailServer) -> None:
        assert await Mailer(server.settings).send(LETTER)

        (letter,) = server.letters
        assert (letter["From"], letter["To"]) == (f"Bohn <{SENDER}>", "anna@example.org")
        assert letter["Subject"] == "Dú ert næst"
        assert server.text() == "Böhnchen\n猫\n"
        assert letter["List-Unsubscribe"] == f"<{LETTER.stop}>"
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert letter["References"] == "<table-t1@bohn.example>"
        assert letter["Auto-Submitted"] == "auto-generated"
        assert letter["Message-ID"].endswith("@bohn.example>")

    with_server(scenario)


def test_letter_that_is_not_worth_it_any_more_does_not_go_out() -> None:
    """It is looked when the server is ready for it."""

    async def scenario(server: MailServer) -> None:
        assert not await Mailer(server.settings).send(LETTER, lambda: False)
        assert (server.letters, server.asked) == ([], 0)

    with_server(scenario)


@pytest.mark.parametrize(
    ("recipient", "late", "reason", "final"),
    [
        ("550 no such user", "", "550", True),
        ("451 later", "", "451", False),
        ("", "554 spam", "554", True),
        ("", "452 full", "452", False),
    ],
)
def test_refusal_for_good_is_told_from_one_that_passes(
    recipient: str, late: str, reason: str, *, final: bool
) -> None:
    """Of the recipient or of the letter: 5xx is for good, 4xx passes."""

    async def scenario(server: MailServer) -> None:
        server.refusal, server.late = recipient, late
        error = await failed(Mailer(server.settings))
        assert (error.reason, error.final) == (reason, final)

    with_server(scenario)


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # aiosmtpd does not know that TLS has begun
@pytest.mark.parametrize("at_once", [False, True])
def test_password_goes_out_encrypted_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, at_once: bool
) -> None:
    """By STARTTLS or at once; from a file or the environment, and tried again if it is wrong."""
    chain, context = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(chain))
    secret = tmp_path / "password"
    secret.write_text("beans\n", encoding="utf-8")

    async def whole() -> None:
        async with mail_server(context, at_once=at_once) as server:
            settings = Mail(
                "127.0.0.1", server.port, "tls" if at_once else "starttls", "bohn", str(secret), SENDER
            )
            assert await Mailer(settings).send(LETTER)
            monkeypatch.setenv("BOHN_SMTP_PASSWORD", "beans")
            assert await Mailer(replace(settings, password_file="")).send(LETTER)
            monkeypatch.setenv("BOHN_SMTP_PASSWORD", "peas")
            error = await failed(Mailer(replace(settings, password_file="")))
            assert (error.reason, error.final) == ("535", False)
            gone = await failed(Mailer(replace(settings, password_file=str(tmp_path / "none"))))
            assert gone.reason == "no-password"
            assert set(server.users) == {("bohn", "beans"), ("bohn", "peas")}
            assert len(server.letters) == 2

    asyncio.run(whole())


def test_server_that_nobody_vouches_for_gets_nothing(tmp_path: Path) -> None:
    """Its certificate is looked at."""
    _, context = certificate(tmp_path)

    async def whole() -> None:
        async with mail_server(context) as server:
            error = await failed(Mailer(replace(server.settings, tls="starttls")))
            assert (error.reason, server.letters) == ("tls", [])

    asyncio.run(whole())


def test_server_without_tls_gets_nothing_that_was_to_be_encrypted() -> None:
    """It is not sent in the clear instead."""

    async def scenario(server: MailServer) -> None:
        error = await failed(Mailer(replace(server.settings, tls="starttls")))
        assert (error.reason, error.final, server.letters) == ("not-supported", False, [])

    with_server(scenario)


def test_server_that_is_silent_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor one that is not there."""
    monkeypatch.setattr(mail, "SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        settings = Mail("127.0.0.1", port, "none", sender=SENDER)
        assert asyncio.run(failed(Mailer(settings))).reason == "slow"
    assert asyncio.run(failed(Mailer(settings))).reason == "unreachable"


def test_letter_that_has_waited_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else may have taken it meanwhile."""
    monkeypatch.setattr(mail, "SECONDS_TO_SEND", -1)

    async def scenario(server: MailServer) -> None:
        assert (await failed(Mailer(server.settings))).reason == "slow"
        assert server.asked == 0

    with_server(scenario)


@pytest.mark.parametrize(
    "text", ["anna@example.org", "a.b+c@host", "böhn@bücher.example", "x@[".replace("[", "y")]
)
def test_mail_address_is_one(text: str) -> None:
    """A mailbox at a host."""
    assert is_mail_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "anna",
        "@example.org",
        "anna@",
        "a b@example.org",
        "a@b@c",
        "a@b\r\nBcc: c@d",
        "<a@b>",
        "a,b@c",
        "a@-b",
        "a@b.",
        "x" * 250 + "@y.zz",
    ],
)
def test_what_is_no_mail_address_is_none(text: str) -> None:
    """Nothing that could add a header or a second recipient."""
    assert not is_mail_address(text)


@pytest.mark.parametrize(
    "mail_settings",
    [
        {"host": "mail.example"},
        {"host": "mail.example", "sender": "nobody"},
        {"host": "mail.example", "sender": SENDER, "user": "a", "tls": "none"},
        {"host": "mail.example", "sender": SENDER, "tls": "maybe"},
        {"host": "mail.example", "sender": SENDER, "password": "secret"},
    ],
)
def test_settings_of_mail_that_make_no_sense_are_refused(mail_settings: dict[str, str]) -> None:
    """No sender, a password in the clear, and a password in the settings themselves."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"mail": mail_settings}, Settings)


@pytest.mark.parametrize("ntfy", ["ntfy.sh", "ftp://ntfy.sh", "https://", "https://a b", "https://u@ntfy.sh"])
def test_ntfy_server_is_an_address(ntfy: str) -> None:
    """Of http or https."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"alerts": {"ntfy": ntfy}}, Settings)
