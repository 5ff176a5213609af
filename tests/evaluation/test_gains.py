"""Named gain schemes: what grades are worth, for measures that ask by name."""

from support.scripts import scripted

test_script = scripted(__file__)
