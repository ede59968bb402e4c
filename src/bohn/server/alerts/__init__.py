"""Alerts: whoever a game waits for is told where he is, by the channels that he has chosen."""
