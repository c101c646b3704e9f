"""TOML documents: read key by key, with the line of each mistake; first of all the codebook."""
