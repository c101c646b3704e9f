"""Checks on works: identity, duplicates, and what sources state about them."""
