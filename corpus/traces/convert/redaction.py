"""What of a run may appear in a trace.

Hashes in place of content, and names that look like names.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

#: Hexadecimal digits kept of a SHA-256.
#:
#: Enough to tell contents apart, too few to stand for them.
HASH_DIGITS = 16

_NAME = re.compile(r"[\w][\w.:()+# -]{0,63}")
# At most one slash, between a maker and a model: more of them look like a path.
_MODEL = re.compile(r"[\w][\w.:@+-]{0,63}(?:/[\w][\w.:@+-]{0,63})?")
_TOKEN = re.compile(r"[\w][\w.:-]{0,95}")
_WORDS_OF_A_NAME = 5


@dataclass(frozen=True, slots=True)
class Redaction:
    """The rule for one conversion.

    Attributes
    ----------
    active : bool
        When true, content leaves only as a hash and odd names are replaced by one.
    """

    active: bool = True

    def content(self, content: object) -> str | None:
        """Return the ``content_ref`` of a content: its hash, or the content itself.

        Nothing where it is empty.

        Examples
        --------
        >>> Redaction().content("hello")
        'sha256:2cf24dba5fb0a30e'
        >>> Redaction(active=False).content("hello")
        'hello'
        """
        if content in (None, "", [], {}):
            return None
        if isinstance(content, str):
            written = content
        else:
            written = json.dumps(content, sort_keys=True, ensure_ascii=True)
        return f"sha256:{_digest(written)}" if self.active else _encodable(written)

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
        if not self.active:
            return _encodable(name)
        if _NAME.fullmatch(name) and len(name.split()) <= _WORDS_OF_A_NAME:
            return name
        return f"{kind}-{_digest(name)[:8]}"

    def model(self, name: str) -> str:
        """Return the name of a model, such as ``maker/model-1``, or ``model-hash``.

        Examples
        --------
        >>> Redaction().model("maker/model-1"), Redaction().model("/home/ada/mine.bin")
        ('maker/model-1', 'model-defbfc96')
        """
        if not name:
            return ""
        if not self.active or _MODEL.fullmatch(name):
            return _encodable(name)
        return f"model-{_digest(name)[:8]}"

    def token(self, token: str) -> str:
        """Return an identifier of the source, such as a call id.

        Or its hash where it does not look like one, and nothing where there is none.
        """
        if not token:
            return ""
        if not self.active or _TOKEN.fullmatch(token):
            return _encodable(token)
        return f"id-{_digest(token)[:12]}"


def unnamed(kind: str, file_name: str) -> str:
    """Return an identifier for what has none in its file.

    The kind and a hash of the name of the file.
    """
    return f"{kind}-{_digest(file_name)}"


def _encodable(written: str) -> str:
    """Replace half surrogate pairs, which no trace may hold.

    Recorders that cut text by length leave them.
    """
    return written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _digest(written: str) -> str:
    # JSON may hold half of a surrogate pair, which strict UTF-8 refuses.
    data = written.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:HASH_DIGITS]
