"""Made-up corpora that tests write and read."""
