"""Files that other programs wrote, one reader per format; `formats` lists them."""
