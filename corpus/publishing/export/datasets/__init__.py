"""Published data sets: packages that describe themselves, and vocabularies as linked data."""
