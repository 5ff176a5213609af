"""What the tests of measures share: values as other systems have them."""

from pathlib import Path

import pytest

from support.commands import Command
from support.conventions import Like


@pytest.fixture
def like(ndcg: Command, tmp_path: Path) -> Like:
    """Return what evaluates as other systems do."""
    return Like(ndcg, tmp_path)
