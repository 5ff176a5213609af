"""A p-value has four decimals wherever it is shown."""

import pytest

from ndcg_sql.text import chance


@pytest.mark.parametrize(
    ("p", "limit", "shown"),
    [
        (None, None, ""),
        (0.0312499, None, "0.0312"),
        (0.05, 0.05, "0.0500"),
        (1.26e-06, None, "<0.0001"),
        (1.26e-06, 0.05, "<0.0001"),
        (0.04999, 0.05, "0.04999"),
        (0.050049, 0.05, "0.050049"),
    ],
)
def test_a_p_value_is_short_unless_it_would_seem_to_be_the_limit(
    p: float | None, limit: float | None, shown: str
) -> None:
    assert chance(p, limit) == shown
