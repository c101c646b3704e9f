"""What the columns of a foreign table are, and the new corpus made of them."""
