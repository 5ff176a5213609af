"""Folders of BEIR: loaded whole or not at all, with warnings of what they lack."""

from support.scripts import scripted

test_script = scripted(__file__)
