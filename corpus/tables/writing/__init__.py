"""Files written whole or not at all, one writer at a time, in the canonical form."""
