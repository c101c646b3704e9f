"""Modules import one another in one direction, also where an import is inside a function."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import corpus

PACKAGE = Path(corpus.__file__).parent


def module_name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported_names(tree):
    """Every dotted name that a module imports, wherever the import is; `from a import b` may mean module `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not used in this package"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def import_graph(sources):
    """Which modules of `sources` (name -> code) import which others of them."""
    graph: dict[str, set[str]] = {}
    for name, source in sources.items():
        found = set(imported_names(ast.parse(source)))
        # A package imports nothing by being named on the way to one of its modules.
        deeper = {
            one
            for one in found
            if any(other.startswith(f"{one}.") and other in sources for other in found)
        }
        graph[name] = (found - deeper) & sources.keys() - {name}
    return graph


def circle(graph):
    """The modules of one import circle, each importing the one before it; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle():
    sources = {
        module_name(path): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")
    }
    graph = import_graph(sources)
    assert sum(map(len, graph.values())) > len(graph), "nothing was looked at"
    assert circle(graph) == []


def test_an_import_inside_a_function_closes_a_circle():
    sources = {
        "pond.reader": "from pond.table import Table\n",
        "pond.table": "def read():\n    if True:\n        from pond import reader\n",
        "pond": "",
    }
    assert set(circle(import_graph(sources))) == {"pond.reader", "pond.table"}
    sources["pond.table"] = "import csv\n"
    assert circle(import_graph(sources)) == []


def test_a_class_name_means_one_thing_in_the_whole_package():
    modules: dict[str, list[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules.setdefault(node.name, []).append(module_name(path))
    assert {name: found for name, found in modules.items() if len(found) > 1} == {}
