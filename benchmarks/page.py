"""Measure the page with many rows in Chromium: ``python -m benchmarks.page [ROWS]``.

A filter may take 200 ms. The rows are those of the shipped pool, repeated under new keys. Times are
taken inside the page (performance.now), from the click or key to the changed page, laid out. Of
several runs the fastest counts, so that other work on the machine matters less.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUDGET = 200
STEPS = [
    "type:agent",
    "type:agent counterfactual",
    "type:",
    "credit_granularity:1",
    "reward_type:8",
    "category:0",
]
STEP = """([kind, what]) => {
  const field = document.getElementById("q"), start = performance.now();
  if (kind === "type") { field.value = what; field.dispatchEvent(new Event("input")); }
  else document.querySelectorAll(`fieldset[data-facet="${kind}"] input`)[Number(what)].click();
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def grown(folder: Path, rows: int) -> Path:
    """Copy the shipped corpus with `rows` entries; empty tables that refer to single entries."""
    data = folder / "data"
    shutil.copytree(ROOT / "data", data)
    for name in ("pool.csv", "bibliography.csv", "corrections.csv", "evidence", "audits"):
        for path in (
            sorted((data / name).glob("*.csv")) if (data / name).is_dir() else [data / name]
        ):
            with open(path, newline="", encoding="utf-8") as handle:
                header, *body = csv.reader(handle)
            again = (
                (body[n % len(body)] for n in range(rows))
                if name in ("pool.csv", "bibliography.csv")
                else ()
            )
            with open(path, "w", newline="", encoding="utf-8") as handle:
                writer = csv.writer(handle, lineterminator="\n")
                writer.writerow(header)
                writer.writerows([f"{row[0]}-{n:06}", *row[1:]] for n, row in enumerate(again))
    book = (data / "codebook.toml").read_text(encoding="utf-8")
    # Without claims there is no main finding either, because it is computed from them.
    book = book.replace('claims = "claims.toml"\n', "")
    book = re.sub(r"(?ms)^\[\[?finding\b.*?(?=^\[(?!\[?finding\b)|\Z)", "", book)
    (data / "codebook.toml").write_text(book, encoding="utf-8")
    return data


def measure(file: Path, runs: int = 5) -> dict[str, float]:
    """Return the best time of each step in milliseconds, and of opening the page."""
    from playwright.sync_api import sync_playwright

    chromium = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    times: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for _ in range(runs):
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            start = time.perf_counter()
            page.goto(file.as_uri())
            page.wait_for_selector("#list .entry")
            times.setdefault("open", []).append(1000 * (time.perf_counter() - start))
            for step in STEPS:
                times.setdefault(step, []).append(page.evaluate(STEP, step.split(":", 1)))
            page.close()
        browser.close()
    return {step: min(found) for step, found in times.items()}


def main(rows: int) -> int:
    """Print the times; 1 where a step is over the budget."""
    from click.testing import CliRunner

    from corpus.cli.main import main as corpus

    with tempfile.TemporaryDirectory() as folder:
        data, file = grown(Path(folder), rows), Path(folder) / "page.html"
        start = time.perf_counter()
        CliRunner().invoke(
            corpus, ["site", "--data", str(data), "-o", str(file)], catch_exceptions=False
        )
        seconds, megabytes = time.perf_counter() - start, file.stat().st_size / 1e6
        print(f"{rows} rows: written in {seconds:.1f} s, {megabytes:.1f} MB")
        times = measure(file)
    for step, milliseconds in times.items():
        print(f"  {step:<28}{milliseconds:>8.0f} ms")
    return int(any(milliseconds > BUDGET for step, milliseconds in times.items() if step != "open"))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
