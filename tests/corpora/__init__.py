"""Made-up corpora that tests write and read.

==========  =====================================================================================
``soil``    on disk: pool, exclusion log, bibliography, accepted warnings, protocol, a rule
``soils``   in memory: two axes, judgements, anchors, ranges, dates; what figures and gaps need
``moors``   on disk, with claims, an audit and git: what a report about a change shows
``bogs``    in memory: hostile cells, authors, venues, numbers, dates; what exports must keep
==========  =====================================================================================
"""
