"""How long tests wait for what should come at once."""

PATIENCE = 120.0
"""Seconds after which a test gives up: a guard against hanging, far beyond what a busy machine takes."""
