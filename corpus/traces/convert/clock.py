"""When things happen in a source, and what is lost of them."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Self

from corpus.traces.convert.events import QueuedEvent
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, MISSING, LossList, Redaction
from corpus.traces.lookup import iso_time


@dataclass(eq=False)
class Clock:
    """The events of a run so far, the moment that is read, and the losses.

    Attributes
    ----------
    trace_id, system : str
        Id of the run, and the format that it is recorded in.
    redaction : Redaction
        What may leave the source.
    place : str
        Where the losses of the whole run are noted.
    has_clock : bool
        Whether the source has times; without, all times are marked as inferred.
    unit : str
        What the times count where `has_clock` is false: turns or steps.
    order : str
        Edge type between two events of one agent: ``causal`` where the source chains them, else
        ``temporal``.
    """

    trace_id: str
    system: str
    redaction: Redaction
    place: str = ""
    _: KW_ONLY
    has_clock: bool = True
    unit: str = "turns"
    order: str = field(default="causal", init=False)
    losses: LossList = field(default_factory=LossList, init=False)
    events: list[QueuedEvent] = field(default_factory=list, init=False)
    _time: float | None = field(default=None, init=False)
    _last_time: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if not self.has_clock:
            self.order = "temporal"
            self.inferred(f"there is no clock; t counts the {self.unit}")

    def __len__(self) -> int:
        return len(self.events)

    def at(self, time: float | None, place: str = "") -> Self:
        """Set when, and at which place of the source, all happens that is added from now on."""
        self._time = time
        self.place = place or self.place
        return self

    def clock(self, written: object, number: int) -> float | None:
        """Return the time that a source writes; without a clock, the number of the turn."""
        return iso_time(written) if self.has_clock else float(number)

    def missing(self, what: str, place: str = "", count: int = 1) -> None:
        """Note calls, agents or tokens that the source tells of and no event has."""
        self.losses.add(MISSING, place or self.place, what, count)

    def dropped(self, what: str, place: str = "", count: int = 1) -> None:
        """Note what the trace has less than its source; equal losses are counted."""
        self.losses.add(DROPPED, place or self.place, what, count)

    def inferred(self, what: str, place: str = "", count: int = 1) -> None:
        """Note what the trace states and its source does not."""
        self.losses.add(INFERRED, place or self.place, what, count)

    def ambiguous(self, what: str, place: str = "") -> None:
        """Note one reading of several."""
        self.losses.add(AMBIGUOUS, place or self.place, what)

    def unknown(
        self, what: str, kind: str, place: str = "", count: int = 1, role: str = "type"
    ) -> None:
        """Note what has a kind that means nothing here; `role` is what the kind is one of."""
        self.dropped(f"{what} {self.redaction.name(kind, role)}", place, count)
