"""numpy, and its arrays by what they hold.

Its own types are not known well enough for a strict check of types.
"""

from typing import Any

import numpy

np: Any = numpy
# Arrays of unsigned bytes, and of integers of 64 bits with and without a sign.
Bytes = Numbers = Words = Any
# Arrays of doubles, of doubles or single floats, and of truth values.
Doubles = Scores = Flags = Any
