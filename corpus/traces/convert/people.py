"""What programs write in the name of the person who uses them, by how it begins.

Only at the beginning: people write about these tags, too.
"""

_BEGINNINGS: dict[str, dict[str, str]] = {
    # A command that is a prompt begins with <command-message> and is what a person asked; one that
    # the program carries out itself begins with <command-name>, and its output follows.
    "claude-code": {
        "<agent-notification>": "agent-notification",
        "<bash-stderr>": "bash-stderr",
        "<bash-stdout>": "bash-stdout",
        "<command-name>": "command-name",
        "<local-command-caveat>": "local-command-caveat",
        "<local-command-stderr>": "local-command-stderr",
        "<local-command-stdout>": "local-command-stdout",
        "<system-reminder>": "system-reminder",
        "<task-notification>": "task-notification",
        "<teammate-message>": "teammate-message",
        "<user-prompt-submit-hook>": "user-prompt-submit-hook",
        "Another Claude session sent a message": "message of another session",
        "Caveat: The messages below were generated": "caveat",
        "This session is being continued from a previous conversation": "summary",
    },
    # What is in front of the first prompt.
    "codex": {
        "<environment_context>": "environment_context",
        "<user_instructions>": "user_instructions",
        "# AGENTS.md": "AGENTS.md",
        "<permissions": "permissions",
    },
    # What the program itself leaves out of the history (isIgnoredUserContent), and its summary.
    "gemini-cli": {
        "<session_context>": "session_context",
        "<hook_context>": "hook_context",
        "<state_snapshot>": "summary",
        "/": "command",
        "?": "command",
    },
}


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
    known = _BEGINNINGS.get(recorder) or _BEGINNINGS["claude-code"]
    return next((what for beginning, what in known.items() if begun.startswith(beginning)), "")
