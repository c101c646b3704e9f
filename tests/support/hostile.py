"""Cells that someone may paste; every sink must print them as plain text."""

import csv
import io
import json
from pathlib import Path

HOSTILE = [
    r"\input{/etc/passwd}",
    r"\write18{touch /tmp/owned}",
    "100% & #1 _x_ {y} ~ ^ $z$",
    "<script>alert(1)</script>",
    "![a](javascript:alert(1))",
    "::error::owned",
    "多智能体强化学习",
    "مرحبا \u202e بالعالم",
    "emoji 😀😀 and \u200b nothing",
    "a--b ''q'' ``x'' <<y>> {{ z }} <% for %>",
    "\\\\ \\end{longtable} \\end{document}",
    "<!-- x --> | y",
    "x" * 5000,
    "W" * 200,
    "=1+1 @me #12 www.example.org",
    "é" * 60,
]

#: Texts that programs are known to mistake for something else, by class; made up here.
NAUGHTY = json.loads(Path(__file__).with_name("naughty.json").read_text(encoding="utf-8"))
NAUGHTY["long"] = ["x" * 5000, "é" * 300, "a-" * 300, "\u0301" * 40]


def hostile_pool(folder):
    """Put hostile text into every free text cell of the real pool's first rows."""
    path = folder / "pool.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    positions = [
        rows[0].index(name) for name in ("title", "first_author", "venue", "one_liner", "notes")
    ]
    for number, row in enumerate(rows[1 : len(HOSTILE) + 1]):
        for shift, position in enumerate(positions):
            row[position] = HOSTILE[(number + shift) % len(HOSTILE)]
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    path.write_text(buffer.getvalue(), encoding="utf-8", newline="")
