"""The ids of the tool calls of one run: unique in the trace, though recorders promise less."""

from __future__ import annotations


class CallIds:
    """Makes the call ids of a run unique.

    Models and formats number their calls for each agent anew, so that two sub-agents may both have
    a ``call_1``; in a trace, an id joins one call with one result.
    """

    def __init__(self) -> None:
        self._ids: dict[tuple[str, str], str] = {}
        self._given: set[str] = set()
        # The last number of an id is kept: in the older form of chats, every call of one function
        # has one id, and counting up from 1 for each of 10,000 takes a minute.
        self._last_number: dict[str, int] = {}

    def unique(self, written: str) -> str:
        """Return the id of one more call: as it is in the source, with a number if another has it.

        Examples
        --------
        >>> ids = CallIds()
        >>> ids.unique("call_1"), ids.unique("call_1"), ids.unique("call_1.2")
        ('call_1', 'call_1.2', 'call_1.2.2')
        """
        number = self._last_number.get(written, 0) + 1
        free = _numbered(written, number)
        while free in self._given:
            number += 1
            free = _numbered(written, number)
        self._last_number[written] = number
        self._given.add(free)
        return free

    def find(self, scope: str, written: str) -> str:
        """Return the id of a call that a result names.

        Of another scope, where `scope` has no such call.
        """
        return self._ids.get((scope, written), written)

    def scoped(self, scope: str, written: str) -> str:
        """Return the id of a call in the trace.

        Parameters
        ----------
        scope : str
            Where the id is unique in the source: an agent, a thread, a trajectory.
        written : str
            The id in the source; one that a call of another scope has gets a number.

        Examples
        --------
        >>> ids = CallIds()
        >>> ids.scoped("a", "call_1"), ids.scoped("b", "call_1"), ids.scoped("a", "call_1")
        ('call_1', 'call_1.2', 'call_1')
        """
        if (scope, written) not in self._ids:
            self._ids[scope, written] = self.unique(written)
        return self._ids[scope, written]


def _numbered(written: str, number: int) -> str:
    return written if number == 1 else f"{written}.{number}"
