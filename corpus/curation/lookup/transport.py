"""Ask a service over https: fixed hosts, also after redirects, and limits of size and time.

urllib3 makes the requests: it streams, leaves redirects to the caller, keeps to a deadline, and is
what requests and pip use, so it is maintained and usually installed already.

Keys and logins of services come from the environment. They are added when an address is opened, so
nothing that is shown or stored has one, and what an answer repeats of them is made unreadable.
"""

import json
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urljoin, urlsplit

import corpus
from corpus.model.finding import CorpusError, Rule

UNREACHABLE = Rule(
    "C701",
    "{service} cannot be reached: {problem}",
    "check the connection, or give the cells by hand (`corpus add --set`)",
    title="Service cannot be reached",
    reason="Metadata can be entered by hand.",
)
REFUSED_ADDRESS = Rule(
    "C702",
    "{service} redirects to {value}, which is not among the hosts that metadata is read from",
    "open the address yourself and give the cells by hand",
    title="Redirected to another host",
    reason="Metadata is read over https from a fixed list of hosts.",
)
TOO_LARGE = Rule(
    "C703",
    "{service} sends more than {limit}",
    "give the cells by hand",
    title="Answer too large",
    reason="An answer without limit could fill the memory.",
)
TOO_SLOW = Rule(
    "C704",
    "{service} did not finish within {limit} s",
    "try again later, or give the cells by hand",
    title="Answer too slow",
    reason="A slow answer must not hang the command.",
)
UNKNOWN_WORK = Rule(
    "C705",
    "{service} has no work {value}",
    "check the identifier for a typing error",
    title="Unknown work",
    reason="The service answered, and has no such record.",
)
SERVICE_ERROR = Rule(
    "C706",
    "{service} answers with status {status}{lacking}",
    "try again later, or give the cells by hand",
    title="Service answers with an error",
    reason="It is overloaded, refuses programs, or has changed.",
)
BAD_ANSWER = Rule(
    "C707",
    "the answer of {service} cannot be understood: {problem}",
    "give the cells by hand",
    title="Invalid answer",
    reason="Nothing is guessed from a damaged or hostile answer.",
)


#: The largest answer that is read, in bytes; a record of one work has a few kB, with thousands of
#: authors about 1 MB.
MAX_BYTES = 4_000_000
#: The longest that one question may take, redirects included, in seconds.
MAX_SECONDS = 20.0
MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


class Unreachable(CorpusError):
    """Raised where there is no connection, so that a command can go on by hand."""


class UnknownWork(CorpusError):
    """Raised where a service does not have a work (C705), so that another one can be asked."""


class Reply(NamedTuple):
    """One answer of a server: status, headers (by lower-case names), the body in pieces."""

    status: int
    headers: Mapping[str, str]
    pieces: Iterator[bytes]


#: Opens one address without following redirects: (address, headers, seconds left), and the body of
#: a login -> Reply; OSError where it cannot.
Opener = Callable[..., Reply]


@dataclass(frozen=True)
class Service:
    """A service by name, with the hosts that it may be answered from.

    `variables` of the environment have its key, or a name and a password for the address `login`.
    A key is sent as the header or, with "=" behind it, the parameter `sent_as`.
    """

    name: str
    hosts: Collection[str]
    variables: tuple[str, ...] = ()
    sent_as: str = ""
    login: str = ""

    @property
    def lacking(self) -> str:
        """Which variables are not set, as the end of a message; empty where nothing is missing."""
        missing = [name for name in self.variables if not os.environ.get(name)]
        if not missing:
            return ""
        return f"; {' and '.join(missing)} is not set in the environment"

    def unknown(self, asked: str) -> UnknownWork:
        """Return the error for a work that it does not have (C705)."""
        return UnknownWork([UNKNOWN_WORK.at(asked, value=asked, service=self.name)])

    def bad_answer(self, asked: str, problem: str) -> CorpusError:
        """Return the error for an answer that cannot be understood (C707)."""
        return BAD_ANSWER.error(asked, service=self.name, problem=problem)


