"""Random judgments and runs of every shape."""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from random import Random

from support import exploring

# The last two sort differently by UTF-16 units than by bytes of UTF-8.
PREFIXES = ("d", "Z", "d-", "é", "日", "'", "\ufb01", "\U0001d11e")
SHAPES = (
    *("plain", "plain", "tied", "tied", "sparse", "lost", "long"),
    *("zeros", "negative", "unanswered", "unjudged", "single"),
)
WHOLE = (-2, -1, 0, 0, 0, 1, 1, 2, 3)
FRACTIONS = (-0.5, 0, 0, 0.1, 0.25, 0.5, 1, 1.5, 2.75)
# Numbers that a double tells apart and a single float does not.
NEAR = (
    *(1.0, 1.00000001, 1.00000002, 1.5, 16777216, 16777217, 1e39, 1e40),
    *(-1e39, -1e40, 1e-46, 1e-50, 0.1, 0.1000000001, 0.0, -0.0, inf, -inf),
)


@dataclass(frozen=True)
class World:
    """Judgments and a run of many queries of every shape."""

    judged: dict[str, dict[str, float]]
    ranked: dict[str, dict[str, float]]

    @cached_property
    def rankings(self) -> dict[str, list[str]]:
        """The documents of every judged query, best first; equal scores by id."""
        return {
            query: sorted(
                self.ranked.get(query, {}),
                key=lambda d: (self.ranked[query][d], d.encode()),
                reverse=True,
            )
            for query in self.judged
        }


def merged(**worlds: World) -> World:
    """Return all queries of some worlds, under other names."""
    whole = World({}, {})
    for name, one in worlds.items():
        whole.judged.update({f"{query}{name}": g for query, g in one.judged.items()})
        whole.ranked.update({f"{query}{name}": s for query, s in one.ranked.items()})
    return whole


def world(
    seed: int,
    size: int,
    grades: tuple[float, ...] = WHOLE,
    scores: tuple[float, ...] = (0.5, 1, 1.5, 2),
    shapes: tuple[str, ...] = SHAPES,
    prefixes: tuple[str, ...] = PREFIXES,
) -> World:
    """Return random queries; their scores are exact in single floats, unless given."""
    random = Random(seed + int(exploring.SEED))
    made = World({}, {})
    for number in range(1, size + 1):
        shape = shapes[number % len(shapes)]
        length = {"long": 120, "single": 1}.get(shape, random.randint(2, 25))
        query = random.choice(prefixes).replace("d", "") + str(number)
        names = [f"{random.choice(prefixes)}{i}" for i in range(length * 2)]
        returned = names[:length]
        pool = {"lost": names[length:], "sparse": names[:3]}.get(shape, names)
        pool = random.sample(pool, random.randint(1, len(pool)))
        choices = {"zeros": (0,), "negative": (-2, -1)}.get(shape, grades)
        if shape != "unjudged":
            made.judged[query] = {d: random.choice(choices) for d in pool}
        distinct = [value / 8 for value in random.sample(range(-4000, 4000), length)]
        drawn = [random.choice(scores) for _ in returned]
        if shape != "unanswered":
            values = drawn if shape == "tied" else distinct
            made.ranked[query] = dict(zip(returned, values, strict=True))
    return made
