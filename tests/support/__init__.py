"""What the tests share: small files, evaluations, random worlds, formulas, oracles."""

import pytest

# So that an assert in here tells what it compared, as one in a test does.
pytest.register_assert_rewrite("support.evaluations", "support.locks", "support.kills")
