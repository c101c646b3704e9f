"""The page: one HTML file with the whole corpus, to search, filter and read."""
