"""What browsers and authenticators are asked, and whether their answers are true: WebAuthn, by its library.

The library comes with ``bohn[accounts]`` and is imported when the first challenge is made.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from bohn.protocol.refusals import Problem, Refusal

TIMEOUT = 120_000
"""Ms a browser gives somebody to touch a key or look into the camera; the challenge holds for longer."""


class NewKey(Struct, frozen=True):
    """A passkey that an authenticator has just made."""

    id: str
    public_key: bytes
    sign_count: int
    backed_up: bool


class RelyingParty(Struct, frozen=True):
    """The host name that passkeys are made for, and the origins whose pages may use them."""

    id: str
    origins: tuple[str, ...]


def load() -> None:
    """Import the library, which takes a fifth of a second the first time."""
    import webauthn
    from confusable_homoglyphs import categories, confusables

    del webauthn, categories, confusables


def is_installed() -> bool:
    """Tell whether what ``bohn[accounts]`` asks for is there."""
    return find_spec("webauthn") is not None and find_spec("confusable_homoglyphs") is not None


def creation_options(
    party: RelyingParty, challenge: bytes, user: str, handle: str, name: str, known: tuple[str, ...]
) -> dict[str, Any]:
    """Return what ``navigator.credentials.create`` is given; who has a key of ``known`` makes no second."""
    import webauthn
    from webauthn.helpers import options_to_json_dict, structs

    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="Bohn",
        user_id=user.encode(),
        user_name=handle,
        user_display_name=name,
        challenge=challenge,
        timeout=TIMEOUT,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=_descriptors(known),
    )
    return options_to_json_dict(options)


def request_options(party: RelyingParty, challenge: bytes, known: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return what ``navigator.credentials.get`` is given; without ``known`` ids, any passkey of this host."""
    import webauthn
    from webauthn.helpers import options_to_json_dict, structs

    options = webauthn.generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        timeout=TIMEOUT,
        allow_credentials=_descriptors(known),
        user_verification=structs.UserVerificationRequirement.REQUIRED,
    )
    return options_to_json_dict(options)


def _descriptors(known: tuple[str, ...]) -> list[Any]:
    from webauthn.helpers import base64url_to_bytes, structs

    return [structs.PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known]


def verify_creation(party: RelyingParty, challenge: bytes, credential: dict[str, Any]) -> NewKey:
    """Return the new passkey; raises ``passkey-not-valid``, whatever is wrong with the answer."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url

    try:
        made = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            require_user_verification=True,
        )
    except Exception:  # noqa: BLE001 - what a stranger sends makes the library raise many kinds
        raise Refusal(Problem.PASSKEY_NOT_VALID) from None
    return NewKey(
        bytes_to_base64url(made.credential_id),
        made.credential_public_key,
        made.sign_count,
        made.credential_backed_up,
    )


def verify_assertion(
    party: RelyingParty, challenge: bytes, credential: dict[str, Any], public_key: bytes, sign_count: int
) -> int:
    """Return the new count of a passkey; raises ``passkey-not-valid``, whatever is wrong with the answer."""
    import webauthn

    try:
        used = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            require_user_verification=True,
        )
    except Exception:  # noqa: BLE001 - as above
        raise Refusal(Problem.PASSKEY_NOT_VALID) from None
    return used.new_sign_count
