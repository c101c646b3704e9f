"""A tiny made-up corpus about soil sensors, with a multi-valued axis, and the published one."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings

from corpus.cli.main import main
from corpus.cli.runner_log import RUNNERS
from tests.support.browsing import FLAGS, PATIENCE, WIDE
from tests.support.conformance import needed
from tests.support.published import write_published

#: Needs mutmut, which is no part of the development requirements.
collect_ignore = ["mutants.py"]

# No test times anything: a slow machine is no failure.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

SOIL_CODEBOOK = """\
format = 1

[corpus]
id = "soil"
title = "Soil sensors"
entries = "sensors"

[documents]
protocol = "protocol.toml"

[tables.sensors]
file = "sensors.csv"
title = "Sensors"
role = "pool"
key = ["id"]
columns = [
  { name = "id", type = "key", role = "key", definition = "Name." },
  { name = "name", type = "text", role = "title", definition = "Title of the paper." },
  { name = "who", type = "name", role = "first_author", definition = "First author." },
  { name = "year", type = "year", role = "year", definition = "Year." },
  { name = "arxiv", type = "arxiv", role = "arxiv", required = false, definition = "Preprint." },
  { name = "link", type = "url", role = "url", required = false, definition = "Address." },
  { name = "probe", type = "term", axis = true, role = "group", definition = "Kind of probe." },
  { name = "measures", type = "term", axis = true, separator = "; ", definition = "What it measures." },
  { name = "remark", type = "text", role = "notes", required = false, definition = "Remark." },
]

[tables.rejected]
file = "rejected.csv"
role = "exclusions"
key = ["nr"]
columns = [
  { name = "nr", type = "key", role = "key", definition = "Number." },
  { name = "source", type = "text", role = "source", definition = "Source." },
  { name = "label", type = "text", role = "title", definition = "Title." },
  { name = "found", type = "text", role = "identifier", definition = "Identifier." },
  { name = "stage", type = "term", vocabulary = "stage", role = "stage", definition = "Stage." },
]

[tables.papers]
file = "papers.csv"
role = "bibliography"
key = ["id"]
columns = [
  { name = "id", type = "ref", references = "sensors", role = "key", definition = "Name." },
  { name = "authors", type = "names", role = "authors", definition = "Authors." },
  { name = "doi", type = "doi", role = "doi", required = false, definition = "DOI." },
  { name = "public", type = "date", role = "date", definition = "First public." },
]

[tables.ok]
file = "ok.csv"
role = "accepted"
key = ["code", "row"]
columns = [
  { name = "code", type = "text", role = "code", definition = "Code." },
  { name = "file", type = "text", role = "file", definition = "File." },
  { name = "row", type = "text", role = "key", definition = "Row." },
  { name = "column", type = "text", role = "column", definition = "Column." },
  { name = "value", type = "verbatim", role = "value", definition = "Value." },
  { name = "reason", type = "text", role = "reason", definition = "Reason." },
]

[vocabularies.probe]
not_applicable = "none"
terms = [
  { id = "dielectric", short = "diel", definition = "By permittivity." },
  { id = "optical", definition = "By light." },
  { id = "acoustic", definition = "By sound; nobody has built one." },
  { id = "none", definition = "No probe." },
]

[vocabularies.measures]
terms = [
  { id = "moisture", definition = "Water." },
  { id = "salt", definition = "Salinity." },
  { id = "heat", definition = "Temperature." },
]

[vocabularies.stage]
terms = [
  { id = "abstract", label = "title and abstract", definition = "By abstract." },
  { id = "full_text", label = "full text", definition = "By full text." },
]

[[rules]]
id = "optical-is-dry"
when = { probe = ["none"] }
then = { measures = ["heat"] }
reason = "without a probe only heat is known"

[[impossible]]
cells = { probe = ["optical"], measures = ["salt"] }
reason = "salt cannot be seen"

[[crosstabs]]
id = "probe_by_measure"
rows = "probe"
columns = "measures"
title = "Probe by measure"
"""

SOIL_FILES = {
    "sensors.csv": """\
id,name,who,year,arxiv,link,probe,measures,remark
clay,A capacitive probe for clay,"Loam, Ann",2020,2003.00001,https://arxiv.org/abs/2003.00001,dielectric,moisture; salt,
fen,Light in the fen,"Moor, Bo",2021,,https://fen.example/paper,optical,moisture,"Wet, ""readable"" peat"
till,Temperatures of till,"Stein, Cy",2019,,,none,heat,
""",
    "rejected.csv": """\
nr,source,label,found,stage
X1,arXiv,A survey of mud,arXiv:1901.00001,abstract
X2,library,Dowsing for beginners,LIB-77,full_text
""",
    "papers.csv": """\
id,authors,doi,public
clay,"Loam, Ann; Silt, Dee",,2020-03
fen,"Moor, Bo",10.1234/fen.1,2021-02-03
till,"Stein, Cy",,2019
""",
    "ok.csv": "code,file,row,column,value,reason\n",
    "protocol.toml": """\
[[sources]]
id = "arXiv"
[[sources]]
id = "library"
[[stages]]
id = "abstract"
[[stages]]
id = "full_text"
""",
}


def _published() -> Path:
    """Return a data folder with the published corpus, for tests that only read it."""
    folder = Path(tempfile.mkdtemp(prefix="published-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return write_published(folder / "data")


#: The corpus as it was published: what somebody adds to data/ changes no count of it.
REAL = _published()


@pytest.fixture(autouse=True)
def no_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests behave the same in a workflow as elsewhere; those about a runner's log set its variables."""
    for name in RUNNERS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def soil(tmp_path: Path) -> Path:
    """The data folder of the tiny corpus; the working directory is its root."""
    return make_soil(tmp_path / "soil")


def make_soil(root: Path) -> Path:
    data = root / "data"
    data.mkdir(parents=True)
    (data / "codebook.toml").write_text(SOIL_CODEBOOK, encoding="utf-8")
    for name, text in SOIL_FILES.items():
        (data / name).write_text(text, encoding="utf-8", newline="")
    return data


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A copy of the published corpus, to write into."""
    return Path(shutil.copytree(REAL, tmp_path / "real" / "data"))


@pytest.fixture
def run():
    """Run a command of the CLI in this process: ``run("stats", "--format", "json", cwd=folder)``."""

    def invoke(
        *arguments: str | os.PathLike[str], cwd: Path | None = None, input: str | None = None
    ) -> Result:
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
def chromium() -> Iterator[Any]:
    """Chromium; where there is none the tests are skipped, but in CI they fail.

    There is one for all tests of pages: playwright runs once per process.
    """
    browsers = needed("playwright.sync_api")
    browsers.expect.set_options(timeout=PATIENCE)
    path = os.environ.get("CHROMIUM")
    for name in ("chromium", "chromium-browser", "google-chrome"):
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
def visit(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Open a page: ``visit(file, "#map", viewport=PHONE)``.

    At the end, nothing was requested, nothing written to the console, and no script failed.
    """
    contexts, noise = [], []

    def go(file: Path, address: str = "", **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        own = file.as_uri()

        def requested(request: Any) -> None:
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
