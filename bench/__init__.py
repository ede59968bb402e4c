"""Measurements: medians of several runs, printed beside their goals."""
