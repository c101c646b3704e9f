"""The numbers in an author's text: find them, check them, keep them current."""
