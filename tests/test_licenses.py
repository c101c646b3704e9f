"""Every package that a plain install brings along is under a license that an MIT package can require."""

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
#: Identifiers of SPDX. A new one belongs here only if it asks nothing of those who pass the program on but a notice.
PERMISSIVE = {
    *(
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "HPND",
        "ISC",
        "MIT",
        "MIT-CMU",
        "PSF-2.0",
    ),
    *("Unlicense", "Zlib"),
}
#: What metadata from before SPDX expressions holds.
CLASSIFIERS = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: Historical Permission Notice and Disclaimer (HPND)": "HPND",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
    "License :: OSI Approved :: The Unlicense (Unlicense)": "Unlicense",
}
TEXTS = {
    "MIT": "MIT",
    "MIT License": "MIT",
    "Apache-2.0": "Apache-2.0",
    "BSD 3-Clause License": "BSD-3-Clause",
}


def required(requirements, extras):
    """Return those that are installed here: without marker, or with one that holds for one of the extras."""
    found = [Requirement(text) for text in requirements]
    asked = extras or {""}
    return [
        r
        for r in found
        if r.marker is None or any(r.marker.evaluate({"extra": extra}) for extra in asked)
    ]


def run_time_packages():
    """Name what pyproject.toml requires, and what that requires in turn."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ]
    waiting = required(declared, set())
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if (name, frozenset(requirement.extras)) not in seen:
            seen.add((name, frozenset(requirement.extras)))
            waiting += required(distribution(name).requires or [], {"", *requirement.extras})
    return sorted({name for name, _ in seen})


def license_of(metadata):
    """Return the license as an SPDX expression; what is unknown is returned as it is written, and so not allowed."""
    expression = metadata.get("License-Expression")
    if expression:
        return expression
    classifiers = [
        text for text in metadata.get_all("Classifier") or [] if text.startswith("License :: ")
    ]
    telling = [text for text in classifiers if text != "License :: OSI Approved"]
    if telling:
        return " AND ".join(CLASSIFIERS.get(text, text) for text in telling)
    text = (metadata.get("License") or "").strip()
    return TEXTS.get(text.split("\n")[0], text)


def is_permissive(expression):
    """Return whether one alternative of an expression is made of permissive licenses alone."""
    alternatives = re.sub(r"[()]", "", expression).split(" OR ")
    return any(
        set(alternative.strip().split(" AND ")) <= PERMISSIVE for alternative in alternatives
    )


@pytest.mark.parametrize("package", run_time_packages())
def test_a_run_time_dependency_is_under_a_permissive_license(package):
    expression = license_of(distribution(package).metadata)
    assert is_permissive(expression), f"{package}: {expression!r}"


def test_the_list_reaches_what_dependencies_require():
    found = set(run_time_packages())
    assert {"numpy", "pandas", "mdurl", "pydantic"} <= found
    assert found.isdisjoint({"pytest", "duckdb", "distributed"})


@pytest.mark.parametrize(("expression", "allowed"), [
    ("MIT", True),
    ("Apache-2.0 OR BSD-2-Clause", True),
    ("GPL-3.0-or-later OR MIT", True),
    ("BSD-3-Clause AND 0BSD AND Zlib", True),
    ("GPL-3.0-or-later", False),
    ("MIT AND LGPL-2.1-only", False),
    ("License :: OSI Approved :: GNU General Public License v3 (GPLv3)", False),
    ("", False),
])  # fmt: skip
def test_expressions(expression, allowed):
    assert is_permissive(expression) is allowed


def test_every_package_that_is_required_has_its_reason_in_the_decisions():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required_names = {Requirement(text).name for text in project["dependencies"]}
    page = (ROOT / "docs/decisions/dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w.-]+) \| .+ \| ([0-9]\S*), .+ \| .+ \|$", page, re.MULTILINE)
    assert {name for name, _ in rows} == required_names
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower()
    assert [name for name, version in rows if f"\n{name.lower()}=={version}\n" not in pinned] == []
