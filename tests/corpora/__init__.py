"""Made-up corpora that tests write and read.

==========  =====================================================================================
``soil``    on disk: pool, exclusion log, bibliography, accepted warnings, protocol, a rule
``full``    everything that a corpus can declare, in memory or on disk
``moors``   on disk, with claims, an audit and git: what a report about a change shows
==========  =====================================================================================
"""
