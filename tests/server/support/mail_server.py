"""A mail server on this machine, by ``aiosmtpd``: it takes letters, or refuses them as it is told to."""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from bohn.server.settings import Mail

SENDER = "beans@bohn.example"


class MailServer:
    """Takes letters; ``refusal`` is what it says to a recipient, ``late`` what to the letter itself."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.port = 0
        self.letters: list[EmailMessage] = []
        self.refusal = ""
        self.late = ""
        self.asked = 0
        self.users: list[tuple[str, str]] = []

    @property
    def settings(self) -> Mail:
        """How it is reached."""
        return Mail(host="127.0.0.1", port=self.port, tls="none", sender=SENDER)

    async def handle_RCPT(  # noqa: N802 - as aiosmtpd calls it
        self, server: Any, session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient, or refuse him."""
        del server, session, options
        self.asked += 1
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802 - as above
        """Take a letter."""
        del server, session
        if self.late:
            return self.late
        content = envelope.content
        assert isinstance(content, bytes)
        self.letters.append(message_from_bytes(content, policy=policy.default))
        return "250 OK"

    def authenticate(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        """Let everybody in whose password is ``beans``."""
        del server, session, envelope, mechanism
        self.users.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=data.password == b"beans", handled=False)

    def text(self, number: int = -1) -> str:
        """Return what a letter says, the last one if no other is named."""
        body = self.letters[number].get_body()
        assert isinstance(body, EmailMessage)
        return str(body.get_content()).replace("\r\n", "\n")

    def link(self, what: str, number: int = -1) -> str:
        """Return what stands behind the kind of a link in a letter."""
        return self.text(number).partition(f"/mail#{what}.")[2].split()[0]


@asynccontextmanager
async def mail_server(
    tls: ssl.SSLContext | None = None, *, at_once: bool = False
) -> AsyncIterator[MailServer]:
    """Run a mail server on a free port; with a certificate, TLS begins by STARTTLS or at once."""
    found = MailServer()

    def made() -> SMTP:
        return SMTP(
            found,
            hostname="localhost",
            loop=asyncio.get_running_loop(),
            tls_context=None if at_once else tls,
            require_starttls=tls is not None and not at_once,
            auth_required=tls is not None,
            auth_require_tls=not at_once,
            authenticator=found.authenticate,
            enable_SMTPUTF8=True,
        )

    server = await asyncio.get_running_loop().create_server(
        made, "127.0.0.1", 0, ssl=tls if at_once else None
    )
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


def certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Return a certificate for this machine that nobody has signed, and what a server needs of it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain, secret = folder / "mail.pem", folder / "mail.key"
    chain.write_bytes(made.public_bytes(Encoding.PEM))
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, secret)
    return chain, context
