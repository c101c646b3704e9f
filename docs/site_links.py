"""Hook of mkdocs: reports and notebooks become pages, other files links to the repository."""

from __future__ import annotations

import json
import re
from logging import getLogger
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
ROOT = DOCS.parent

#: Reports that are pages of the site, under the addresses that they have beside docs/.
REPORTS = ("papers", "claims", "codebook", "statistics", "sparsity", "evidence", "screening")

#: A link in Markdown: its text, and its target without the fragment.
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:)([^)\s#]*)(#[^)\s]*)?\)")

# A warning of this logger fails a strict build.
_log = getLogger("mkdocs.hooks.site_links")


def on_files(files: Any, config: Any) -> Any:
    """Add what lies beside the pages: reports, and notebooks as text with what they print."""
    from mkdocs.structure.files import File

    for name in REPORTS:
        text = (ROOT / f"reports/{name}.md").read_text("utf-8")
        files.append(File.generated(config, f"reports/{name}.md", content=text))
    for path in sorted((DOCS / "notebooks").glob("*.ipynb")):
        text = notebook_text(json.loads(path.read_text("utf-8")))
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
    return files


def notebook_text(notebook: Any) -> str:
    """Return a notebook as Markdown: text, code, and what the code printed or drew."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                encoded = "".join(data["image/png"]).replace("\n", "")
                parts.append(f"![output](data:image/png;base64,{encoded})")
            elif "text/html" in data:
                parts.append("".join(data["text/html"]).strip())
            else:
                printed = "".join(data.get("text/plain", output.get("text", [])))
                parts.append(f"```text\n{printed}\n```")
    return "\n\n".join(parts) + "\n"


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Return the text of a page with links as they are on the site.

    A link to a file that is no page leads to the repository; while that has no address of its own,
    only the text of the link is left.
    """
    folder = (DOCS / page.file.src_uri).parent
    if page.file.src_uri.startswith("reports/"):
        folder = ROOT / "reports"

    def linked(match: re.Match[str]) -> str:
        image, text, name, fragment = match[1], match[2], match[3], match[4] or ""
        if not name:
            return match[0]
        target = (folder / name).resolve()
        if not target.exists():
            _log.warning("%s links to %s, which does not exist", page.file.src_uri, name)
            return match[0]
        place = target.relative_to(DOCS if target.is_relative_to(DOCS) else ROOT)
        page_name = str(place.with_suffix(".md") if place.suffix == ".ipynb" else place)
        if files.get_file_from_path(page_name) is not None:
            here = Path(page.file.src_uri).parent
            up = "../" * len(here.parts)
            return f"{image}[{text}]({up}{page_name}{fragment})"
        if "OWNER" in config.repo_url:
            return text
        address = f"{config.repo_url.rstrip('/')}/blob/main/{target.relative_to(ROOT).as_posix()}"
        return f"[{text}]({address})"

    return _LINK.sub(linked, markdown)
