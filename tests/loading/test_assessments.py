"""Several assessors: kept as they said it, made one set by a policy."""

from support.scripts import scripted

test_script = scripted(__file__)
