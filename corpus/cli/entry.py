"""The console script: how the program starts and how it ends.

A short command makes little garbage, and looking for it is a good part of the start. At the end
nothing is torn down: taking modules apart takes time as well, and Arrow's thread pools sometimes
abort a finished program meanwhile (apache/arrow issue 34314).

The exit code starts as a failure. Only what the command itself returns replaces it, so that a
program which could not start, or was interrupted, never passes for a check that found nothing.
"""

import atexit
import gc
import io
import os
import signal
import sys

from corpus.cli import CLOSED_PIPE, FAILED, FINDINGS, INTERRUPTED, INTERRUPTION

# Fewer collections while modules are imported, and none over all of them when the program ends.
# Importing pandas and pandera makes some 150,000 objects that stay; looking through them three
# times was a tenth of `corpus check` of a small corpus.
gc.set_threshold(200_000, 20, 20)

# No command multiplies matrices, and the threads that numpy starts for it are busy for a while.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

#: The variable that, set to any text, shows the traceback of an unforeseen error.
DEBUG = "CORPUS_DEBUG"

_code = FAILED


def main() -> None:
    """Run the `corpus` command and keep its exit code for the end.

    Raises
    ------
    SystemExit
        With the exit code of the command.
    BaseException
        An unforeseen error, where ``CORPUS_DEBUG`` asks for its traceback.
    """
    global _code
    # Registered here and not on import: a helper process that imports this module has an exit code
    # of its own.
    atexit.register(_leave)
    _die_quietly_when_interrupted()
    is_loaded = False
    try:
        _replace_missing_streams()
        _buffer_streams()
        from corpus.cli.main import main as run

        is_loaded = True
        _raise_when_interrupted()
        run()
    except SystemExit as leaving:
        _die_quietly_when_interrupted()
        # A module that ends the program while it is imported has no result to tell.
        if not is_loaded:
            _print_error(_one_line(leaving))
            return
        _code = _exit_code(leaving)
        raise
    except KeyboardInterrupt:
        _die_quietly_when_interrupted()
        _code = INTERRUPTED
        _print_error(INTERRUPTION)
    except BrokenPipeError:
        # The reader of an error message ended first, as where usage is piped into `true`.
        _code = CLOSED_PIPE
    # Some libraries raise what is not an Exception, such as a panic in Rust.
    except BaseException as error:
        if os.environ.get(DEBUG):
            raise
        _print_error(_one_line(error))


def _die_quietly_when_interrupted() -> None:
    """Let an interrupt end the process as the system does.

    Nothing is written yet then, or everything is done.
    """
    # Where a shell has interrupts ignored, they stay ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _raise_when_interrupted() -> None:
    """Let an interrupt be an exception, so that a command can undo what is half done."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _replace_missing_streams() -> None:
    """Replace each stream that was closed (`corpus list >&-`) by one that fails.

    Without it, click drops in silence what it should print, and the next file that is opened takes
    the number of the stream, so that what a library or a child process prints would end in that
    file. A null device that is opened the wrong way round fails at the first byte, and only then.
    """
    streams = (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_RDONLY),
    )
    for name, mode, wrong_way in streams:
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, wrong_way)
            os.set_inheritable(descriptor, True)
            # Open for as long as the program runs.
            stream = open(descriptor, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def _buffer_streams() -> None:
    """Put a buffer before each stream that Python left without one (``PYTHONUNBUFFERED=1``).

    Without it, the rest of a text is dropped in silence where the system takes a part of it: a pipe
    that is full, a disk that is nearly full. A buffer writes the rest, or fails.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        beneath = getattr(stream, "buffer", None)
        if isinstance(beneath, io.RawIOBase):
            whole = io.BufferedWriter(beneath)
            wrapped = io.TextIOWrapper(whole, stream.encoding, stream.errors, line_buffering=True)
            setattr(sys, name, wrapped)


def _exit_code(leaving: SystemExit) -> int:
    """Return the exit code that a command left with, as the system will see it."""
    code = leaving.code
    if code is None:
        return 0
    if not isinstance(code, int):
        return FINDINGS  # a message, which Python prints
    if not 0 <= code <= 255:
        return FAILED  # the system keeps the last eight bits: 256 would be 0
    return code


def _one_line(error: BaseException) -> str:
    """Describe an unforeseen error by its kind; its own text may quote what somebody sent."""
    kind = type(error).__name__
    if isinstance(error, (ImportError, SyntaxError, SystemExit)):
        problem = f"the program cannot be loaded ({kind}); install mas-rl-corpus again"
    else:
        problem = f"an unforeseen {kind} stopped the command; please report it"
    return f"Error: {problem}. {DEBUG}=1 in the environment shows the traceback."


def _print_error(line: str) -> None:
    """Print a line to stderr, if it can be printed."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def _leave() -> None:
    """End at once; this runs last, after every other function that was registered."""
    code = _code
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, ValueError):  # there is none, or it was closed on purpose
            continue
        except BrokenPipeError:
            code = code or CLOSED_PIPE
        except OSError:  # what was printed is lost
            code = code or FINDINGS
    os._exit(code)
