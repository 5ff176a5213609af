"""Files that are changed at random, by pieces that could be read as something."""

import random

PIECES = (
    *(b" ", b"\t", b"  ", b"\n", b"\n\n", b"\r\n", b"\r", b",", b'"', b"#", b"\0"),
    *(b"\v", b"\f", b"_", b"+", b"-", b".", b"e", b"1", b"0", b"nan", b"inf"),
    *(b"1e400", b"1e-400", b"0e5", b"1_0", b"+-5", b"0x1", b"\xff", b"\xef\xbb\xbf"),
    *("\u0663".encode(), b"NULL", b"true", b"q1 Q0 a 1 2.5 t\n", b"q1,a,2.5\n", b"\\"),
    *("\u00a0".encode(), b"\x7f", b"\x1b", b"\x85", b"-0.0", b"inf\n", b"; ", b"\xc3"),
)


def mutated(chance: random.Random, content: bytes) -> bytes:
    """Return content with some bytes replaced, inserted or left out, or none."""
    text = bytearray(content)
    for _ in range(chance.choice((0, 0, 1, 1, 1, 2, 3))):
        place = chance.randrange(len(text) + 1)
        end = place + chance.choice((0, 0, 1, 2, 4))
        text[place:end] = chance.choice((*PIECES, b""))
    if chance.random() < 0.1:
        lines = bytes(text).splitlines(keepends=True)
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines or [b""]))
        text = bytearray(b"".join(lines))
    return bytes(text)


def flipped(chance: random.Random, content: bytes) -> bytes:
    """Return content with one to three bits flipped, or cut at its end."""
    data = bytearray(content)
    for _ in range(chance.randint(1, 3)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data[: chance.randrange(len(data))] if chance.random() < 0.1 else data)
