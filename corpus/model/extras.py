"""Packages that only some commands need: the extras of the distribution."""

from collections.abc import Iterator
from contextlib import contextmanager

from corpus.model.finding import UsageProblem


@contextmanager
def optional_package(extra: str) -> Iterator[None]:
    """Import a package of an extra in this context; where it is missing, the extra is named."""
    try:
        yield
    except ModuleNotFoundError as error:
        advice = f"pip install 'mas-rl-corpus[{extra}]'"
        raise UsageProblem(f"this needs {error.name}: {advice}") from None
