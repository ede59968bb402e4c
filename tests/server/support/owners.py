"""Somebody with an account: at the page of the relying party, with an authenticator in software."""

from __future__ import annotations

from typing import Any

from bohn.server.settings import Settings
from tests.server.support.authenticator import Authenticator
from tests.server.support.http import HttpReply
from tests.server.support.site import Place, Visitor, checked

ORIGIN = "https://bohn.example.org"
SETTINGS = Settings(relying_party="bohn.example.org", origins=(ORIGIN,))
HEADERS = {"host": "bohn.example.org", "origin": ORIGIN}


class Owner(Visitor):
    """Somebody at the page of the relying party, with an authenticator."""

    def __init__(self, place: Place, cookie: str = "", user: str = "") -> None:
        """Sit down before the page."""
        super().__init__(place.app, cookie)
        self.place = place
        self.user = user
        self.headers |= HEADERS

    def again(self, cookie: str) -> None:
        """Have another cookie from now on."""
        self.headers["cookie"] = cookie

    async def begin(self, what: str, body: Any = None) -> dict[str, Any]:
        """Begin a ceremony, and return ticket and options."""
        begun: dict[str, Any] = await self.post(f"/api/account/{what}/begin", body)
        return begun

    async def become(self, key: Authenticator, handle: str = "anna") -> list[str]:
        """Become an account, and return the recovery codes."""
        codes: list[str] = checked(await self.make(key, handle))["codes"]
        return codes

    async def make(self, key: Authenticator, handle: str = "", **more: Any) -> HttpReply:
        """Make a passkey, and return the answer."""
        begun = await self.begin("passkeys", {"handle": handle})
        credential = key.make(begun["options"], ORIGIN, **more)
        return await self.finish("passkeys", begun, credential)

    async def finish(self, what: str, begun: dict[str, Any], credential: dict[str, Any]) -> HttpReply:
        """Send the answer of an authenticator."""
        return await self.ask(
            "POST", f"/api/account/{what}", {"ticket": begun["ticket"], "credential": credential}
        )

    async def sign_in(self, key: Authenticator, origin: str = ORIGIN, **more: Any) -> HttpReply:
        """Sign in by a passkey; if that is accepted, go on as its owner."""
        begun = await self.begin("sign-in")
        answer = await self.finish("sign-in", begun, key.sign(begun["options"], origin, **more))
        if answer.status == 200:
            self.again(answer.cookie)
        return answer

    async def recover(self, code: str) -> HttpReply:
        """Sign in by a recovery code; if that is accepted, go on as its owner."""
        answer = await self.ask("POST", "/api/account/recover", {"code": code})
        if answer.status == 200:
            self.again(answer.cookie)
        return answer


async def come(place: Place, name: str = "Anna") -> Owner:
    """Let a guest come in at the page of the relying party."""
    answer = await Owner(place).ask("POST", "/api/guests", {"name": name})
    return Owner(place, answer.cookie, checked(answer)["user"])


def refused(answer: HttpReply) -> str:
    """Return the reason of a refusal."""
    assert answer.status >= 400, answer
    return str(answer.json()["reason"])
