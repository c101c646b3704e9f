"""Every number that filters change, against a plain count in Python: list, filters, months, heatmaps."""

from calendar import month_name
from collections import Counter
from itertools import product
from urllib.parse import parse_qsl

import pytest

from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL

#: Goes to an address and returns all numbers of the page.
SNAPSHOT = """address => new Promise(done => {
  const text = (node, name) => node.querySelector(name).textContent;
  const take = () => done({
    count: text(document, "#count"),
    chips: document.querySelectorAll("#chips .chip").length,
    keys: [...document.querySelectorAll("#list .entry h3 a")].map((link) =>
      new URLSearchParams(link.getAttribute("href").split("?")[1]).get("key")),
    facets: Object.fromEntries([...document.querySelectorAll("fieldset[data-facet]")].map((set) =>
      [set.dataset.facet, [...set.querySelectorAll("li")].map((item) =>
        [text(item, ".term"), Number(text(item, ".n")), item.querySelector("input").checked])])),
    months: [...document.querySelectorAll("#timeline .month button")].map((button) =>
      [button.title, Number(text(button, ".n") || 0), button.getAttribute("aria-pressed") === "true"]),
    cells: [...document.querySelectorAll("[data-crosstab] td[data-row] a")].map((link) => {
      const cell = link.closest("td");
      return [cell.closest("[data-crosstab]").dataset.crosstab, cell.dataset.row, cell.dataset.column,
        link.textContent, link.getAttribute("href"), Number(/level-(\\d)/.exec(cell.className)[1])];
    }),
  });
  addEventListener("hashchange", () => requestAnimationFrame(take), { once: true });
  location.hash = address;
})"""
NAMES = list(month_name)
STATES = [
    "sort=oldest",
    "is_rl=partial&reward_type=role",
    "reward_type=shared&reward_type=debate&credit_granularity=message",
    "credit_granularity=agent&sort=key",
    "orchestration_form=hierarchical&is_rl=yes&sort=oldest",
    "month=2026-04",
    "month=2026-04&month=2025-10&credit_granularity=agent",
    "reward_type=hybrid&credit_granularity=agent&is_rl=yes&orchestration_form=swarm",
]


class Shown:
    """What a page has to show of a corpus in one state."""

    def __init__(self, study, query):
        self.book = study.codebook
        self.axes = study.codebook.pool.axes
        dates = {row["key"]: row["first_public"] for row in study.tables["bibliography"].records()}
        self.entries = []
        for number, record in enumerate(study.pool.records()):
            terms = {axis.name: self._terms(axis, record[axis.name]) for axis in self.axes}
            self.entries.append(
                {"number": number, "key": record["key"], "date": dates[record["key"]], **terms}
            )
        self.wanted: dict[str, set[str]] = {}
        self.sort = "newest"
        for name, value in parse_qsl(query):
            if name == "sort":
                self.sort = value
            else:
                self.wanted.setdefault(name, set()).add(value)

    @staticmethod
    def _terms(axis, cell):
        if not axis.separator:
            return [cell]
        return [part.strip() for part in cell.split(axis.separator.strip()) if part.strip()]

    def passing(self, *ignored):
        """The entries that pass all filters but some."""
        return [entry for entry in self.entries if self._failed(entry) <= set(ignored)]

    def _failed(self, entry):
        failed = set()
        for name, wanted in self.wanted.items():
            has = [entry["date"][:7]] if name == "month" else entry[name]
            if not wanted & set(has):
                failed.add(name)
        return failed

    def keys(self):
        found = self.passing()
        if self.sort != "key":
            found.sort(key=lambda entry: entry["date"], reverse=self.sort == "newest")
        return [entry["key"] for entry in found]


@pytest.fixture(scope="module")
def study():
    return load_corpus(str(REAL))


def test_every_number_follows_the_filters(visit, real_page, study):
    page = visit(real_page)
    for query in STATES:
        wanted = Shown(study, query)
        found = page.evaluate(SNAPSHOT, f"#entries?{query}")
        assert found["keys"] == wanted.keys()[:40]
        whole = f"{len(wanted.entries)} entries"
        assert found["count"] == (f"{len(wanted.passing())} of {whole}" if wanted.wanted else whole)
        assert found["chips"] == sum(map(len, wanted.wanted.values()))
        for axis in wanted.axes:
            counts = Counter(
                term for entry in wanted.passing(axis.name) for term in entry[axis.name]
            )
            chosen = wanted.wanted.get(axis.name, set())
            terms = study.codebook.vocabulary_of(axis).terms
            assert found["facets"][axis.name] == [
                [term.label, counts[term.id], term.id in chosen] for term in terms
            ]
        months = Counter(entry["date"][:7] for entry in wanted.passing("month"))
        assert len(found["months"]) > 12
        for title, number, pressed in found["months"]:
            name, year = title.split()
            month = f"{year}-{NAMES.index(name):02}"
            assert (title, number) == (title, months[month])
            assert pressed is (month in wanted.wanted.get("month", ()))


def test_every_cell_of_a_heatmap_counts_and_leads_to_its_entries(visit, real_page, study):
    page = visit(real_page)
    crossings = {crossing.id: crossing for crossing in study.codebook.crosstabs}
    for query, crossing in product(STATES[1:], crossings.values()):
        wanted, rows, columns = Shown(study, query), crossing.rows, crossing.columns
        found = page.evaluate(SNAPSHOT, f"#map?rows={rows}&columns={columns}&{query}")
        assert {cell[0] for cell in found["cells"]} == {crossing.id}
        for _, row, column, shown, address, level in found["cells"]:
            inside = [
                entry
                for entry in wanted.passing(rows, columns)
                if row in entry[rows] and column in entry[columns]
            ]
            assert int(shown.replace("×", "0")) == len(inside)
            assert (level > 0) is (len(inside) > 0)
            target = parse_qsl(address.removeprefix("#map?"))
            kept = {(axis, term) for axis, terms in wanted.wanted.items() for term in terms}
            assert {*kept, ("cell", row), ("cell", column)} <= set(target)


def test_an_entry_counts_for_each_of_its_terms(visit, minimal_page, minimal):
    study = load_corpus(str(minimal))
    found = visit(minimal_page).evaluate(SNAPSHOT, "#entries?sort=oldest")
    several = 0
    for axis in study.codebook.pool.axes:
        counts: Counter[str] = Counter()
        for record in study.pool.records():
            terms = Shown._terms(axis, record[axis.name])
            several += len(terms) > 1
            counts.update(terms)
        wanted = [counts[term.id] for term in study.codebook.vocabulary_of(axis).terms]
        assert [number for _, number, _ in found["facets"][axis.name]] == wanted
    assert several
