"""Where records come from: arXiv, Crossref, OpenReview, the ACL Anthology, BibTeX files; each gives candidates."""
