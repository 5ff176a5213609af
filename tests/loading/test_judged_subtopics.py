"""Judgments that name subtopics."""

from support.scripts import scripted

test_script = scripted(__file__)
