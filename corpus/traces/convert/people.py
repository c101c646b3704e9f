"""What programs write in the name of the person who uses them, by how it begins.

Only at the beginning: people write about these tags, too.
"""

from corpus.traces.lookup import table_of

_BEGINNINGS = table_of(__file__, "people.toml")


def program_behind(words: str, recorder: str = "claude-code") -> str:
    """Return what of a program wrote some words in the name of a person; nothing of a person's.

    Of an unknown recorder, it is what Claude Code writes.

    Examples
    --------
    >>> program_behind("<system-reminder>be brief"), program_behind("What is <system-reminder>?")
    ('system-reminder', '')
    >>> program_behind("<environment_context>", "codex"), program_behind("<environment_context>")
    ('environment_context', '')
    """
    begun = words.lstrip()
    known: dict[str, str] = _BEGINNINGS.get(recorder) or _BEGINNINGS["claude-code"]
    return next((what for beginning, what in known.items() if begun.startswith(beginning)), "")
