"""Orchestration traces: read, validate, measure, label, replay, compare, draw and convert runs of LLM teams.

A wing of its own. It builds on :mod:`corpus.model` alone and is used by :mod:`corpus.cli` alone.
"""
