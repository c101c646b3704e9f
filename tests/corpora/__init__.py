"""The two made-up corpora that tests write and read.

===========  =====================================================================================
``minimal``  what a survey begins with, on disk: three sensors, an exclusion log, a protocol
``full``     what figures, claims, reports and exports read, on disk or in memory: five sensors
===========  =====================================================================================

A test that needs another corpus derives it from one of them, with a function whose name tells how it
differs: ``full_of(sensor("a"))``, ``without_columns(data, "sensors", "url")``,
``declare_accepted_claims(data)``, ``write_searched(folder, searches)`` of
:mod:`tests.support.searched`. Tests take the minimal corpus from the fixture of its name.
"""
