"""Text for people and programs: for the terminal, Markdown, LaTeX, HTML and GitHub."""
