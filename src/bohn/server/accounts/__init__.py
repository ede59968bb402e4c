"""Accounts: passkeys and what stands in for them, handles that nobody can imitate, one's own data."""
