"""The text forms of beans, positions, commands, records and scenarios: written, and read back."""
