"""The option --like: what is followed, what is told, and what is refused."""

from support.scripts import scripted

test_script = scripted(__file__)
