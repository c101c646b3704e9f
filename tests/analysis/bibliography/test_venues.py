import pytest

from corpus.analysis.bibliography.works import venue_kind


@pytest.mark.parametrize(
    ("venue", "kind"),
    [
        ("ACL 2025", "inproceedings"),
        ("NeurIPS 2024 D&B", "inproceedings"),
        ("Findings of ACL 2024", "inproceedings"),
        ("ACM AISec 2023", "inproceedings"),
        ("Proc. of the 3rd Bog Symposium", "inproceedings"),
        ("IEEE Transactions on Mires", "article"),
        ("Journal of Wetlands 2019", "article"),
        ("arXiv (ICLR 2026 submitted)", "misc"),
        ("ACL ARR 2026 January Submission", "misc"),
        ("Engineering Blog", "misc"),
        ("Nature 2025", "misc"),
        ("Tech Report", "techreport"),
        ("", "misc"),
    ],
)
def test_the_name_of_a_venue_tells_its_kind(venue, kind):
    assert venue_kind(venue) == kind
