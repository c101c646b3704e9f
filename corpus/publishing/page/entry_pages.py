"""One small page per entry, with a permanent address, for search engines and links from elsewhere.

The page of the corpus is one address to a search engine: what follows ``#`` is not sent to it.
"""

from corpus.analysis.bibliography.works import works
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.escape import preformatted
from corpus.printing.single_file import one_file
from corpus.printing.templates import environment
from corpus.publishing.export.bibliography import bibtex_entry
from corpus.publishing.export.folder import refuse_file_names
from corpus.publishing.page import sections

INDEX = "index.html"
SITEMAP = "sitemap.xml"
_FOLDER = "entries"
_PACKAGE = "corpus.publishing.page"
_STYLES = ("colours", "entry_page")


def site_files(study: Study, page: str, address: str = "") -> dict[str, bytes]:
    """Return the files of a site: ``index.html``, ``entries/KEY.html``, and a sitemap.

    Parameters
    ----------
    study : Study
        What the pages are about.
    page : str
        The page of the whole corpus.
    address : str
        Where the site will be published; the sitemap and the canonical address of each page need
        it. Without one there is no sitemap.

    Raises
    ------
    CorpusError
        X107 where a key cannot be the name of a file.
    """
    # Every key becomes a path on a server that may ignore case.
    refuse_file_names(study)
    base = f"{address.rstrip('/')}/" if address else ""
    files = {INDEX: page.encode()}
    for work in works(study):
        path = f"{_FOLDER}/{work.key}.html"
        values = {
            "book": study.codebook,
            "work": work,
            "entry": study.entry(work.key),
            "tables": _tables_about(study, work.key),
            "sections": sections,
            "bibtex": preformatted(bibtex_entry(work)),
            "back": f"../{INDEX}{sections.entry_address(work.key)}",
            "canonical": base and base + path,
            "date": work.public.text if work.public else work.year,
        }
        files[path] = one_file(_PACKAGE, "entry_page.html.j2", _STYLES, values).encode()
    if base:
        # The index is what the address of the site shows.
        places = [base, *(base + path for path in files if path != INDEX)]
        sitemap = environment("html", _PACKAGE).get_template("sitemap.xml.j2")
        files[SITEMAP] = sitemap.render(places=places).encode()
    return files


def _tables_about(study: Study, key: str) -> list[tuple[Table, list[str]]]:
    """Return the rows of evidence and corrections about an entry, and which columns name it.

    The evidence table with most rows comes first, corrections last.
    """
    found = []
    for role in ("evidence", "corrections"):
        for table in study.by_role(role):
            header = table.spec.header
            about = [header[place] for place in table.spec.references_to(study.codebook.pool)]
            for column in about[:1]:
                kept = table.kept(map(key.__eq__, table.column(column)))
                if kept.rows:
                    found.append((kept, about))
    found.sort(key=lambda about: -len(about[0].rows) * (about[0].spec.role == "evidence"))
    return found
