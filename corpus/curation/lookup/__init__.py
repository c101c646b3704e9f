"""Where records come from: arXiv, Crossref, OpenReview, the ACL Anthology, BibTeX files.

Each gives candidates.
"""
