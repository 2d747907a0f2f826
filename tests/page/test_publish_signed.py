"""What `library add` makes of a published copy: every file is held against the manifest, and that against its signature."""

import hashlib
import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.published import OWNER, copy_of
from tests.kit.sample_bundle import write_whole
from typer.testing import CliRunner

from ssdlab.bundle.manifest import MANIFEST, SIGNATURE, SIGNED, ManifestError
from ssdlab.bundle.signature import NAMESPACE, SignatureError, Signed, read_signed
from ssdlab.cli import app
from ssdlab.library.add import Added, add
from ssdlab.library.catalogue import LibraryError
from ssdlab.publish.archive import pack
from ssdlab.unknown import Unknown


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_whole(tmp_path_factory.mktemp("lab") / "run")


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return key_at(tmp_path_factory.mktemp("keys") / "key")


def key_at(path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a test", "-f", str(path)], check=True)
    return path


def allowed(path: Path, principal: str, key: Path, options: str = "") -> Path:
    path.write_text(f"{principal} {options}{key.with_name(key.name + '.pub').read_text()}")
    return path


def packed(bundle: Path, tmp_path: Path, key: Path | None) -> Path:
    copy, _ = copy_of(bundle, tmp_path / "copy")
    pack(copy, tmp_path / "drive.ssdlab", key)
    return tmp_path / "drive.ssdlab"


def changed(archive: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The archive with other content: files by their names in the bundle."""
    with zipfile.ZipFile(archive) as opened:
        root = opened.namelist()[0].partition("/")[0]
        files = {name.partition("/")[2]: opened.read(name) for name in opened.namelist()}
    change(files)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in files.items():
            written.writestr(f"{root}/{name}", content)
    return archive


def signed_anew(files: dict[str, bytes], directory: Path, key: Path, namespace: str) -> None:
    (directory / MANIFEST).write_bytes(files[MANIFEST])
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", namespace, str(directory / MANIFEST)]
    subprocess.run(command, check=True, capture_output=True)
    files[SIGNATURE] = (directory / SIGNATURE).read_bytes()


def taken(archive: Path, tmp_path: Path, signers: Path | None = None) -> Added:
    return add(archive, tmp_path / "other", signers or tmp_path / "none")


def test_a_copy_that_nobody_signed_is_held_against_its_manifest(bundle: Path, tmp_path: Path) -> None:
    added = taken(packed(bundle, tmp_path, None), tmp_path)
    assert added.signed is None
    assert added.path.name == "20260120T093000-fill-lab-pm1-1tb"


def test_a_signature_of_a_known_key_names_its_owner(bundle: Path, tmp_path: Path, key: Path) -> None:
    signers = allowed(tmp_path / "signers", "alice@example", key)
    added = taken(packed(bundle, tmp_path, key), tmp_path, signers)
    assert isinstance(added.signed, Signed)
    assert added.signed.principal == "alice@example"
    assert read_signed(added.path) == added.signed


def test_a_signature_of_a_stranger_is_told_and_no_error(bundle: Path, tmp_path: Path, key: Path) -> None:
    signed = taken(packed(bundle, tmp_path, key), tmp_path).signed
    assert isinstance(signed, Signed)
    assert isinstance(signed.principal, Unknown)
    assert signed.by.startswith("an unknown key, SHA256:")


def test_another_key_of_the_same_name_is_a_stranger(bundle: Path, tmp_path: Path, key: Path) -> None:
    signers = allowed(tmp_path / "signers", "alice@example", key_at(tmp_path / "other-key"))
    signed = taken(packed(bundle, tmp_path, key), tmp_path, signers).signed
    assert isinstance(signed, Signed)
    assert isinstance(signed.principal, Unknown)


def test_a_known_key_that_may_sign_other_things_alone_is_refused(bundle: Path, tmp_path: Path, key: Path) -> None:
    signers = allowed(tmp_path / "signers", "alice@example", key, 'namespaces="git" ')
    with pytest.raises(SignatureError, match="the signature of the bundle is wrong"):
        taken(packed(bundle, tmp_path, key), tmp_path, signers)


def test_a_signature_made_for_another_purpose_is_refused(bundle: Path, tmp_path: Path, key: Path) -> None:
    archive = changed(packed(bundle, tmp_path, key), lambda files: signed_anew(files, tmp_path, key, "git"))
    with pytest.raises(SignatureError, match="the signature of the bundle is wrong"):
        taken(archive, tmp_path)


def test_a_signature_of_another_manifest_is_refused(bundle: Path, tmp_path: Path, key: Path) -> None:
    def other_manifest(files: dict[str, bytes]) -> None:
        files["audit.json"] += b" "
        manifest = json.loads(files[MANIFEST])
        for one in manifest["files"]:
            if one["path"] == "audit.json":
                digest = hashlib.sha256(files["audit.json"]).hexdigest()
                one |= {"size_bytes": len(files["audit.json"]), "sha256": digest}
        files[MANIFEST] = json.dumps(manifest).encode()

    with pytest.raises(SignatureError, match="the signature of the bundle is wrong"):
        taken(changed(packed(bundle, tmp_path, key), other_manifest), tmp_path)


@pytest.mark.parametrize("content", [b"", b"no signature", b"-----BEGIN SSH SIGNATURE-----\nAAAA\n" * 9, b"x" * 70_000])
def test_what_is_no_signature_is_refused(bundle: Path, tmp_path: Path, content: bytes) -> None:
    archive = changed(packed(bundle, tmp_path, None), lambda files: files.update({SIGNATURE: content}))
    with pytest.raises(SignatureError, match="the signature of the bundle is wrong"):
        taken(archive, tmp_path)


def flipped(files: dict[str, bytes]) -> None:
    name = "003-fill.pass1/series.parquet"
    files[name] = files[name][:99] + bytes([files[name][99] ^ 1]) + files[name][100:]


def gone(files: dict[str, bytes]) -> None:
    del files["metrics.json"]


def beyond(files: dict[str, bytes]) -> None:
    files["report.html"] = b"<script>"


def listed_twice(files: dict[str, bytes]) -> None:
    manifest = json.loads(files[MANIFEST])
    manifest["files"].append(manifest["files"][0])
    files[MANIFEST] = json.dumps(manifest).encode()


def no_manifest(files: dict[str, bytes]) -> None:
    files[MANIFEST] = b'{"schema": 1}'


def without_manifest(files: dict[str, bytes]) -> None:
    del files[MANIFEST]


def newer(files: dict[str, bytes]) -> None:
    files[MANIFEST] = json.dumps({**json.loads(files[MANIFEST]), "schema": 2}).encode()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (flipped, "`003-fill.pass1/series.parquet` was changed"),
        (gone, "`metrics.json` is missing"),
        (beyond, "`report.html` is not listed"),
        (listed_twice, "`manifest.json` lists a file twice"),
        (no_manifest, "`manifest.json` is damaged"),
        (newer, "`manifest.json` has schema 2, this ssdlab reads 1"),
    ],
)
def test_what_is_not_as_the_manifest_says_is_refused_and_leaves_nothing(
    bundle: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None], message: str
) -> None:
    with pytest.raises(ManifestError) as raised:
        taken(changed(packed(bundle, tmp_path, None), change), tmp_path)
    assert message in str(raised.value)
    assert not list((tmp_path / "other/runs").iterdir())


def test_a_signature_without_a_manifest_is_refused(bundle: Path, tmp_path: Path, key: Path) -> None:
    archive = changed(packed(bundle, tmp_path, key), without_manifest)
    with pytest.raises(LibraryError, match=r"the bundle has a signature and no manifest\.json"):
        taken(archive, tmp_path)


def test_nobody_can_say_that_they_are_somebody_else(bundle: Path, tmp_path: Path) -> None:
    forged = b'{"key": "SHA256:x", "principal": "alice", "checked_at": "2026-01-01"}'
    archive = changed(packed(bundle, tmp_path, None), lambda files: files.update({SIGNED: forged}))
    assert read_signed(taken(archive, tmp_path).path) is None


def test_a_link_in_a_copy_is_refused(bundle: Path, tmp_path: Path) -> None:
    copy = taken(packed(bundle, tmp_path, None), tmp_path).path
    (copy / "linked.json").symlink_to("/etc/passwd")
    with pytest.raises(LibraryError, match=r"`linked\.json`, which is neither a file nor a directory"):
        add(copy, tmp_path / "third")


def test_a_bomb_is_refused_by_what_would_come_of_it(tmp_path: Path) -> None:
    archive = tmp_path / "bomb.ssdlab"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened, opened.open("run/journal.jsonl", "w") as file:
        for _ in range(300):
            file.write(bytes(1 << 20))
    with pytest.raises(LibraryError, match="more than 100 times its size: no bundle does"):
        add(archive, tmp_path / "lab")


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a key for pseudonyms of their own."""
    (tmp_path / "publish.key").write_bytes(OWNER.key)
    monkeypatch.setattr("ssdlab.publish.owner.state_directory", lambda: tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def test_published_signed_and_added_as_a_user_does(bundle: Path, at_home: Path, key: Path) -> None:
    archive, lab = at_home / "drive.ssdlab", at_home / "lab"
    run = CliRunner().invoke(app, ["publish", str(bundle), "-o", str(archive), "--sign", str(key), "--yes"])
    assert run.exit_code == 0, run.output
    assert run.stdout == f"{archive}\n"
    assert run.stderr == snapshot("""\
        what                    count  such as                                   is then
hashed  host and user names         1  bench                                     withheld-9b70234eaa03
hashed  serial numbers              1  S1234                                     withheld-a4a028b0ce17
kept    files                      11  003-fill.pass1/histogram.parquet
kept    models                      1  Lab PM1 1TB
kept    processors and systems      1  Ryzen 9 9950X, Debian 13
kept    lines of the suite          3  [suite] name = "fill" # <fill & rest> v…
""")
    (at_home / "config/ssdlab").mkdir(parents=True)
    allowed(at_home / "config/ssdlab/allowed_signers", "alice@example", key)
    added = CliRunner().invoke(app, ["library", "add", str(archive), "--lab", str(lab)])
    assert added.exit_code == 0, added.output
    assert added.stderr.startswith("signed by `alice@example`, SHA256:")
    shown = CliRunner().invoke(app, ["show", added.stdout.strip()])
    assert "published copy: identity withheld by its owner" in shown.stdout
    assert "signed by `alice@example`" in shown.stdout
    page = CliRunner().invoke(app, ["report", added.stdout.strip(), "-o", str(at_home / "report.html")])
    assert page.exit_code == 0, page.output
    text = (at_home / "report.html").read_text()
    assert "withheld-a4a028b0ce17 (identity withheld by its owner)" in text
    assert "alice@example" in text
    listed = CliRunner().invoke(app, ["library", "list", "--lab", str(lab)])
    assert "withheld-a4a028b0ce17" in listed.stdout


def test_nothing_is_written_where_nobody_can_be_asked(bundle: Path, at_home: Path) -> None:
    run = CliRunner().invoke(app, ["publish", str(bundle), "-o", str(at_home / "drive.ssdlab")])
    assert run.exit_code == 1
    assert str(run.exception) == "nothing was written"
    assert not [path for path in at_home.iterdir() if "ssdlab" in path.name and path.is_file()]


def test_the_list_is_there_as_json(bundle: Path, at_home: Path) -> None:
    run = CliRunner().invoke(app, ["publish", str(bundle), "-o", str(at_home / "drive.ssdlab"), "--yes", "--json"])
    said = json.loads(run.stdout)
    assert said[1] == {
        "fate": "hashed",
        "what": "serial numbers",
        "count": 1,
        "example": "S1234",
        "stand_in": "withheld-a4a028b0ce17",
    }


def test_a_public_report_names_nobody(bundle: Path, at_home: Path) -> None:
    page, pictures = at_home / "report.html", at_home / "pictures"
    words = [
        "report",
        str(bundle),
        "--public",
        "-o",
        str(page),
        "--png",
        str(pictures),
        "--markdown",
        str(at_home / "p.md"),
    ]
    run = CliRunner().invoke(app, words)
    assert run.exit_code == 0, run.output
    text = page.read_text() + (at_home / "p.md").read_text() + "".join(path.name for path in pictures.iterdir())
    assert "S1234" not in text
    assert str(bundle.parent) not in text
    assert "ssdlab-public-" not in text
    assert "withheld-a4a028b0ce17 (identity withheld by its owner)" in text


def test_the_key_for_pseudonyms_is_made_once_and_for_its_user_alone(bundle: Path, tmp_path: Path) -> None:
    from ssdlab.publish.owner import OwnerError, owner_at

    first = owner_at(tmp_path / "state/publish.key")
    assert owner_at(tmp_path / "state/publish.key") == first
    assert (tmp_path / "state/publish.key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["publish.key"]
    (tmp_path / "short").write_bytes(b"short")
    with pytest.raises(OwnerError, match="holds 5 bytes, a key for pseudonyms has 32"):
        owner_at(tmp_path / "short")
    assert first.pseudonym("S1234") != OWNER.pseudonym("S1234")


def test_the_namespace_is_what_the_guide_says() -> None:
    guide = Path(__file__).parents[2] / "docs/guide/publish.md"
    assert f"-n {NAMESPACE}" in guide.read_text()
