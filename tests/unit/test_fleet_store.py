"""A store of bundles, whether it is a directory or a bucket of a service that speaks S3."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import obstore
import pytest
from tests.kit.bucket_service import BUCKET, BucketService, bucket_service, use
from tests.kit.small_bundle import flip, write_small

from ssdlab.bundle.manifest import MANIFEST, ManifestError
from ssdlab.bundle.read import open_bundle
from ssdlab.durable import make_durable
from ssdlab.errors import SsdlabError
from ssdlab.fleet.store import directory
from ssdlab.fleet.store.base import RUNS, Store, StoreError, name_of
from ssdlab.fleet.store.bucket import BucketStore
from ssdlab.fleet.store.directory import DirectoryStore
from ssdlab.fleet.store.fetch import fetched
from ssdlab.fleet.store.location import Bucket, store_at, store_location

RUN, OTHER = UUID(int=1 << 96), UUID(int=2 << 96)


@pytest.fixture(scope="module")
def service() -> Iterator[BucketService]:
    with bucket_service() as service:
        yield service


@pytest.fixture
def bucket(service: BucketService, monkeypatch: pytest.MonkeyPatch) -> BucketStore:
    service.empty()
    use(service, monkeypatch)
    store = store_at(store_location(f"s3://{BUCKET}/of/a-lab"))
    assert isinstance(store, BucketStore)
    return store


@pytest.fixture(params=["directory", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "bucket":
        found: BucketStore = request.getfixturevalue("bucket")
        return found
    (tmp_path / "store" / RUNS).mkdir(parents=True)
    return store_at(tmp_path / "store")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return write_small(tmp_path / "20261127T000000Z-small")


def spoil(store: Store, name: str, path: str) -> None:
    """Change a file of a bundle in the store behind its back."""
    if isinstance(store, BucketStore):
        obstore.put(store.objects, f"{RUNS}/{name}/{path}", b"{}")
    else:
        assert isinstance(store, DirectoryStore)
        flip(store.path / RUNS / name / path, 100)


def content_of(path: Path) -> dict[str, bytes]:
    files = {one.relative_to(path).as_posix(): one.read_bytes() for one in path.rglob("*") if one.is_file()}
    return {name: content for name, content in files.items() if name != MANIFEST}


def test_a_bundle_is_the_same_in_the_store_however_often_it_is_put_there(store: Store, bundle: Path) -> None:
    assert store.names() == ()
    assert store.of_run(RUN) is None
    for _ in range(2):
        assert store.put(bundle, RUN) == name_of(bundle, RUN)
    assert store.names() == (name_of(bundle, RUN),)
    assert (store.of_run(RUN), store.of_run(OTHER)) == (name_of(bundle, RUN), None)
    with store.opened(name_of(bundle, RUN)) as path:
        assert content_of(path) == content_of(bundle)
        assert open_bundle(path).faults == ()


def test_a_bundle_in_the_store_is_never_replaced(store: Store, bundle: Path) -> None:
    name = store.put(bundle, RUN)
    before = content_of(bundle)
    flip(bundle / "run.json", 100)
    with pytest.raises(StoreError):
        store.put(bundle, RUN)
    with store.opened(name) as path:
        assert content_of(path) == before


def test_a_bundle_that_was_changed_in_the_store_is_found(store: Store, bundle: Path) -> None:
    name = store.put(bundle, RUN)
    spoil(store, name, "run.json")
    with pytest.raises(ManifestError), store.opened(name):
        pass


def test_the_store_has_a_bundle_only_as_it_is_here(store: Store, bundle: Path) -> None:
    assert not store.has(bundle, RUN)
    store.put(bundle, RUN)
    assert store.has(bundle, RUN)
    flip(bundle / "run.json", 100)
    assert not store.has(bundle, RUN)


def test_what_was_brought_early_counts_for_nothing_and_is_mended_in_the_end(store: Store, bundle: Path) -> None:
    (step,) = [path.name for path in bundle.iterdir() if path.is_dir()][:1]
    before = (bundle / step / "result.json").read_bytes()
    (bundle / step / "result.json").write_bytes(before[::-1])
    (bundle / step / "gone.json").write_bytes(b"{}")
    store.bring(bundle, RUN, [step])
    assert (store.names(), store.of_run(RUN)) == ((), None)
    # The step was done again, with a result of the same length, and left less.
    (bundle / step / "result.json").write_bytes(before)
    (bundle / step / "gone.json").unlink()
    with store.opened(store.put(bundle, RUN)) as path:
        assert content_of(path) == content_of(bundle)


def test_nothing_is_brought_to_a_bundle_that_is_whole(store: Store, bundle: Path) -> None:
    name = store.put(bundle, RUN)
    (bundle / "late").mkdir()
    (bundle / "late" / "late.json").write_bytes(b"{}")
    store.bring(bundle, RUN, ["late"])
    with store.opened(name) as path:
        assert "late/late.json" not in content_of(path)
    assert not isinstance(store, DirectoryStore) or list((store.path / "arriving").iterdir()) == []


def test_what_was_brought_early_is_not_brought_again(
    bucket: BucketStore, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (step,) = [path.name for path in bundle.iterdir() if path.is_dir()][:1]
    bucket.bring(bundle, RUN, [step])
    sent = sends_of(monkeypatch)
    bucket.bring(bundle, RUN, [step])
    assert sent == []
    bucket.put(bundle, RUN)
    assert sent
    assert not [path for path in sent if path.startswith(f"{step}/")]


def sends_of(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files that are sent from now on."""
    sent: list[str] = []
    send = BucketStore._send

    def noted(self: BucketStore, bundle: Path, name: str, path: str) -> None:
        sent.append(path)
        send(self, bundle, name, path)

    monkeypatch.setattr(BucketStore, "_send", noted)
    return sent


