"""Faults of every kind under load, and a checker that compares every promise with the log."""
