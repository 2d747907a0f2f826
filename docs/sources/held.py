"""What readers of other programs' files often get wrong, each with the tests that hold it here."""

import re
from collections.abc import Sequence
from pathlib import Path

from sources.markdown import code, table

_ROOT = Path(__file__).resolve().parents[2]
_JSON, _LOGS, _TEXT = (f"tests/unit/test_import_{name}.py" for name in ("fio_json", "logs", "fio_text"))
_BOUNDS, _IMPORT, _LOG = "tests/unit/test_import_bounds.py", "tests/unit/test_import.py", "tests/model/test_log.py"
_OLD = "tests/unit/test_import_crystaldiskmark_old.py"

_Held = tuple[str, Sequence[tuple[str, str]]]
_ROWS: Sequence[tuple[str, Sequence[_Held]]] = (
    (
        "Units",
        (
            ("`io_bytes` of fio 2 is KiB", ((_JSON, "test_fio_2_counts_in_kib_and_microseconds"),)),
            (
                "latencies of fio 2 are microseconds, under `clat`",
                (
                    (_JSON, "test_fio_2_counts_in_kib_and_microseconds"),
                    (_JSON, "test_bytes_of_fio_2_21_are_bytes_though_its_latencies_are_microseconds"),
                ),
            ),
            ("fio before 2.2 prints no count of I/Os", ((_JSON, "test_fio_2_1_which_prints_no_count_is_read"),)),
            (
                "a latency log does not say whether it is of microseconds",
                (
                    (_LOGS, "test_a_latency_log_that_may_be_of_fio_2_is_refused_until_its_unit_is_said"),
                    (_LOGS, "test_the_json_beside_a_log_says_its_unit"),
                ),
            ),
            (
                "a decimal comma of CrystalDiskMark",
                (
                    (_OLD, "test_a_decimal_comma_is_a_decimal_point"),
                    (_OLD, "test_a_decimal_comma_and_zeros_are_read"),
                ),
            ),
        ),
    ),
    (
        "Several jobs, several runs",
        (
            (
                "rates of several logs are added, not averaged",
                (
                    (_LOGS, "test_rates_of_several_jobs_are_added"),
                    (_LOG, "test_the_command_adds_up_rates_of_several_jobs"),
                    ("tests/page/test_log_over_time.py", "test_rates_of_several_averaged_logs_add_up"),
                    (_LOGS, "test_latencies_of_several_jobs_are_not_added"),
                ),
            ),
            (
                "a ranking by rates of jobs that ran together",
                (
                    (_LOGS, "test_drives_rank_by_the_rates_of_all_their_jobs_together"),
                    (_LOGS, "test_drives_rank_by_the_rates_of_all_copies_of_a_job"),
                ),
            ),
            (
                "what `group_reporting` merged is unknown to the audit",
                ((_JSON, "test_jobs_that_were_reported_as_one_are_unknown_to_the_check_of_their_queue"),),
            ),
            (
                "`disk_util` of fio 3.41 ends before the run does",
                ((_JSON, "test_what_fio_did_not_see_in_its_last_quarter_of_a_second_is_unknown"),),
            ),
            ("two runs in one folder of bench-fio", ((_JSON, "test_two_runs_of_one_load_in_a_folder_stay_apart"),)),
            ("jobs `a b`, `a_b` and `a.b`", ((_JSON, "test_names_that_differ_in_a_mark_alone_stay_apart"),)),
        ),
    ),
    (
        "The time of day in logs (`log_unix_epoch`)",
        (
            (
                "rates and windows",
                (
                    (_LOGS, "test_a_log_with_the_time_of_day_is_as_one_since_the_job_began"),
                    (_LOGS, "test_every_io_with_the_time_of_day_is_as_since_the_first_of_them"),
                ),
            ),
            (
                "heat maps",
                ((_LOGS, "test_a_heat_map_of_logs_with_the_time_of_day_is_as_long_as_they_took_together"),),
            ),
        ),
    ),
    (
        "Time and memory",
        (
            (
                "what has no end, such as `/dev/zero`",
                (
                    (_JSON, "test_a_device_that_never_ends_is_refused"),
                    (_LOGS, "test_what_has_no_end_is_refused_within_bounded_memory"),
                ),
            ),
            (
                "what unpacks to far more than it is",
                (
                    (_BOUNDS, "test_what_unpacks_to_more_than_the_memory_is_refused_within_it"),
                    ("tests/model/test_library_add.py", "test_a_zip_bomb_is_refused_by_its_size"),
                ),
            ),
            ("many jobs", ((_BOUNDS, "test_twice_as_many_jobs_are_twice_the_work"),)),
            ("many files", ((_BOUNDS, "test_twice_as_many_files_are_twice_the_work"),)),
            (
                "a large file",
                (("tests/unit/test_import_large.py", "test_tens_of_megabytes_need_little_memory"),),
            ),
        ),
    ),
    (
        "Forms of fio's output",
        (
            (
                "text before or after JSON, CRLF, one line, `json,normal`, `--status-interval`, errors before it, UTF-16, a byte order mark",
                ((_JSON, "test_every_form_gives_the_numbers_of_the_plain_one"),),
            ),
            ("packed JSON", ((_JSON, "test_packed_json_is_unpacked"),)),
            (
                "`client_stats`",
                (
                    (_JSON, "test_clients_are_added_and_their_total_is_not_counted_again"),
                    (_JSON, "test_of_the_snapshots_of_each_host_the_last_counts"),
                ),
            ),
            (
                "`unified_rw_reporting`",
                ((_JSON, "test_directions_reported_as_one_have_numbers_of_their_own"),),
            ),
            (
                "a byte order mark in `ssdlab log`",
                ((_LOGS, "test_json_with_a_mark_of_byte_order_is_a_log_too"),),
            ),
            ("the text that fio prints", ((_TEXT, "test_text_says_what_the_json_beside_it_says"),)),
            ("terse lines", ((_TEXT, "test_terse_lines_of_every_version_have_the_same_numbers"),)),
        ),
    ),
    (
        "Other programs",
        (
            ("DiskSpd", (("tests/unit/test_import_diskspd.py", "test_text_and_xml_say_the_same"),)),
            ("elbencho", (("tests/unit/test_import_elbencho.py", "test_rates_are_those_of_the_last_thread"),)),
            (
                "sysbench",
                (
                    (
                        "tests/unit/test_import_sysbench.py",
                        "test_reads_and_writes_have_rates_of_their_own_and_latencies_in_common",
                    ),
                ),
            ),
        ),
    ),
    (
        "Damaged and hostile files",
        (
            (
                "negative or too large bins and counts",
                (
                    (_LOGS, "test_bins_that_cannot_be_are_refused_in_words"),
                    (_LOG, "test_json_with_numbers_that_fio_never_writes_is_refused_in_words"),
                ),
            ),
            (
                "terminal escapes in names",
                (("tests/unit/test_import_terminal.py", "test_no_text_of_a_foreign_file_steers_the_terminal"),),
            ),
            (
                "one of several files is refused, or there already",
                ((_LOGS, "test_the_others_are_imported_where_one_is_refused"),),
            ),
            (
                "a folder in which there is more than fio's JSON",
                ((_IMPORT, "test_what_else_is_in_a_folder_is_said_not_to_be_read"),),
            ),
            (
                "a text about a program, such as its README",
                ((_IMPORT, "test_words_about_a_program_are_none_of_its_results"),),
            ),
            (
                "a log that becomes shorter while it is read",
                ((_LOGS, "test_a_log_that_becomes_shorter_while_it_is_read_is_said_to_end_early"),),
            ),
        ),
    ),
)


def page() -> str:
    """`import-pitfalls.md`."""
    parts = (
        f"## {title}\n\n{table(('what', 'held by'), [(what, _cells(tests)) for what, tests in rows])}"
        for title, rows in _ROWS
    )
    return (
        "# What is easily read wrong\n\n"
        "Files of fio and of other programs have forms that a reader takes for something else, or does not survive. Each of these was once read wrong or refused "
        "by `ssdlab import` or `ssdlab log`, and has a test that keeps it right.\n\n" + "\n".join(parts)
    )


def _cells(tests: Sequence[tuple[str, str]]) -> str:
    return "; ".join(_test(path, name) for path, name in tests)


def _test(path: str, name: str) -> str:
    """A test by its name.

    Raises:
        ValueError: There is none.
    """
    if not re.search(rf"^def {name}\(", (_ROOT / path).read_text(encoding="utf-8"), re.MULTILINE):
        raise ValueError(f"{path} has no {name}")
    return f"{code(name)} in {code(path)}"
