"""One step each, written by hand, never changed once released."""