#: Address of a login -> what it gave for this run of the program.
_TOKENS: dict[str, str] = {}


def fetch(url: str, service: Service, accept: str, opener: Opener | None = None) -> bytes:
    """Return the body of an answer.

    Parameters
    ----------
    url : str
        Address to ask.
    service : Service
        Its name, for messages, the hosts that may answer, and what it wants to know of who asks.
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
    secrets = []
    if not service.lacking:
        secrets = [os.environ[name] for name in service.variables]
    if service.login and secrets:
        if service.login not in _TOKENS:
            body = json.dumps(dict(zip(("id", "password"), secrets, strict=True))).encode()
            answer = _asked(service.login, service, {"Accept": accept}, opener, secrets[1:], body)
            try:
                _TOKENS[service.login] = json.loads(answer)["token"]
            except (ValueError, LookupError, TypeError):
                raise service.bad_answer(service.login, "it has no token") from None
        secrets = [_TOKENS[service.login], secrets[1]]
    return _asked(url, service, {"Accept": accept}, opener, secrets)


def _asked(
    url: str,
    service: Service,
    headers: dict[str, str],
    opener: Opener,
    secrets: list[str],
    *login: bytes,
) -> bytes:
    def hidden(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, "***").replace(quote(secret, safe=""), "***")
        return text

    deadline = time.monotonic() + MAX_SECONDS
    agent = f"mas-rl-corpus/{corpus.__version__} (https://arxiv.org/abs/2605.02801; urllib3)"
    headers |= {"Accept-Encoding": "identity", "User-Agent": agent}
    if login:
        headers["Content-Type"] = "application/json"
    elif secrets and service.login:
        headers["Authorization"] = f"Bearer {secrets[0]}"
    elif secrets and not service.sent_as.endswith("="):
        headers[service.sent_as] = secrets[0]
    asked = url
    for _ in range(MAX_REDIRECTS + 1):
        if not allowed(url, service.hosts):
            raise REFUSED_ADDRESS.error(asked, value=hidden(url), service=service.name)
        opened = url
        if secrets and service.sent_as.endswith("="):
            opened += ("&" if "?" in url else "?") + service.sent_as + quote(secrets[0], safe="")
        try:
            # Zero seconds would mean no limit at all.
            left = max(0.1, deadline - time.monotonic())
            reply = opener(opened, headers, left, *login)
            if reply.status not in _REDIRECTS:
                body = _body(reply, asked, service, deadline)
                return hidden(body.decode("latin-1")).encode("latin-1") if secrets else body
        except TimeoutError:
            raise TOO_SLOW.error(asked, service=service.name, limit=f"{MAX_SECONDS:.0f}") from None
        except OSError as error:
            problem = hidden(str(error))
            finding = UNREACHABLE.at(asked, service=service.name, problem=problem)
            raise Unreachable([finding]) from None
        location = reply.headers.get("location", "")
        try:
            url = hidden(urljoin(url, location))
        except ValueError:
            url = location  # it makes no sense, and is refused in the next turn
    raise service.bad_answer(asked, "it redirects in a circle")


def allowed(url: str, hosts: Collection[str]) -> bool:
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


def _body(reply: Reply, asked: str, service: Service, deadline: float) -> bytes:
    if reply.status in (404, 410):
        raise service.unknown(asked)
    if reply.status != 200:
        lacking = service.lacking
        raise SERVICE_ERROR.error(asked, service=service.name, status=reply.status, lacking=lacking)
    if reply.headers.get("content-encoding", "identity") not in ("identity", ""):
        raise service.bad_answer(asked, "it is compressed")
    body = bytearray()
    for piece in reply.pieces:
        body += piece
        if len(body) > MAX_BYTES:
            raise TOO_LARGE.error(asked, service=service.name, limit=f"{MAX_BYTES // 1_000_000} MB")
        if time.monotonic() > deadline:
            raise TimeoutError
    return bytes(body)


def open_address(
    url: str, headers: Mapping[str, str], seconds: float, body: bytes | None = None
) -> Reply:
    """Open an address with urllib3; a proxy named in the environment is used."""
    from urllib.request import getproxies

    import urllib3

    proxy = getproxies().get("https")
    with _as_os_errors():
        manager = urllib3.PoolManager()
        if proxy:
            manager = urllib3.ProxyManager(proxy)
        response = manager.request(
            "POST" if body else "GET",
            url,
            body=body,
            headers=dict(headers),
            redirect=False,
            retries=False,
            timeout=min(10.0, seconds),
            preload_content=False,
        )

    def pieces() -> Iterator[bytes]:
        with _as_os_errors(), manager, response:
            yield from response.stream(65536, decode_content=False)

    return Reply(response.status, response.headers, pieces())


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Raise what urllib3 raises as TimeoutError or OSError."""
    import urllib3

    try:
        yield
    except urllib3.exceptions.ConnectTimeoutError as error:
        raise OSError("no connection") from error
    except urllib3.exceptions.TimeoutError as error:
        raise TimeoutError from error
    except urllib3.exceptions.HTTPError as error:
        # The words of the error, without the objects that urllib3 names in front of them.
        raise OSError(str(error).rpartition(": ")[2] or type(error).__name__) from error


