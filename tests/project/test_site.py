"""The site has every minor version beside the newest commit."""

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Stands for the one program that the script asks for an environment: its python writes
# the reference, its zensical what it was told, and which commit it was.
UV = """#!/bin/sh
[ "$1" = venv ] || exit 0
mkdir -p "$3/bin"
cat > "$3/bin/zensical" <<'END'
#!/bin/sh
mkdir site
cp page reference site
echo "$NDCG_SQL_SITE_URL $NDCG_SQL_REPOSITORY_URL" > site/index.html
echo "not found: $(cat page)" > site/404.html
END
echo 'echo "$2" > reference' > "$3/bin/python"
sed -i '1i #!/bin/sh' "$3/bin/python"
chmod +x "$3/bin/zensical" "$3/bin/python"
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a repository with the script; return its folder."""
    folder = tmp_path / "checkout"
    (folder / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "site", folder / ".ci" / "site")
    program = tmp_path / "bin" / "uv"
    program.parent.mkdir()
    program.write_text(UV)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    git(folder, "init", "--quiet")
    return folder


def git(folder: Path, *arguments: str) -> None:
    names = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True)


def commit(folder: Path, text: str, *tags: str) -> None:
    (folder / "page").write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", text)
    for tag in tags:
        git(folder, "tag", tag)


def built(folder: Path, **variables: str) -> Path:
    path = os.pathsep.join([str(folder.parent / "bin"), os.environ["PATH"]])
    usual = {k: v for k, v in os.environ.items() if not k.startswith("NDCG_SQL_")}
    subprocess.run(
        [folder / ".ci" / "site"],
        check=True,
        env={**usual, "PATH": path, **variables},
    )
    return folder / "site"


def versions(site: Path) -> list[str]:
    return [row["version"] for row in json.loads((site / "versions.json").read_text())]


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_each_minor_version_is_built_from_its_newest_tag(checkout: Path) -> None:
    commit(checkout, "first", "v0.2.0")
    commit(checkout, "mended", "v0.2.10", "v0.2.9", "v0.3.0rc1", "other")
    commit(checkout, "tenth", "v0.10.0")
    commit(checkout, "not released")
    site = built(checkout, NDCG_SQL_SITE_URL="https://example.org/x")
    assert versions(site) == ["latest", "0.10", "0.2"]
    pages = {name: (site / name / "page").read_text() for name in versions(site)}
    assert pages == {"latest": "not released", "0.10": "tenth", "0.2": "mended"}
    address = (site / "0.2" / "index.html").read_text()
    assert address.startswith("https://example.org/x/0.2/ ")
    assert "url=0.10/" in (site / "index.html").read_text()
    assert "not found: tenth" in (site / "404.html").read_text()


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_before_the_first_release_the_newest_commit_is_what_one_sees(
    checkout: Path,
) -> None:
    commit(checkout, "first")
    built(checkout)
    # An earlier site is replaced.
    site = built(checkout)
    assert versions(site) == ["latest"]
    assert "url=latest/" in (site / "index.html").read_text()
    assert (site / "latest" / "index.html").read_text() == " \n"
