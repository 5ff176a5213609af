"""Lines that begin with #: comments are counted, lines of data are read."""

from pathlib import Path

import pytest

from support.commands import Command
from support.files import stored
from support.scripts import scripted

test_script = scripted(__file__)


@pytest.mark.slow
@pytest.mark.usefixtures("empty")
def test_a_large_file_is_read_like_a_small_one(ndcg: Command) -> None:
    """The fast readings leave such lines to the strict one."""
    rows = [f"{q} Q0 {n:0700} {n} {-n} t" for q in range(25) for n in range(1000)]
    for name, number in (("little", 1000), ("large", len(rows))):
        lines = [*rows[:number], "#7 Q0 d 1 1 t", "# comment", ""]
        Path(name).write_text("\n".join(lines))
        Path("j").write_text("#7 0 d 1\n")
        told = ndcg("eval", "j", name, "-m", "RR", "--format", "csv")
        assert told.err == f"{name}: 1 comment line skipped\n"
        assert ",RR,1.0," in told.out
        assert "1 comment line skipped" in ndcg("load", "run", name).err
    assert stored("select count(*) from rankings") == [(26_002,)]