#: Statuses that mean: come back later.
_LATER = (429, 500, 502, 503, 504)
TRIES = 5
#: A service that asks for a longer wait than this, in seconds, is left alone at once.
LONGEST_WAIT = 600.0
_FIRST_WAIT = 5.0

Answer = TypeVar("Answer")


class GaveUp(CorpusError):
    """Raised where a service asks to come back later (C706), and still does after every try."""

    def __init__(self, url: str, reply: Reply) -> None:
        self.host = urlsplit(url).hostname or url
        self.status = reply.status
        self.tries = 1
        finding = SERVICE_ERROR.at(self.host, service=self.host, status=reply.status, lacking="")
        super().__init__([finding])
        self.seconds = wanted_wait(reply.headers)


class PoliteClient:
    """Asks one question after the other.

    Parameters
    ----------
    pause : float
        Seconds between two questions; no wait is shorter.
    opener : Opener, optional
        Opens an address; recorded answers in tests.
    sleep : callable
        Waits for some seconds; a recorder in tests.
    """

    def __init__(
        self,
        pause: float,
        opener: Opener | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.pause = pause
        self._opener = opener or open_address
        self._sleep = sleep
        self._asked = False

    def answer(self, ask: Callable[[Opener], Answer]) -> Answer:
        """Return what a question comes to.

        Parameters
        ----------
        ask : callable
            Asks with the opener that it is given; called again after each wait.

        Raises
        ------
        GaveUp
            Where the service refuses for too long.
        CorpusError
            What `ask` raises.
        """
        if self._asked:
            self._sleep(self.pause)
        self._asked = True
        tries = 0
        while True:
            try:
                return ask(self._open)
            except GaveUp as later:
                tries += 1
                later.tries = tries
                if tries == TRIES or later.seconds > LONGEST_WAIT:
                    raise
                self._sleep(max(later.seconds or _FIRST_WAIT * 2 ** (tries - 1), self.pause))

    def _open(self, url: str, *given: Any) -> Reply:
        reply = self._opener(url, *given)
        if reply.status in _LATER:
            raise GaveUp(url, reply)
        return reply


def wanted_wait(headers: Mapping[str, str]) -> float:
    """Return the seconds that an answer asks to wait; 0 where it names none, or a time of before.

    Parameters
    ----------
    headers : mapping of str to str
        Of the answer, with lower-case names; Retry-After has seconds or a date.

    Examples
    --------
    >>> wanted_wait({"retry-after": "7"}), wanted_wait({"retry-after": "soon"})
    (7, 0)
    """
    from urllib3.exceptions import InvalidHeader
    from urllib3.util import Retry

    try:
        return Retry().parse_retry_after(headers.get("retry-after", ""))
    except (InvalidHeader, ValueError, OverflowError):
        return 0
