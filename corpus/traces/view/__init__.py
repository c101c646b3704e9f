"""The viewer: one HTML file with one or more runs, to step through, search and compare."""
