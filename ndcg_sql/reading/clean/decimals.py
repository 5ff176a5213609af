"""Decimal numbers in texts, as the doubles that are nearest to them.

A number of up to 15 or 16 digits, divided by a power of ten up to 10^22, is rounded
by IEEE 754 once, and so correctly: both are doubles without an error (Clinger 1990).
With up to 19 digits, the quotient is computed in twice the precision of a double
(Dekker 1971), whose error is less than one part in 2^100: its rounding is right unless
the quotient is that close to the middle between two doubles. What is left, such
numbers included, is read by Python, one by one.
"""

from ndcg_sql.reading.clean.arrays import Doubles, Flags, Numbers, Words, np
from ndcg_sql.reading.clean.texts import FIRST, WORD, OddError, Texts, words
from ndcg_sql.text import number

# The most digits before and after the point that are read in words.
_WHOLE, _FRACTION = WORD, 3 * WORD
_EXPONENT = 3
# Every integer up to 2^53, and every power of ten up to 10^22, is a double.
_EXACT = np.uint64(1 << 53)
_EXACT_POWER = 22
# Integers below this are numbers of 64 bits whatever their last digit is.
_MOST = np.uint64(10**19)
# Up to here, neither a quotient nor its error leaves the range of doubles.
_LARGEST_POWER = 280
_POWERS = np.array([float(10**n) for n in range(_LARGEST_POWER + 1)])
# What is missing in each power: together, they have twice the precision.
_REST = np.array([float(10**n - int(float(10**n))) for n in range(_LARGEST_POWER + 1)])
_TENS = np.array([10**n for n in range(20)], np.uint64)
# 2^27 + 1 cuts a double into two halves of 26 bits each.
_CUTTING = float((1 << 27) + 1)
# The share of half a unit in the last place within which a rounding is in doubt.
_DOUBT = 2.0**-30


def _each(byte: int) -> Words:
    """Return a word of eight equal bytes."""
    return np.uint64(byte * 0x0101010101010101)


_ZEROS, _POINTS, _ES, _LOWER = (_each(byte) for byte in b"0.e ")
_ONES, _HIGH, _OVER_NINE = _each(0x01), _each(0x80), _each(0x76)


def doubles(texts: Texts) -> Doubles:
    """Return the doubles that texts stand for; raise OddError for any other text.

    A negative zero becomes a plain one. Raises OddError also for a number that is too
    large for a double, or so small that it would become 0.
    """
    starts, ends = texts.starts, texts.starts + texts.lengths
    is_negative = texts.data[starts] == ord("-")
    any_negative = bool(is_negative.any())
    if any_negative:
        starts = starts + is_negative
    digits, places, is_read = _digits(texts, starts, ends)
    values, is_right = _quotients(digits, places)
    is_read &= is_right
    left = np.flatnonzero(~is_read)
    if len(left):
        values[left] = _with_exponents(texts[left], starts[left], ends[left])
    if any_negative:
        np.negative(values, out=values, where=is_negative)
    # Adding 0 turns a negative zero into a plain one.
    return values + 0.0


def _with_exponents(texts: Texts, starts: Numbers, ends: Numbers) -> Doubles:
    """Return the values of numbers without a sign, which may have exponents."""
    at = _exponents_at(texts, starts, ends)
    digits, places, is_read = _digits(texts, starts, at)
    has_exponent = at < ends
    exponent_at = np.where(has_exponent, at + 1, ends)
    sign = texts.data[exponent_at]
    is_signed = has_exponent & ((sign == ord("-")) | (sign == ord("+")))
    count = ends - exponent_at - is_signed
    exponents, is_exponent = _eight(
        texts, ends, np.where(has_exponent, np.clip(count, 0, _EXPONENT), 0)
    )
    is_read &= ~has_exponent | (is_exponent & (count >= 1) & (count <= _EXPONENT))
    powers = exponents.astype(np.int64)
    powers[sign == ord("-")] *= -1
    powers[~has_exponent] = 0
    values, is_right = _quotients(digits, places - powers)
    for row in np.flatnonzero(~(is_read & is_right)).tolist():
        text = texts.data[int(starts[row]) : int(ends[row])].tobytes()
        # What begins with another sign is no number.
        if (value := number(text.decode()) if text[:1].isdigit() else None) is None:
            raise OddError
        values[row] = value
    return values


def _exponents_at(texts: Texts, starts: Numbers, ends: Numbers) -> Numbers:
    """Return where the exponent of each number begins; its end if it has none."""
    last = words(texts.data, ends - WORD)
    # What is before the number is not part of it.
    last &= ~FIRST[np.clip(WORD - (ends - starts), 0, WORD)]
    place = _first((last | _LOWER) ^ _ES)
    return np.where(place < WORD, ends - WORD + place, ends)


def _first(word: Words) -> Numbers:
    """Return the place of the first byte of each word that is 0, or 8."""
    marks = (word - _ONES) & ~word & _HIGH
    # The bits below the lowest mark, which is the highest bit of its byte.
    return (np.bitwise_count(~marks & (marks - np.uint64(1))) >> 3).astype(np.int64)


