"""What of a run may appear in a trace.

Hashes in place of content, and names that look like names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.traces.contents import HASH_DIGITS, Content, Contents, digest

_NAME = re.compile(r"[\w][\w.:()+# -]{0,63}")
# At most one slash, between a maker and a model: more of them look like a path.
_MODEL = re.compile(r"[\w][\w.:@+-]{0,63}(?:/[\w][\w.:@+-]{0,63})?")
_TOKEN = re.compile(r"[\w][\w.:-]{0,95}")
_WORDS_OF_A_NAME = 5
_REFERENCE = re.compile(f"sha256:[0-9a-f]{{{HASH_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class Redaction:
    """The rule for one conversion.

    Attributes
    ----------
    contents : Contents or None
        Where contents are kept beside the trace; None where they stay in the source.
    """

    contents: Contents | None = None

    def content(self, written: object, role: str) -> str | None:
        """Return the hash of a content, and keep it where that was asked for; None of an empty one.

        Parameters
        ----------
        written : object
            A text, or a value of JSON.
        role : str
            As in :class:`~corpus.traces.contents.Content`.

        Examples
        --------
        >>> Redaction().content("hello", "user")
        'sha256:2cf24dba5fb0a30e'
        """
        if written in (None, "", [], {}):
            return None
        # What our writers wrote of a trace has the hash in place of the content.
        if isinstance(written, str) and _REFERENCE.fullmatch(written):
            return written
        content = Content.of(role, written)
        if self.contents is not None:
            self.contents.add(content)
        return content.hash

    def name(self, name: str, kind: str) -> str:
        """Return the name of an agent, role or tool.

        Or ``kind-hash`` where it may be something else.

        A name has at most 64 letters, digits and ``_ . : ( ) + # -`` or spaces, and at most five
        words: paths, addresses and sentences are not names.

        Examples
        --------
        >>> Redaction().name("web_searcher", "agent"), Redaction().name("/home/ada/notes", "agent")
        ('web_searcher', 'agent-bc892435')
        """
        if not name:
            return kind
        if _NAME.fullmatch(name) and len(name.split()) <= _WORDS_OF_A_NAME:
            return name
        return f"{kind}-{digest(name)[:8]}"

    def model(self, name: str) -> str:
        """Return the name of a model, such as ``maker/model-1``, or ``model-hash``.

        Examples
        --------
        >>> Redaction().model("maker/model-1"), Redaction().model("/home/ada/mine.bin")
        ('maker/model-1', 'model-defbfc96')
        """
        if not name or _MODEL.fullmatch(name):
            return name
        return f"model-{digest(name)[:8]}"

    def token(self, token: str) -> str:
        """Return an identifier of the source, such as a call id.

        Or its hash where it does not look like one, and nothing where there is none.
        """
        if not token or _TOKEN.fullmatch(token):
            return token
        return f"id-{digest(token)[:12]}"


def unnamed(kind: str, file_name: str) -> str:
    """Return an identifier for what has none in its file.

    The kind and a hash of the name of the file.
    """
    return f"{kind}-{digest(file_name)}"
