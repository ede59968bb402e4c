"""What is sent to a browser is what RFC 8291 and RFC 8292 say."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.server.alerts.webpush import (
    Subscription,
    authorization,
    decoded,
    encoded,
    encrypt,
    is_valid,
    new_key,
    public_key_of,
)
from tests.server.support.push_service import Browser, b64, point_of, unb64, verified

ENDPOINT = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"
GIVEN = Subscription(
    ENDPOINT,
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "BTBZMqHH6r4Tts7J_aSIgg",
)
"""The subscription of RFC 8291, section 5."""


def test_message_of_the_standard_is_encrypted_as_there() -> None:
    """Byte by byte: the example of RFC 8291, appendix A."""
    salt = unb64("DGv6ra1nlYgDCS1FRnbzlw")
    own = unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")

    made = encrypt(GIVEN, b"When I grow up, I want to be a watermelon", salt, own)

    assert b64(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
        "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_browser_reads_what_is_encrypted_for_it() -> None:
    """And no other browser does."""
    browser = Browser()
    subscription = Subscription(ENDPOINT, b64(point_of(browser.key)), b64(browser.auth))

    made = encrypt(subscription, "Böhnchen".encode(), bytes(16), new_key())

    assert browser.read(made) == "Böhnchen".encode()


def test_signature_names_the_sender() -> None:
    """By the key that browsers subscribe with, for one push service and some hours."""
    secret = new_key()

    claims = verified(
        authorization(secret, "https://push.example.net", "mailto:a@b.c", 5_000), "https://push.example.net"
    )

    expected = {"aud": "https://push.example.net", "exp": 5 + 12 * 3600, "sub": "mailto:a@b.c"}
    assert claims == {**expected, "k": public_key_of(secret)}


def test_keys_that_are_none_are_refused() -> None:
    """Of another length, off the curve, or no base64url."""
    assert is_valid(GIVEN)
    bad = bytearray(decoded(GIVEN.p256dh))
    bad[40] ^= 1
    for wrong in ("", "****", encoded(bytes(bad)), encoded(b"\x04" + bytes(64)), GIVEN.auth, "é"):
        assert not is_valid(replace(GIVEN, p256dh=wrong)), wrong
    for wrong in ("", "****", encoded(bytes(15)), encoded(bytes(17))):
        assert not is_valid(replace(GIVEN, auth=wrong)), wrong
