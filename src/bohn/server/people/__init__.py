"""Users: guests, sessions and tokens, names, chat."""
