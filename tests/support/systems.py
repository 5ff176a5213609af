"""What tests need of the system they run on."""

import sys

import pytest

# Pipes with names, devices, terminals, limits and signals; a shell that knows them.
posix = pytest.mark.skipif(
    sys.platform == "win32", reason="needs what Linux and macOS have"
)
