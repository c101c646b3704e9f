"""Ask a service over https: fixed hosts, also after redirects, and limits of size and time.

urllib3 makes the requests: it streams, leaves redirects to the caller, keeps to a deadline, and is
what requests and pip use, so it is maintained and usually installed already.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import corpus
from corpus.curation.lookup import lookup_rules as rules
from corpus.model.finding import CorpusError

#: The largest answer that is read, in bytes; a record of one work has a few kB, with thousands of
#: authors about 1 MB.
MAX_BYTES = 4_000_000
#: The longest that one question may take, redirects included, in seconds.
MAX_SECONDS = 20.0
MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


class Unreachable(CorpusError):
    """Raised where there is no connection, so that a command can go on by hand."""


class Reply(NamedTuple):
    """One answer of a server: status, headers (lower-case names), the body in pieces."""

    status: int
    headers: Mapping[str, str]
    pieces: Iterator[bytes]


#: Opens one address without following redirects: (address, headers, seconds left) -> Reply; OSError
#: where it cannot.
Opener = Callable[[str, Mapping[str, str], float], Reply]


class Service(NamedTuple):
    """A service by name, with the hosts that it may be answered from."""

    name: str
    hosts: frozenset[str]


def fetch(url: str, service: Service, accept: str, opener: Opener | None = None) -> bytes:
    """Return the body of an answer.

    Parameters
    ----------
    url : str
        Address to ask.
    service : Service
        Its name, for messages, and the hosts that may answer.
    accept : str
        Media type to ask for.
    opener : Opener, optional
        Opens one address; urllib3 by default, recorded answers in tests.

    Raises
    ------
    Unreachable
        Without a connection (C701).
    CorpusError
        For another host or plain http (C702), too much (C703), too slow (C704), nothing there
        (C705), any other status (C706), a compressed answer that was not asked for (C707).
    """
    opener = opener or open_address
    deadline = time.monotonic() + MAX_SECONDS
    headers = {"Accept": accept, "Accept-Encoding": "identity", "User-Agent": user_agent()}
    asked = url
    for _ in range(MAX_REDIRECTS + 1):
        if not allowed(url, service.hosts):
            raise CorpusError([rules.REFUSED_ADDRESS.at(asked, value=url, service=service.name)])
        try:
            # Zero seconds would mean no limit at all.
            left = max(0.1, deadline - time.monotonic())
            reply = opener(url, headers, left)
            if reply.status not in _REDIRECTS:
                return _body(reply, asked, service, deadline)
        except TimeoutError:
            limit = f"{MAX_SECONDS:.0f}"
            finding = rules.TOO_SLOW.at(asked, service=service.name, limit=limit)
            raise CorpusError([finding]) from None
        except OSError as error:
            finding = rules.UNREACHABLE.at(asked, service=service.name, problem=str(error))
            raise Unreachable([finding]) from None
        url = _next(url, reply.headers.get("location", ""))
    problem = "it redirects in a circle"
    raise CorpusError([rules.BAD_ANSWER.at(asked, service=service.name, problem=problem)])


def _next(url: str, location: str) -> str:
    """Where a redirect leads.

    An address that makes no sense is returned as it is, and refused in the next turn.
    """
    try:
        return urljoin(url, location)
    except ValueError:
        return location


def allowed(url: str, hosts: frozenset[str]) -> bool:
    """Whether an address is https, on the usual port, without user name, on one of the hosts.

    Examples
    --------
    >>> hosts = frozenset({"doi.org"})
    >>> allowed("https://doi.org/10.1/x", hosts), allowed("https://doi.org@evil.example/", hosts)
    (True, False)
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    plain = not parts.username and not parts.password and port in (None, 443)
    return parts.scheme == "https" and plain and (parts.hostname or "") in hosts


def user_agent() -> str:
    """Return who asks, as the services wish."""
    return f"mas-rl-corpus/{corpus.__version__} (https://arxiv.org/abs/2605.02801; urllib3)"


def _body(reply: Reply, asked: str, service: Service, deadline: float) -> bytes:
    if reply.status in (404, 410):
        raise CorpusError([rules.UNKNOWN_WORK.at(asked, value=asked, service=service.name)])
    if reply.status != 200:
        finding = rules.SERVICE_ERROR.at(asked, service=service.name, status=reply.status)
        raise CorpusError([finding])
    if reply.headers.get("content-encoding", "identity") not in ("identity", ""):
        problem = "it is compressed"
        raise CorpusError([rules.BAD_ANSWER.at(asked, service=service.name, problem=problem)])
    body = bytearray()
    for piece in reply.pieces:
        body += piece
        if len(body) > MAX_BYTES:
            limit = f"{MAX_BYTES // 1_000_000} MB"
            raise CorpusError([rules.TOO_LARGE.at(asked, service=service.name, limit=limit)])
        if time.monotonic() > deadline:
            raise TimeoutError
    return bytes(body)


def open_address(url: str, headers: Mapping[str, str], seconds: float) -> Reply:
    """Open an address with urllib3; a proxy named in the environment is used."""
    from urllib.request import getproxies

    import urllib3

    timeout = urllib3.Timeout(connect=min(10.0, seconds), read=min(10.0, seconds))
    proxy = getproxies().get("https")
    try:
        manager = urllib3.PoolManager()
        if proxy:
            manager = urllib3.ProxyManager(proxy)
        response = manager.request(
            "GET",
            url,
            headers=dict(headers),
            redirect=False,
            retries=False,
            timeout=timeout,
            preload_content=False,
        )
    except urllib3.exceptions.ConnectTimeoutError as error:
        raise OSError(f"no connection to {urlsplit(url).hostname}") from error
    except urllib3.exceptions.TimeoutError as error:
        raise TimeoutError from error
    except urllib3.exceptions.HTTPError as error:
        raise OSError(_plain(error)) from error
    names = {name.lower(): value for name, value in response.headers.items()}
    return Reply(response.status, names, _pieces(response, manager))


def _pieces(response: object, manager: object) -> Iterator[bytes]:
    import urllib3

    assert isinstance(response, urllib3.BaseHTTPResponse)
    assert isinstance(manager, urllib3.PoolManager)
    try:
        yield from response.stream(65536, decode_content=False)
    except urllib3.exceptions.TimeoutError as error:
        raise TimeoutError from error
    except urllib3.exceptions.HTTPError as error:
        raise OSError(_plain(error)) from error
    finally:
        response.close()
        manager.clear()


def _plain(error: Exception) -> str:
    """The words of an error without the objects that urllib3 names in front of them."""
    return str(error).rpartition(": ")[2] or type(error).__name__
