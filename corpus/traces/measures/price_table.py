"""A table of today's prices, from the package genai-prices, for models by their names in traces."""

from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from corpus.traces.measures.prices import Prices

# How the package calls the price of a million tokens of a kind.
_FIELDS = {
    "input": "input_mtok",
    "cached": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "output": "output_mtok",
    "reasoning": "output_reasoning_mtok",
    "input_audio": "input_audio_mtok",
    "output_audio": "output_audio_mtok",
}


def current_prices(models: Iterable[str]) -> tuple[Prices, list[str]]:
    """Return prices of today by model and kind, and what has none.

    A price that depends on how long a prompt is fits no table: such a kind has none here.

    Parameters
    ----------
    models : iterable of str
        Names as traces have them, such as ``claude-sonnet-4-5-20250929`` or ``openai/gpt-5``.

    Raises
    ------
    ModuleNotFoundError
        Where the package ``genai-prices`` is missing.
    """
    from genai_prices.data_snapshot import get_snapshot  # an extra

    snapshot = get_snapshot()
    now = datetime.now(UTC)
    prices: Prices = {}
    unknown = []
    for model in models:
        maker, slash, name = model.rpartition("/")
        try:
            _, found = snapshot.find_provider_model(
                name if slash else model, None, maker or None, None
            )
        except LookupError:
            unknown.append(f"{model}: not in genai-prices")
            continue
        stated: Any = found.get_prices(now)
        for kind, field in _FIELDS.items():
            price = getattr(stated, field, None)
            if hasattr(price, "tiers"):
                unknown.append(f"{model} {kind}: the price depends on the length of the prompt")
            elif price is not None:
                prices[model, kind] = float(price)
    return prices, unknown


def written_prices(prices: Prices) -> str:
    """Write a table of prices, with the date and where they are from."""
    today = datetime.now(UTC).date().isoformat()
    lines = [f"# genai-prices {version('genai-prices')}, {today}: dollars for a million tokens"]
    lines.append("model,kind,price")
    lines += [f"{model},{kind},{price:g}" for (model, kind), price in sorted(prices.items())]
    return "\n".join(lines) + "\n"
