"""A survey about soil sensors, as somebody keeps it in a spreadsheet: other axes, one of them with several tags."""

from __future__ import annotations

import csv
import io

HEADER = (
    "Paper",
    "Author(s)",
    "Publication Year",
    "Journal",
    "Link",
    "Sensor principle",
    "Measured quantities",
    "Setting",
)
PRINCIPLES = ("capacitive", "optical", "acoustic", "time-domain", "thermal")
QUANTITIES = ("moisture", "salinity", "temperature", "density")
SETTINGS = ("field", "laboratory", "satellite")
FAMILIES = ("Ward", "Moor", "Fen", "Loam", "Till", "Peat")
SUBJECTS = (
    "Cheap probes",
    "Long cables",
    "Buried antennas",
    "Heat pulses",
    "Coated rods",
    "Fibre rings",
)
OBJECTS = (
    "heavy clay",
    "50% <peat> & moss",
    "dune sand",
    "frozen loam",
    "rice paddies",
    "volcanic ash",
)


def soil_table(rows: int = 36) -> str:
    """Return the spreadsheet as CSV; spellings vary as they do when people type."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(HEADER)
    for number in range(rows):
        year = 2010 + number % 12
        principle = PRINCIPLES[number * number % 5 if number % 7 else number % 3]
        first, second = QUANTITIES[number % 4], QUANTITIES[(number // 2 + 1) % 4]
        quantities = first if first == second or number % 3 else f"{first}; {second}"
        writer.writerow(
            (
                f"{SUBJECTS[number % 6]} for {OBJECTS[number // 6 % 6]}",
                f"{FAMILIES[number % 6]}, Ann; {FAMILIES[(number + 1) % 6]}, Bo",
                year,
                ("Journal of Soil Sensing", "Soil Letters", f"SenSys {year}")[number % 3],
                f"https://soil.example/{number + 1}",
                principle.capitalize() if number % 4 == 0 else principle,
                quantities,
                SETTINGS[0 if number % 5 else number % 3],
            )
        )
    return buffer.getvalue()
