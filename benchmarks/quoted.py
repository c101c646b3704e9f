"""Fill in the ratios that documents quote: ``python -m benchmarks.quoted``.

A document names a row of the table of targets (benchmarks/RESULTS.md) in a comment, and the ratio
follows it: ``<!-- benchmark: stats 1,000,000 corpus stats / polars -->1.8<!-- /benchmark -->``. A
whole run of the benchmarks fills them in by itself, and a test compares them with the table.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
DOCUMENTS = (ROOT / "README.md",)
MARKER = re.compile(
    r"(<!-- benchmark: (?P<row>[^>]+?) -->)(?P<ratio>.*?)(<!-- /benchmark -->)", re.DOTALL
)


def ratios(results: str) -> dict[str, str]:
    """Return the measured ratio of each target: ``case size ours / against`` -> ratio as quoted.

    >>> header = "| case | size | ours | against | measured |"
    >>> ratios(header + "\\n|---|---|---|---|---|\\n| stats | 84 | a b | c | 1.82 |")
    {'stats 84 a b / c': '1.8'}
    """
    found, header = {}, None
    for line in results.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if "against" in cells and "measured" in cells:
            header = cells
        elif header and not line.startswith("|"):
            break
        elif header and not set(line) <= set("|-: "):
            row = dict(zip(header, cells, strict=True))
            ratio = float(row["measured"])
            name = f"{row['case']} {row['size']} {row['ours']} / {row['against']}"
            found[name] = f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"
    return found


def filled(text: str, known: dict[str, str]) -> str:
    """Return a document with every quoted ratio as it was measured.

    Raises
    ------
    SystemExit
        Where the document quotes a row that was not measured.
    """

    def ratio(match: re.Match[str]) -> str:
        if match["row"] not in known:
            raise SystemExit(
                f"a document quotes {match['row']!r}, "
                f"which is not among the targets of {RESULTS.name}"
            )
        return f"{match[1]}{known[match['row']]}{match[4]}"

    return MARKER.sub(ratio, text)


def main() -> None:
    """Fill in the ratios of every document."""
    known = ratios(RESULTS.read_text(encoding="utf-8"))
    for document in DOCUMENTS:
        document.write_text(filled(document.read_text(encoding="utf-8"), known), encoding="utf-8")


if __name__ == "__main__":
    main()
