"""Pools of any size, resampled from the shipped one; keys, titles and identifiers are unique."""

from __future__ import annotations

import csv
import random
import re
import shutil
from pathlib import Path

DATA = Path(__file__).parent.parent / "data"
KEPT_TABLES = ("pool", "exclusions")
KEPT_SECTIONS = ("[corpus", "[vocabularies", "[[vocabularies", "[[crosstabs", "[[impossible")
WORDS = [
            "learning", "credit", "assignment", "team", "agents", "policy", "reward", "message",
            "token", "graph", "tree", "depth", "search", "planning", "debate", "role", "swarm",
            "parallel", "tool", "memory", "reasoning", "verifier", "critic", "hierarchical",
            "counterfactual", "shapley", "value", "exploration",
]  # fmt: skip


def make_pool(folder: Path, rows: int, seed: int = 7) -> Path:
    """Write a data folder whose pool has `rows` canonical rows, once per size, and return it."""
    data = folder / f"pool-{rows}"
    if (data / "pool.csv").exists():
        return data
    data.mkdir(parents=True, exist_ok=True)
    book = (DATA / "codebook.toml").read_text(encoding="utf-8")
    (data / "codebook.toml").write_text(_only_two_tables(book), encoding="utf-8")
    shutil.copy(DATA / "exclusions.csv", data)
    chance = random.Random(seed)
    with (DATA / "pool.csv").open(newline="", encoding="utf-8") as handle:
        header, *source = list(csv.reader(handle))
    with (data / "pool.csv.part").open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(header)
        for number in range(rows):
            writer.writerow(
                _row(dict(zip(header, chance.choice(source), strict=True)), number, chance).values()
            )
    (data / "pool.csv.part").rename(data / "pool.csv")
    return data


def _row(row: dict[str, str], number: int, chance: random.Random) -> dict[str, str]:
    """Give a copied row a key, a title, an identifier, an address and texts of its own."""
    row["key"] = f"paper-{number:08d}"
    row["title"] = " ".join(chance.choices(WORDS, k=8)).capitalize() + f" {number:x}"
    month, serial = divmod(number, 99_000)
    row["arxiv_id"] = (
        f"{7 + 8 + month // 12:02d}{month % 12 + 1:02d}.{serial + 1:05d}" if row["arxiv_id"] else ""
    )
    row["year"] = f"20{row['arxiv_id'][:2]}" if row["arxiv_id"] else row["year"]
    row["venue"] = re.sub(r"\b(?:19|20)[0-9]{2}\b", row["year"], row["venue"])
    if row["arxiv_id"] and chance.random() < 0.75:
        row["url"] = f"https://arxiv.org/abs/{row['arxiv_id']}"
    else:
        row["url"] = f"https://example.org/papers/{number}"
    # A text in two rows is a finding, and a pool of nothing but findings measures their printing.
    for name in ("one_liner", "notes"):
        if row[name]:
            row[name] += f" ({number:x})"
    return row


def _only_two_tables(book: str) -> str:
    """Keep the pool and the exclusion log; the side tables refer to the shipped entries."""
    kept, keep = [], True
    for block in book.split("\n\n"):
        head = next((line for line in block.split("\n") if line.startswith("[")), "")
        if head.startswith(("[tables.", "[[tables.")):
            keep = head.split(".")[1].rstrip("]") in KEPT_TABLES
        elif head == "[[rules]]":
            table = re.search(r'^table = "(.*)"$', block, re.MULTILINE)
            keep = table is None or table[1] in KEPT_TABLES
        elif head:
            keep = head.startswith(KEPT_SECTIONS)
        if keep:
            kept.append(block)
    return "\n\n".join(kept) + "\n"
