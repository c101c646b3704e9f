"""Text for people and programs: terminal, Markdown, LaTeX, HTML, GitHub. Every sink escapes for itself."""
