"""Files that other programs wrote: spreadsheets, reference managers, screening tools, awesome lists."""
