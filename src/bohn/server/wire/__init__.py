"""The protocol: every frame and every body, as types (docs/protocol.md)."""
