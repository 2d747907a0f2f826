"""Typical mistakes in words: misspelt, swapped, missing, too many; each with the whole answer."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.mistakes import RUN, Mistakes, mistakes_in


@pytest.fixture
def mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Mistakes:
    return mistakes_in(tmp_path, capsys, monkeypatch)


def test_a_misspelt_command(mistakes: Mistakes) -> None:
    assert mistakes.told("rnu client model:demo", "drivs", "library rnak x", "vdrive shw demo", "help rnu") == snapshot(
        {
            "rnu client model:demo": """\
usage
error: no such command 'rnu'. Did you mean 'run'?
hint: usage is `ssdlab [OPTIONS] COMMAND [ARGS]...`
hint: `ssdlab --help` says more\
""",
            "drivs": """\
usage
error: no such command 'drivs'. Did you mean 'drives', 'vdrive'?
hint: usage is `ssdlab [OPTIONS] COMMAND [ARGS]...`
hint: `ssdlab --help` says more\
""",
            "library rnak x": """\
usage
error: no such command 'rnak'. Did you mean 'rank'?
hint: usage is `ssdlab library [OPTIONS] COMMAND [ARGS]...`
hint: `ssdlab library --help` says more\
""",
            "vdrive shw demo": """\
usage
error: no such command 'shw'. Did you mean 'show'?
hint: usage is `ssdlab vdrive [OPTIONS] COMMAND [ARGS]...`
hint: `ssdlab vdrive --help` says more\
""",
            "help rnu": """\
usage
error: no such command 'rnu'. Did you mean 'run'?
hint: usage is `ssdlab [OPTIONS] COMMAND [ARGS]...`
hint: `ssdlab --help` says more\
""",
        }
    )


def test_a_misspelt_option(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "run fill model:demo --profil quick", "show --jsn", "run fill model:demo --dry-run"
    ) == snapshot(
        {
            "run fill model:demo --profil quick": """\
usage
error: no such option: --profil (possible options: --profile)
hint: usage is `ssdlab run [OPTIONS] SUITE TARGET`
hint: `ssdlab run --help` says more\
""",
            "show --jsn": """\
usage
error: no such option: --jsn (possible options: --json)
hint: usage is `ssdlab show [OPTIONS] [RUN]`
hint: `ssdlab show --help` says more\
""",
            "run fill model:demo --dry-run": """\
usage
error: no such option: --dry-run
hint: usage is `ssdlab run [OPTIONS] SUITE TARGET`
hint: `ssdlab run --help` says more\
""",
        }
    )


def test_an_option_before_its_command(mistakes: Mistakes) -> None:
    assert mistakes.told("--lab other run fill model:demo", "--json show") == snapshot(
        {
            "--lab other run fill model:demo": """\
usage
error: `--lab` stands after the command
hint: `ssdlab run ... --lab ...`\
""",
            "--json show": """\
usage
error: `--json` stands after the command
hint: `ssdlab show ... --json ...`\
""",
        }
    )


def test_misspelt_suites_profiles_and_drives(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "run clint model:demo",
        "suite clint",
        "run client model:demo --profile quik",
        "run client model:dmeo",
        "vdrive show dmeo",
        "run fill modle:demo",
    ) == snapshot(
        {
            "run clint model:demo": """\
refused
error: there is no suite `clint`
hint: did you mean `client`? choose from bootbench, bootbench-compat, cdm, client, client-2025.07, enterprise, enterprise-iu, enterprise-sweep, fill, load-latency, mixes, pts-cbw, pts-dirth, pts-hir, pts-iops, pts-iops-client, pts-lat, pts-lat-client, pts-tp, pts-tp-client, pts-wsat, pts-xsr, write-amplification, wsat
hint: give the path of a TOML file to run your own\
""",
            "suite clint": """\
refused
error: there is no suite `clint`
hint: did you mean `client`? choose from bootbench, bootbench-compat, cdm, client, client-2025.07, enterprise, enterprise-iu, enterprise-sweep, fill, load-latency, mixes, pts-cbw, pts-dirth, pts-hir, pts-iops, pts-iops-client, pts-lat, pts-lat-client, pts-tp, pts-tp-client, pts-wsat, pts-xsr, write-amplification, wsat
hint: give the path of a TOML file to run your own\
""",
            "run client model:demo --profile quik": """\
refused
error: suite `client` has no profile `quik`
hint: did you mean `quick`? choose from standard, quick\
""",
            "run client model:dmeo": """\
refused
error: there is no virtual drive called `dmeo`
hint: did you mean `demo`?
hint: built in are: demo, zero, pm9e1-1tb, mlc-1tb, qlc-dramless-1tb, folding-tlc-1tb, plp-enterprise-3t84, p4500-4tb, iu16k-7t68, flat-cfexpress-800gb, optane-like-960gb, ssd-a, ssd-b, ssd-c, chaos; or give the path of a spec.toml\
""",
            "vdrive show dmeo": """\
