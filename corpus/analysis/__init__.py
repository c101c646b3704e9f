"""What a corpus shows: counts, cross-tabulations, lists, neighbours. No files, no printing."""
