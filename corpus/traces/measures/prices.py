"""What the tokens of a run cost, by a table of prices that the user gives."""

import csv
import io
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from corpus.model.finding import CorpusError, Finding, Rule
from corpus.tables.content import read_text
from corpus.traces.measures.metrics import Numbers, finite
from corpus.traces.measures.spending import Tokens, known_tokens
from corpus.traces.measures.timing import summed
from corpus.traces.model import DISJOINT_KINDS, PRICE_CLASSES, PRICED_KINDS
from corpus.traces.run import Run

BAD_PRICES = Rule(
    "OT401",
    "{problem}",
    "write a row per model and kind under the header model,kind,price (of a million tokens); kinds "
    "are input, cached, cache_write, output, reasoning, cache_write_1h, input_audio, output_audio",
    title="Price table not readable",
    reason="A guessed price, or one of two that differ, gives a wrong cost that nobody notices.",
)


MILLION = 1_000_000
NO_KIND = "(kind not stated)"

#: Price of a million tokens by model and kind.
Prices: TypeAlias = dict[tuple[str, str], float]

_HEADER = ["model", "kind", "price"]
_ROUNDING = 1e-6
_PRICE = re.compile(r"\+?([0-9]++\.?[0-9]*+|\.[0-9]++)(e[+-]?[0-9]++)?", re.IGNORECASE)


def priced(
    prices: Prices, run: Run, by_model: dict[str, Tokens]
) -> tuple[Numbers, list[dict[str, Any]]]:
    """Return what a run costs, given its tokens by model.

    Each model gets the ``price`` of the tokens that have one.

    Returns
    -------
    measures : dict of str to number
        Price and tokens without one; None where the trace records no tokens.
    unpriced : list of dict
        The other tokens: model (empty where the trace does not tell), kind and tokens.
    """
    total = known_tokens(run)
    unpriced: list[dict[str, Any]] = []
    # Producers that count tokens only in all do not tell whose they are.
    unknown = declared = total or 0
    for model, tokens in by_model.items():
        price = 0.0
        for kind, number in _billed(model, tokens, prices):
            of_kind = prices.get((model, kind))
            if of_kind is None:
                unpriced.append({"model": model, "kind": kind, "tokens": number})
            else:
                price += number * of_kind / MILLION
        tokens["price"] = price
        unknown -= tokens["tokens"] or 0
    if unknown > _ROUNDING * declared:
        unpriced.append({"model": "", "kind": NO_KIND, "tokens": unknown})
    measures: Numbers = {"price": None, "unpriced_tokens": None}
    if total is not None:
        measures["unpriced_tokens"] = finite(summed(one["tokens"] for one in unpriced))
        # What has no price is not free: the price of the whole is unknown then.
        if not unpriced:
            measures["price"] = finite(summed(one["price"] or 0 for one in by_model.values()))
    return measures, unpriced


def _billed(model: str, tokens: Tokens, prices: Prices) -> Iterator[tuple[str, float]]:
    """Yield the tokens to pay for by kind.

    Reasoning is apart only where it has its own price; a class with prices of its own always is.
    """
    kinds = {kind: tokens.get(kind) or 0 for kind in PRICED_KINDS}
    unsorted = (tokens["tokens"] or 0) - sum(map(kinds.__getitem__, DISJOINT_KINDS))
    if (model, "reasoning") not in prices or kinds["reasoning"] > kinds["output"]:
        kinds["reasoning"] = 0
    kinds["output"] -= kinds["reasoning"]
    for part, whole in PRICE_CLASSES.items():
        kinds[part] = min(kinds[part], kinds[whole])
        kinds[whole] -= kinds[part]
    for kind, number in (*kinds.items(), (NO_KIND, unsorted)):
        if number > 0:
            yield kind, number


def read_prices(path: str | Path) -> Prices:
    """Read a table of prices: CSV with the columns model, kind, price (of a million tokens).

    Lines before the header may begin with ``#``.

    Raises
    ------
    CorpusError
        OT401 with every fault of the table; C101 to C106 where it is not a text.
    """
    file = str(path)
    text = read_text(file, file).removeprefix("\ufeff")
    notes = 0
    while text.startswith("#"):
        _, _, text = text.partition("\n")
        notes += 1
    prices: Prices = {}
    lines: dict[tuple[str, str], int] = {}
    findings: list[Finding] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        if header != _HEADER:
            problem = "the header is not model,kind,price"
            raise BAD_PRICES.error(file, notes + 1, "", ",".join(header), problem=problem)
        for cells in reader:
            line = notes + reader.line_num
            faults = list(_faults(cells, lines))
            for column, value, problem in faults:
                findings.append(BAD_PRICES.at(file, line, column, value, problem=problem))
            if not faults:
                model, kind, price = cells
                lines[model, kind] = line
                prices[model, kind] = float(price)
    except csv.Error as error:
        raise BAD_PRICES.error(file, notes + reader.line_num, problem=f"not CSV: {error}") from None
    if findings:
        raise CorpusError(findings)
    if not prices:
        raise BAD_PRICES.error(file, notes + 1, problem="the table has no row")
    return prices


def _faults(cells: list[str], lines: dict[tuple[str, str], int]) -> Iterator[tuple[str, str, str]]:
    """Yield column, value and problem of each fault of a row; `lines` has the rows before it."""
    if len(cells) != len(_HEADER):
        yield "", ",".join(cells), f"{len(cells)} cells instead of {len(_HEADER)}"
        return
    model, kind, price = cells
    if not model or model != model.strip():
        yield "model", model, "the model is empty or has whitespace around it"
    if kind not in PRICED_KINDS:
        yield "kind", kind, f"{kind!r} is not a kind of tokens"
    # float() also reads 1_000, infinity and digits of other scripts, which nobody means.
    if not _PRICE.fullmatch(price) or math.isinf(float(price)):
        yield "price", price, f"{price!r} is not a price from 0 on"
    if (model, kind) in lines:
        yield "model", model, f"the price of this model and kind is in line {lines[model, kind]}"
