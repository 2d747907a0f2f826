"""Processes of ssdlab load its own modules, whatever lies in the directory they are started in."""

import subprocess
from pathlib import Path

from ssdlab.own_python import module_command


def test_a_module_in_the_working_directory_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("open('was-run', 'w')")
    done = subprocess.run(module_command("ssdlab.report.vega_worker"), cwd=tmp_path, input=b"", check=False)
    assert done.returncode == 0
    assert not (tmp_path / "was-run").exists()
