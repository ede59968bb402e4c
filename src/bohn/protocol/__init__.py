"""The protocol: every frame, every body and every endpoint, as types and data (docs/protocol.md)."""
