"""The page of a corpus in a browser: how it is written, opened and read."""

from click.testing import CliRunner

from corpus.cli.main import main
from tests.support.conformance import needed

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
]


def expect(thing):
    """Wait for what the page shows; playwright is imported by the first test that looks at a page."""
    return needed("playwright.sync_api").expect(thing)


WIDE = {"width": 1400, "height": 900}
PHONE = {"width": 360, "height": 740}
PATIENCE = 60_000
"""Milliseconds for what a page is to show; a slow machine is no failure."""


def write_page(data, file):
    """Write the page of a corpus as a user would."""
    result = CliRunner().invoke(
        main, ["site", "--data", str(data), "-o", str(file)], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return file


def expect_count(page, text):
    """Wait until the page says this about the selection."""
    expect(page.locator("#count")).to_have_text(text)


def expect_keys(page, wanted):
    """Wait until the list holds these entries and no others; the order is for :func:`keys`.

    An address changes before the view does, so what the list holds right after a click may still be the old list.
    """
    wanted = set(wanted)
    expect(page.locator("#list .entry")).to_have_count(len(wanted))
    for key in wanted:
        address = f"#list .entry h3 a[href$='key={key}'], #list .entry h3 a[href*='key={key}&']"
        expect(page.locator(address)).to_have_count(1)


def expect_copied(page):
    """Wait until the page says that it has copied; the button says so as well, but only for a while."""
    expect(page.locator("#announced")).to_have_text("Copied to the clipboard")


def keys(page):
    """The keys of the entries that stand in the list by now, in order."""
    addresses = page.eval_on_selector_all(
        "#list .entry h3 a", "links => links.map(link => link.getAttribute('href'))"
    )
    return [address.split("key=")[1].split("&")[0] for address in addresses]
