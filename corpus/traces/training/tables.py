"""The tables of ``tables.toml``: columns of rows, schemes of credit, needs of training, rules."""

from corpus.traces.lookup import table_of

_FILE = table_of(__file__, "tables.toml")
#: Column -> type in Arrow, and what it has. Columns of rewards and credit follow.
COLUMNS: dict[str, tuple[str, str]] = _FILE["columns"]
#: By name of a scheme: formula, source, what a trace must have for it, options with defaults.
SCHEMES = _FILE["schemes"]
#: The values of the options that are words.
CHOICES: dict[str, list[str]] = _FILE["choices"]
#: Schemes that a recording cannot support, and what they would need.
REFUSED: dict[str, str] = _FILE["refused"]
#: Need -> which purposes need it of each turn, and what to do about it.
NEEDS: dict[str, tuple[list[str], str]] = _FILE["needs"]
