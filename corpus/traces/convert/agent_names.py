"""The names of the agents of one run: redacted, and never one name for two agents."""

from __future__ import annotations

from collections.abc import Callable

from corpus.traces.convert.redaction import Redaction

#: The agent that represents all people of a run.
USER = "user"


class AgentNames:
    """Gives each agent of a run a name of its own.

    Parameters
    ----------
    redaction : Redaction
        Decides which names may leave the source.
    """

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        # An agent may be called so in the source, and must not act as the people of the run.
        self._given: set[str] = {USER}
        self._last_number: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """Name a new agent: the wanted name, with ``#2`` and so on where others have it.

        Examples
        --------
        >>> names = AgentNames(Redaction())
        >>> names.unique("critic"), names.unique("critic"), names.unique("")
        ('critic', 'critic#2', 'agent')
        """
        base = self._redaction.name(wanted, "agent")
        return self._first_free(lambda number: numbered(base, number))

    def ranked(self, role: str) -> str:
        """Name a new agent by its role and its rank among the agents of that role.

        Examples
        --------
        >>> names = AgentNames(Redaction())
        >>> names.ranked("Explore"), names.ranked("Explore"), names.ranked("")
        ('Explore-1', 'Explore-2', 'agent-1')
        """
        base = self._redaction.name(role, "agent")
        return self._first_free(lambda number: f"{base}-{number}")

    def _first_free(self, name_of: Callable[[int], str]) -> str:
        # The last number of a name is kept: counting up from 1 each time is slow for 1,000 clones.
        number = self._last_number.get(name_of(1), 0) + 1
        while name_of(number) in self._given:
            number += 1
        self._last_number[name_of(1)] = number
        self._given.add(name_of(number))
        return name_of(number)


def numbered(name: str, number: int) -> str:
    """Return the name of the `number`-th agent that is called `name`."""
    return name if number == 1 else f"{name}#{number}"