refused
error: there is no virtual drive called `dmeo`
hint: did you mean `demo`?
hint: built in are: demo, zero, pm9e1-1tb, mlc-1tb, qlc-dramless-1tb, folding-tlc-1tb, plp-enterprise-3t84, p4500-4tb, iu16k-7t68, flat-cfexpress-800gb, optane-like-960gb, ssd-a, ssd-b, ssd-c, chaos; or give the path of a spec.toml\
""",
            "run fill modle:demo": """\
refused
error: `modle:demo` is no target: `modle:` is unknown
hint: did you mean `model:demo`?
hint: known forms: /dev/..., virtual:NAME, model:NAME, file:PATH, nbd+unix:///EXPORT?socket=PATH\
""",
        }
    )


def test_misspelt_probes_metrics_engines_and_languages(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "probe al model:demo",
        "library rank fill.bandwith_mean",
        "library show NoSuchDrive",
        "run fill model:demo --engine fi",
        f"report {RUN} --lang de",
    ) == snapshot(
        {
            "probe al model:demo": """\
usage
error: there is no probe called `al`
hint: did you mean `all`?
hint: there are declared, noise, drift, read-ahead, read-buffer, read-page, stripe, units, corners, shift-write, placement, allocation, write-buffer, flush, flush-window, reach, slc, reclaim, interference, spare, thermal, `quick` and `all`; `ssdlab probes` says what each asks\
""",
            "library rank fill.bandwith_mean": """\
refused
error: no run of the library has a metric `fill.bandwith_mean`
hint: did you mean `fill.bandwidth_mean`, `fill.pass2.bandwidth_mean` or `fill.pass1.bandwidth_mean`?
hint: all there are: `ssdlab library sql "select distinct name from metrics order by name"`\
""",
            "library show NoSuchDrive": """\
refused
error: no drive of the library has `NoSuchDrive` in its model or serial
hint: there are: Lab PM1 1TB\
""",
            "run fill model:demo --engine fi": """\
usage
error: invalid value for '--engine': 'fi' is not one of 'fio', 'load'
hint: usage is `ssdlab run [OPTIONS] SUITE TARGET`
hint: `ssdlab run --help` says more\
""",
            "report lab/runs/20251201-fill-one --lang de": """\
usage
error: invalid value for '--lang': 'de' is not one of 'en', 'ko'
hint: usage is `ssdlab report [OPTIONS] RUN...`
hint: `ssdlab report --help` says more\
""",
        }
    )


def test_swapped_arguments(mistakes: Mistakes) -> None:
    assert mistakes.told("run model:demo client", "plan model:demo fill", "probe model:demo all") == snapshot(
        {
            "run model:demo client": """\
usage
error: the arguments are swapped
hint: `ssdlab run client model:demo`\
""",
            "plan model:demo fill": """\
usage
error: the arguments are swapped
hint: `ssdlab plan fill model:demo`\
""",
            "probe model:demo all": """\
usage
error: the arguments are swapped
hint: `ssdlab probe all model:demo`\
""",
        }
    )


def test_missing_arguments(mistakes: Mistakes) -> None:
    assert mistakes.told("run client", "report", "probe all", "import", f"compare {RUN}", f"publish {RUN}") == snapshot(
        {
            "run client": """\
usage
error: missing argument 'TARGET'
hint: usage is `ssdlab run [OPTIONS] SUITE TARGET`
hint: `ssdlab run --help` says more\
""",
            "report": """\
usage
error: missing argument 'RUN...'
hint: usage is `ssdlab report [OPTIONS] RUN...`
hint: `ssdlab report --help` says more\
""",
            "probe all": """\
usage
error: missing argument 'TARGET'
hint: usage is `ssdlab probe [OPTIONS] NAME TARGET`
hint: `ssdlab probe --help` says more\
""",
            "import": """\
usage
error: missing argument 'FILE...'
hint: usage is `ssdlab import [OPTIONS] FILE...`
hint: `ssdlab import --help` says more\
""",
            "compare lab/runs/20251201-fill-one": """\
usage
error: only one run is named, and nothing to compare it with
hint: name a run of another drive: `ssdlab compare lab/runs/20251201-fill-one RUN`; `ssdlab library list` has them\
""",
            "publish lab/runs/20251201-fill-one": """\
usage
error: missing option '--output' / '-o'
hint: usage is `ssdlab publish [OPTIONS] RUN`
hint: `ssdlab publish --help` says more\
""",
        }
    )


def test_too_many_arguments(mistakes: Mistakes) -> None:
    assert mistakes.told(f"show {RUN} extra", "suites fill") == snapshot(
        {
            "show lab/runs/20251201-fill-one extra": """\
usage
error: got unexpected extra argument(s) (extra)
hint: usage is `ssdlab show [OPTIONS] [RUN]`
hint: `ssdlab show --help` says more\
""",
            "suites fill": """\
usage
error: got unexpected extra argument(s) (fill)
hint: usage is `ssdlab suites [OPTIONS]`
hint: `ssdlab suites --help` says more\
""",
        }
    )
