"""Every console block of the README and of the files beside this one is typed into a shell and compared."""

from pathlib import Path

import pytest

from tests.transcripts import runner

DOCUMENTS = [runner.REPOSITORY / "README.md", *sorted(Path(__file__).parent.glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_what_is_written_is_what_appears(document: Path, tmp_path: Path) -> None:
    runner.run(document, tmp_path)