def test_a_bundle_of_the_store_becomes_a_run_of_a_lab(store: Store, bundle: Path, tmp_path: Path) -> None:
    name = store.put(bundle, RUN)
    path = fetched(store, name, tmp_path / "lab")
    assert path == tmp_path / "lab" / RUNS / name
    assert content_of(path) == content_of(bundle)
    with pytest.raises(SsdlabError, match="is there already"):
        fetched(store, name, tmp_path / "lab")
    with pytest.raises(SsdlabError, match="no bundle of the name"):
        fetched(store, "another", tmp_path / "lab")


def test_nothing_is_put_where_a_directory_is_not_mounted(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    store = DirectoryStore(tmp_path / "store")
    with pytest.raises(FileNotFoundError):
        store.put(bundle, RUN)
    assert list((tmp_path / "store").iterdir()) == []
    assert not store.has(bundle, RUN)


def test_a_directory_that_goes_away_in_the_midst_of_a_bundle_is_not_made_anew(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the hosts had it mounted, what is written from then on would lie on the host's own disk, below what is mounted later."""
    place, away = tmp_path / "store", tmp_path / "away"
    (place / RUNS).mkdir(parents=True)
    arrived = []

    def goes_away(temporary: Path, path: Path) -> None:
        make_durable(temporary, path)
        arrived.append(path)
        if len(arrived) == 3:
            place.rename(away)

    monkeypatch.setattr(directory, "make_durable", goes_away)
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            DirectoryStore(place).put(bundle, RUN)
    with pytest.raises(FileNotFoundError):
        DirectoryStore(place).bring(bundle, RUN, ["steps"])
    assert not place.exists()
    away.rename(place)
    with DirectoryStore(place).opened(DirectoryStore(place).put(bundle, RUN)) as path:
        assert content_of(path) == content_of(bundle)


def test_an_outage_of_a_service_is_that_of_a_place_and_leaves_no_half_bundle(
    service: BucketService, bucket: BucketStore, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, sent = BucketStore._send, []

    def ends(self: BucketStore, bundle: Path, name: str, path: str) -> None:
        send(self, bundle, name, path)
        sent.append(path)
        if len(sent) == 3:
            service.end()

    monkeypatch.setattr(BucketStore, "_send", ends)
    with pytest.raises(OSError, match="error sending request"):
        bucket.put(bundle, RUN)
    with pytest.raises(OSError, match="error sending request"):
        bucket.names()
    assert (bucket.of_run(RUN), bucket.has(bundle, RUN)) == (None, False)
    service.begin()
    assert bucket.names() == ()
    with bucket.opened(bucket.put(bundle, RUN)) as path:
        assert content_of(path) == content_of(bundle)


def test_of_two_that_put_a_bundle_at_once_the_second_one_is_held_against_the_first(
    bucket: BucketStore, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where an agent was taken for dead and was not."""
    conclude = BucketStore._conclude

    def late(self: BucketStore, name: str, listed: tuple[object, ...]) -> None:
        monkeypatch.setattr(BucketStore, "_conclude", conclude)
        another = write_small(tmp_path / "other" / bundle.name)
        flip(another / "run.json", 100)
        bucket.put(another, RUN)
        conclude(self, name, listed)  # type: ignore[arg-type]

    monkeypatch.setattr(BucketStore, "_conclude", late)
    with pytest.raises(StoreError):
        bucket.put(bundle, RUN)


def test_a_manifest_leads_nowhere_else(bucket: BucketStore, bundle: Path) -> None:
    name = bucket.put(bundle, RUN)
    evil = b'{"schema":1,"files":[{"path":"../../evil","size_bytes":1,"sha256":"00"}]}'
    obstore.put(bucket.objects, f"{RUNS}/{name}/{MANIFEST}", evil)
    with pytest.raises(ManifestError, match=r"\.\./\.\./evil"), bucket.opened(name):
        pass


def test_a_bucket_that_is_not_there_is_an_outage(service: BucketService, monkeypatch: pytest.MonkeyPatch) -> None:
    use(service, monkeypatch)
    with pytest.raises(OSError, match="404 Not Found"):
        store_at(store_location("s3://nowhere/x")).names()


def test_a_location_is_a_whole_path_or_a_bucket() -> None:
    assert store_location("/mnt/lab") == Path("/mnt/lab")
    assert store_location("s3://ssd-lab") == Bucket("ssd-lab", "")
    assert store_location("s3://ssd-lab/of/us/") == Bucket("ssd-lab", "of/us")
    assert str(Bucket("ssd-lab", "of/us")) == "s3://ssd-lab/of/us"


@pytest.mark.parametrize(
    "text",
    ["", "lab", "s3://", "s3://A", "s3://lab/../x", "s3://lab//x//y", "http://lab/x", "s3://lab/a b", "s3://lab/a%2fb"],
)
def test_what_is_neither_is_refused(text: str) -> None:
    with pytest.raises(SsdlabError, match="s3://BUCKET/PREFIX"):
        store_location(text)
