"""Losses of a conversion: counted, in the order in which they were first noted."""

from corpus.traces.convert.format import DROPPED, Loss


def test_a_loss_is_plain_values_for_json():
    loss = Loss(DROPPED, "a:1", "tokens", 3)
    assert loss.as_dict() == {"kind": "dropped", "place": "a:1", "what": "tokens", "count": 3}
