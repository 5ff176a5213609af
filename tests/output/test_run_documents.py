"""run_documents: what a query showed, beside the run before, and published in step."""

from support.scripts import scripted

test_script = scripted(__file__)
