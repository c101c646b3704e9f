"""What a file repeats of another one: forks and resumed conversations begin with a copy."""

from collections.abc import Iterable


class Originals(dict[str, tuple[object, object]]):
    """Who wrote each row first, and what it said, by id.

    Two recorders state more than ids: Codex names the thread that one begins with a copy of, and
    Gemini writes the history anew into the same file.
    """

    def copied(self, rows: Iterable[tuple[str, object]], owner: object) -> int:
        """Return with how many rows of others some rows of `owner` begin.

        Made-up and trimmed files number anew, so that an id alone is no proof: a copy has the same
        content, too, from the first row on that has an id. The rows of one call share it.
        """
        border, is_own = 0, False
        proven = set()
        for place, (name, content) in enumerate(rows, start=1):
            if name:
                first, said = self.setdefault(name, (owner, content))
                is_own |= first == owner or (name not in proven and said != content)
                if not is_own:
                    proven.add(name)
                    border = place
        return border
