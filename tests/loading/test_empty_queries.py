"""Queries without documents: they leave no mean silently."""

from support.scripts import scripted

test_script = scripted(__file__)
