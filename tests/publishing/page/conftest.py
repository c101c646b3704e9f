"""The page in a real browser; every test also holds that nothing was requested and nothing written to the console."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REAL, make_soil
from tests.support.browsing import FLAGS, WIDE, write_page
from tests.support.conformance import needed

PATIENCE = 60_000  # milliseconds for what the page is to show; a slow machine is no failure


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Chromium; where there is none the tests are skipped, but in CI they fail."""
    browsers = needed("playwright.sync_api")
    browsers.expect.set_options(timeout=PATIENCE)
    path = os.environ.get("CHROMIUM") or next(
        (
            found
            for name in ("chromium", "chromium-browser", "google-chrome")
            if (found := shutil.which(name))
        ),
        None,
    )
    with browsers.sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=PATIENCE)
        except browsers.Error as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"no Chromium: {error}")
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def real_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(REAL, tmp_path_factory.mktemp("page") / "real.html")


@pytest.fixture(scope="session")
def soil_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    return write_page(make_soil(folder / "soil"), folder / "soil.html")


@pytest.fixture
def visit(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Open a page: ``visit(file, "#map", viewport=PHONE)``; at the end, no request, no console message, no error."""
    contexts, noise = [], []

    def go(file: Path, address: str = "", **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda message: noise.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noise.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (noise.append("a script ran"), dialog.dismiss()))
        own = file.as_uri()
        page.on(
            "request",
            lambda r: (
                r.url.split("#")[0] == own or r.url.startswith("data:") or noise.append(r.url)
            ),
        )
        page.goto(own + address)
        return page

    yield go
    for context in contexts:
        context.close()
    assert noise == []
