"""What the trainers share: the tiny model, and our rows of its recorded runs."""

import json

import pytest
from tiny import corpus, rollouts, tiny_model, tiny_tokenizer


@pytest.fixture
def tokenizer():
    return tiny_tokenizer()


@pytest.fixture
def model(tokenizer):
    return tiny_model(tokenizer)


@pytest.fixture
def rows(tokenizer, tmp_path):
    """Return a function that gives the rows of two attempts for a trainer, and the file with them."""
    rollouts(tokenizer, tmp_path / "rollouts.jsonl")
    runs, texts = tmp_path / "runs.jsonl", tmp_path / "texts.jsonl"
    corpus("convert", tmp_path / "rollouts.jsonl", "-o", runs, "--contents", texts)

    def write(*options):
        out = tmp_path / "rows.jsonl"
        corpus("convert", runs, "--contents", texts, "-o", out, *options)
        return [json.loads(line) for line in out.read_text().splitlines()], str(out)

    return write
