"""The corpus in the formats of other tools, one module per format; `formats` lists them."""
