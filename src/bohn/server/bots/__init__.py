"""The computer players in the seats: the processes in which they decide, and when each looks at its table."""
