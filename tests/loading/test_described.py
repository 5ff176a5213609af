"""What is known of queries and documents."""

from support.scripts import scripted

test_script = scripted(__file__)
