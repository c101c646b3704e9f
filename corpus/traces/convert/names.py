"""Names and identifiers that are given once."""

from collections import Counter


class UniqueNames:
    """Gives each name once.

    Parameters
    ----------
    taken : str
        Names that are never given.
    """

    def __init__(self, *taken: str) -> None:
        self._given = set(taken)
        # The last number of a name is kept: counting up from 1 each time takes a minute for 10,000.
        self._last_number: Counter[str] = Counter()

    def free(self, wanted: str, mark: str, *, ranks: bool = False) -> str:
        """Return the wanted name, with a mark and the next free number where it is given already.

        With `ranks`, the first one has its number, too.

        Examples
        --------
        >>> names = UniqueNames("user")
        >>> names.free("critic", "#"), names.free("critic", "#"), names.free("user", "#")
        ('critic', 'critic#2', 'user#2')
        >>> names.free("Explore", "-", ranks=True), names.free("Explore", "-", ranks=True)
        ('Explore-1', 'Explore-2')
        """
        first = f"{wanted}{mark}1" if ranks else wanted
        name = first
        while name in self._given:
            self._last_number[first] += 1
            name = f"{wanted}{mark}{self._last_number[first] + 1}"
        self._given.add(name)
        return name
