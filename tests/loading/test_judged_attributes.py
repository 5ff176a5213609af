"""Columns of a sheet of judgments that become attributes of its queries."""

from support.scripts import scripted

test_script = scripted(__file__)
