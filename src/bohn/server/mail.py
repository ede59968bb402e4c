"""E-mail: letters in plain text that go out by the operator's SMTP server.

``smtplib`` does it, in threads of its own: it comes with Python and is kept with it, its sockets have a time
limit, and the one server it talks to is the operator's.
"""

from __future__ import annotations

import asyncio
import smtplib
import ssl
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email import policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

import structlog
from msgspec import Struct

from bohn.server.secrets_kept import secret_of
from bohn.server.settings import Mail

LOG = structlog.get_logger("bohn.mail")

PASSWORD = "BOHN_SMTP_PASSWORD"  # noqa: S105 - the name of a variable
"""The environment variable of the password."""

SECONDS = 10
"""For which each answer of the server is waited."""

SECONDS_TO_SEND = 30
"""In which a letter must begin to go out; it is given up then."""

AT_ONCE = 4
"""Letters that go out at the same time."""

POLICY = policy.SMTP.clone(max_line_length=900)
"""Long lines stay whole: folded, the address in List-Unsubscribe would be none that a program can press."""

USUAL_PORTS = {"starttls": 587, "tls": 465, "none": 25}


class NotMailed(Exception):  # noqa: N818 - a fact
    """A letter did not go out; ``reason`` is a word or a status of SMTP, for logs and the operator.

    ``final``: the server will not take it for this address, however often it is tried.
    """

    def __init__(self, reason: str, *, final: bool = False) -> None:
        """Take the word."""
        self.reason = reason
        self.final = final
        super().__init__(reason)


class Letter(Struct, frozen=True):
    """A letter; ``stop`` is the address at which one press ends such letters (RFC 8058).

    Letters about the same ``thread`` are shown together.
    """

    to: str
    subject: str
    text: str
    stop: str = ""
    thread: str = ""


def always() -> bool:
    """Tell that a letter is worth it still: most are of no turn."""
    return True


class Mailer:
    """Sends letters; ``offered`` tells whether there is a server to take them."""

    def __init__(self, settings: Mail) -> None:
        """Send by this server."""
        self._settings = settings
        self._threads: ThreadPoolExecutor | None = None
        self.offered = bool(settings.host)

    async def send(self, letter: Letter, lasts: Callable[[], bool] = always) -> bool:
        """Send a letter, unless it is not worth it any more when the server is ready for it: return that.

        Raises :class:`NotMailed`.
        """
        if self._threads is None:
            self._threads = ThreadPoolExecutor(AT_ONCE, "mail")
        loop = asyncio.get_running_loop()
        until = time.monotonic() + SECONDS_TO_SEND

        def asked() -> bool:
            """Look on the loop's own thread, directly before the letter goes out."""
            return asyncio.run_coroutine_threadsafe(_look(lasts), loop).result(SECONDS)

        try:
            return await loop.run_in_executor(self._threads, self._send, letter, asked, until)
        except NotMailed as error:
            LOG.info("letter-not-sent", reason=error.reason, final=error.final)
            raise

    def _send(self, letter: Letter, lasts: Callable[[], bool], until: float) -> bool:
        if time.monotonic() > until:
            raise NotMailed("slow")
        try:
            with self._connected() as server:
                if not lasts():
                    return False
                if time.monotonic() > until:
                    raise NotMailed("slow")
                server.send_message(self._message(letter), self._settings.sender, [letter.to])
        except smtplib.SMTPRecipientsRefused as error:
            code = max((code for code, _ in error.recipients.values()), default=0)
            raise NotMailed(str(code), final=code >= 500) from None
        except smtplib.SMTPDataError as error:
            raise NotMailed(str(error.smtp_code), final=error.smtp_code >= 500) from None
        except smtplib.SMTPResponseException as error:
            raise NotMailed(str(error.smtp_code)) from None
        except smtplib.SMTPNotSupportedError:
            raise NotMailed("not-supported", final=not letter.to.isascii()) from None
        except smtplib.SMTPServerDisconnected as error:
            slow = isinstance(error.__context__, TimeoutError)
            raise NotMailed("slow" if slow else "unreachable") from None
        except TimeoutError:
            raise NotMailed("slow") from None
        except ssl.SSLError:
            raise NotMailed("tls") from None
        except (OSError, smtplib.SMTPException, ValueError):
            raise NotMailed("unreachable") from None
        return True

    def _connected(self) -> smtplib.SMTP:
        """Return a connection that may send; raises what its parts raise."""
        known = self._settings
        place = (known.host, known.port or USUAL_PORTS[known.tls], known.sender.rpartition("@")[2])
        if known.tls == "tls":
            context = ssl.create_default_context()
            server: smtplib.SMTP = smtplib.SMTP_SSL(*place, timeout=SECONDS, context=context)
        else:
            server = smtplib.SMTP(*place, timeout=SECONDS)
        try:
            if known.tls == "starttls":
                server.starttls(context=ssl.create_default_context())
            if known.user:
                server.login(known.user, self._password())
        except BaseException:
            server.close()
            raise
        return server

    def _password(self) -> str:
        try:
            return secret_of(self._settings.password_file, PASSWORD)
        except (OSError, UnicodeDecodeError):
            raise NotMailed("no-password") from None

    def _message(self, letter: Letter) -> EmailMessage:
        sender = self._settings.sender
        domain = sender.rpartition("@")[2]
        made = EmailMessage(POLICY)
        made["From"] = f"Bohn <{sender}>"
        made["To"] = letter.to
        made["Subject"] = letter.subject
        made["Date"] = formatdate()
        made["Message-ID"] = make_msgid(domain=domain)
        made["Auto-Submitted"] = "auto-generated"
        if letter.thread:
            made["References"] = f"<{letter.thread}@{domain}>"
        if letter.stop:
            made["List-Unsubscribe"] = f"<{letter.stop}>"
            made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        made.set_content(letter.text)
        return made


async def _look(lasts: Callable[[], bool]) -> bool:
    return lasts()
