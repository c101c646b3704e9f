"""Orchestration traces: runs of LLM teams, read, validated, measured, drawn and converted.

The package imports :mod:`corpus.model`, :mod:`corpus.printing` and :mod:`corpus.canvas`, and
nothing of the corpus of papers. Inside it, imports run one way::

    checks > measures > reading > run > graph, calls > model

``store``, ``draw``, ``view`` and ``convert`` use these; the modules beside them (``replay``,
``difference``, ``ablation``) put measures of one or two runs together.
"""