def _digits(
    texts: Texts, starts: Numbers, ends: Numbers
) -> tuple[Words, Numbers, Flags]:
    """Return digits as integers, how many are after the point, and which are read."""
    lengths = ends - starts
    head = words(texts.data, starts)
    # What is behind the number is not part of it.
    first_point = _first((head & FIRST[np.clip(lengths, 0, WORD)]) ^ _POINTS)
    point = np.minimum(first_point, lengths)
    places = np.maximum(lengths - point - 1, 0)
    digits, is_read = _eight(texts, starts + point, point)
    is_read &= (point >= 1) & (places <= _FRACTION)
    is_read &= (places >= 1) == (point < lengths)
    beyond = np.flatnonzero((first_point == WORD) & (lengths > WORD))
    is_read[beyond] &= texts.data[starts[beyond] + WORD] == ord(".")
    # Beyond that, the integer may not fit.
    most = int(np.minimum(places, _FRACTION).max(initial=0))
    if most:
        fraction, is_fraction = _eight(texts, ends, np.minimum(places, WORD))
        is_read &= is_fraction
        for word in range(1, -(-most // WORD)):
            count = np.clip(places - WORD * word, 0, WORD)
            more, is_fraction = _eight(texts, ends - WORD * word, count)
            is_read &= is_fraction
            if word == 2:
                # 10^19 has three digits more than two words have.
                is_read &= more < np.uint64(1000)
            fraction += more * _TENS[WORD * word]
        # A number below one may have more digits, which then begin with zeros.
        is_read &= (digits == 0) | (point + places < len(_TENS))
        digits = digits * _TENS[np.minimum(places, len(_TENS) - 1)] + fraction
        is_read &= digits < _MOST
    return digits, places, is_read


def _eight(texts: Texts, ends: Numbers, counts: Numbers) -> tuple[Words, Flags]:
    """Return the integers of up to eight digits before places, and which are digits.

    Pairs of digits, of numbers of two and of four digits become one number each:
    three multiplications for eight digits.
    """
    after = FIRST[WORD - counts]
    values = words(texts.data, ends - WORD)
    values = (values & ~after) | (_ZEROS & after)
    values ^= _ZEROS
    is_digits = (((values + _OVER_NINE) | values) & _HIGH) == 0
    values = (values * np.uint64(1 + (10 << 8))) >> np.uint64(8)
    values &= np.uint64(0x00FF00FF00FF00FF)
    values = (values * np.uint64(1 + (100 << 16))) >> np.uint64(16)
    values &= np.uint64(0x0000FFFF0000FFFF)
    values = (values * np.uint64(1 + (10000 << 32))) >> np.uint64(32)
    return values, is_digits


def _quotients(digits: Words, places: Numbers) -> tuple[Doubles, Flags]:
    """Return integers divided by powers of ten, and which are rounded correctly."""
    values = digits.view(np.int64).astype(np.float64)
    is_exact = (digits <= _EXACT) & (np.abs(places) <= _EXACT_POWER)
    powers = _POWERS[np.clip(places, 0, _EXACT_POWER)]
    is_right = is_exact
    if not is_exact.all():
        doubted = np.flatnonzero(~is_exact & (places >= 0) & (places <= _LARGEST_POWER))
        quotients, is_sure = _divided(digits[doubted], places[doubted])
        values /= powers
        values[doubted] = quotients
        is_right[doubted] = is_sure
    else:
        values /= powers
    negative = np.flatnonzero(is_exact & (places < 0))
    if len(negative):
        values[negative] *= _POWERS[-places[negative]]
    return values, is_right


def _divided(digits: Words, places: Numbers) -> tuple[Doubles, Flags]:
    """Return integers divided by powers of ten, and which are rounded for sure.

    The remainder of a quotient, divided again, is what the quotient lacks.
    """
    high = digits.astype(np.float64)
    # Both are integers, and their difference is small: it is exact.
    low = (digits - high.astype(np.uint64)).view(np.int64).astype(np.float64)
    power, rest = _POWERS[places], _REST[places]
    quotient = high / power
    product, error = _product(quotient, power)
    lacks = ((high - product) - error + low - quotient * rest) / power
    rounded = quotient + lacks
    # What the sum of both left out, exactly (Knuth's two-sum with |a| > |b|).
    left = lacks - (rounded - quotient)
    half = np.spacing(rounded) / 2
    # Below a power of two, doubles are twice as dense.
    middle = np.minimum(np.abs(np.abs(left) - half), np.abs(np.abs(left) - half / 2))
    return rounded, (middle > half * _DOUBT) | (digits == 0)


def _product(one: Doubles, other: Doubles) -> tuple[Doubles, Doubles]:
    """Return a product and its error, exactly (Dekker)."""
    product = one * other
    one_high, one_low = _halves(one)
    other_high, other_low = _halves(other)
    error = one_high * other_high - product
    error += one_high * other_low
    error += one_low * other_high
    error += one_low * other_low
    return product, error


def _halves(number: Doubles) -> tuple[Doubles, Doubles]:
    """Return two doubles of half the digits whose sum is a number."""
    cut = number * _CUTTING
    high = cut - (cut - number)
    return high, number - high
