"""Losses of a conversion: counted, in the order in which they were first noted."""

from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Loss, LossList


def test_equal_losses_are_counted_and_the_first_place_is_kept():
    losses = LossList()
    losses.add(DROPPED, "b:2", "tokens", 40)
    losses.add(INFERRED, "a:1", "a time")
    losses.add(DROPPED, "a:9", "tokens", 2)
    losses.add(AMBIGUOUS, "a:1", "tokens")
    assert losses.all() == (
        Loss("dropped", "b:2", "tokens", 42),
        Loss("inferred", "a:1", "a time", 1),
        Loss("ambiguous", "a:1", "tokens", 1),
    )
    assert LossList().all() == ()


def test_a_loss_is_plain_values_for_json():
    loss = Loss(DROPPED, "a:1", "tokens", 3)
    assert loss.as_dict() == {"kind": "dropped", "place": "a:1", "what": "tokens", "count": 3}
