"""Fixtures of all tests: made-up corpora and the published one, commands, a browser."""

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, settings

from corpus.cli.main import main
from corpus.cli.runner_log import RUNNERS
from tests.corpora.minimal import write_minimal
from tests.support.browsing import FLAGS, PATIENCE, WIDE
from tests.support.conformance import needed
from tests.support.published import write_published
from tests.support.shared import shared

# Tests start hundreds of programs. Where the environment forbids to keep compiled modules, each would compile
# pandas anew: `corpus check` takes 3.7 s of processor time so, and 1.3 s else.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# A script that runs the tests in the background has interrupts ignored, and every program that they start inherits it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# xdist sets a width, which would wrap what commands print into pipes.
os.environ.pop("COLUMNS", None)

# What a killed writer leaves is in the state folder of the user.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="state-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)

# No test times anything: a slow machine is no failure. The number of examples is chosen here for all properties; it can
# be raised: EXAMPLES=1000 python -m pytest tests/tables
settings.register_profile(
    "default",
    max_examples=int(os.environ.get("EXAMPLES", "12")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")


#: The corpus as it was published, for tests that only read it: what somebody adds to data/ changes no count of it.
REAL = shared("published", lambda folder: write_published(folder / "data")) / "data"


def pytest_xdist_auto_num_workers():
    """One process more than there are cores: tests wait for browsers and for programs they start.

    With one per core, a fifth of the time was spent so.
    """
    return (os.cpu_count() or 1) + 1


# Collecting makes a million objects and no garbage: each collection would walk through all of them.
gc.disable()


def pytest_collection_finish():
    """Leave what collecting has made out of garbage collection.

    It lives until the end, and each full collection would walk through it again: a test that makes
    many small objects took 51 s of processor time in the whole suite, and 4 s alone.
    """
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def no_runner(monkeypatch):
    """Tests behave the same in a workflow as elsewhere; those about a runner's log set its variables."""
    for name in RUNNERS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def minimal(tmp_path):
    """The data folder of the minimal corpus; the working directory is its root."""
    return write_minimal(tmp_path / "soil")


@pytest.fixture
def real(tmp_path):
    """A copy of the published corpus, to write into."""
    return Path(shutil.copytree(REAL, tmp_path / "real" / "data"))


@pytest.fixture
def run():
    """Run a command of the CLI in this process: ``run("stats", "--format", "json", cwd=folder)``."""

    def invoke(*arguments, cwd=None, input=None):
        before = Path.cwd()
        os.chdir(cwd or before)
        try:
            return CliRunner().invoke(
                main, [str(a) for a in arguments], input=input, catch_exceptions=False
            )
        finally:
            os.chdir(before)

    return invoke


@pytest.fixture(scope="session")
def chromium():
    """Chromium; where there is none the tests are skipped, but in CI they fail.

    There is one for all tests of pages: playwright runs once per process.
    """
    browsers = needed("playwright.sync_api")
    browsers.expect.set_options(timeout=PATIENCE)
    path = os.environ.get("CHROMIUM")
    # Without a window system it takes a third of the time.
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        path = path or shutil.which(name)
    with browsers.sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=PATIENCE)
        except browsers.Error as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"no Chromium: {error}")
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Open a page: ``visit(file, "#map", viewport=PHONE)``.

    At the end, nothing was requested, nothing written to the console, and no script failed.
    """
    contexts, noise = [], []

    def go(file, address="", **options):
        context = chromium.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        own = file.as_uri()

        def requested(request):
            if request.url.split("#")[0] != own and not request.url.startswith("data:"):
                noise.append(request.url)

        page.on("console", lambda message: noise.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noise.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (noise.append("a script ran"), dialog.dismiss()))
        page.on("request", requested)
        page.goto(own + address)
        return page

    yield go
    for context in contexts:
        context.close()
    assert noise == []
