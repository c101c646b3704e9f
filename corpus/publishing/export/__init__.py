"""The corpus in the formats of other tools; `formats` lists them."""
