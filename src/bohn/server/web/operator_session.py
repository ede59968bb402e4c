"""The cookie of an operator's session: for this page alone, and sent by no other."""

from __future__ import annotations

from http.cookies import Morsel

from starlette.types import Scope

from bohn.server.web.api_request import is_secure, operator_cookie_name


def operator_cookie(scope: Scope, secret: str, age: int) -> tuple[str, str]:
    """Return the header that sets the cookie for ``age`` seconds; no script reads it, no page sends it."""
    made: Morsel[str] = Morsel()
    made.set(operator_cookie_name(scope), secret, secret)
    made.update({"path": "/", "max-age": str(age), "samesite": "Strict"})
    made["httponly"], made["secure"] = True, is_secure(scope)
    return ("set-cookie", made.OutputString())
