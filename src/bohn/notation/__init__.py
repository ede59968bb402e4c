"""Text forms: beans, positions, commands, records and scenarios, written and read back."""
