"""What reference managers and citation processors read."""
