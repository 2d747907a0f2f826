"""What becomes of each text in a bundle: one table, by the type and field that holds it.

Numbers, truth values and words of an enumeration say nothing of who and where, and stay. Every text needs a line here, also one
that stays: `tests/unit/test_publish_rules.py` holds the table against the types. A field that no type knows does not get as far
as here, because only what was read into a type is written.
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType


class TextRule(Enum):
    """What becomes of a text."""

    KEEP = "kept"
    """A public fact, or a word of ssdlab's or of the method."""
    WORDS = "words"
    """A sentence: kept, but for private values and for what looks like a path or an address."""
    NAME = "name"
    """A product's name or version: kept, but for private values; numbers with dots in it are no addresses."""
    TEXT = "text"
    """Of a suite or a specification: likewise, but what it says makes no private value public."""
    SERIAL = "serial number"
    IDENTIFIER = "world-wide identifier"
    HOST = "host name"
    TARGET = "target"
    """As the user typed it; its form stays."""
    DEVICE = "device"
    """The kernel's names (`nvme0n1`) stay."""
    FILE = "file name"
    DIGEST = "checksum"
    """Of a file that is left out: with the plain one a guess could be tested."""
    KERNEL = "line of the kernel's log"
    OPTIONS = "options of fio"
    """Kept by their names."""
    SETTING = "setting of another program"
    """Kept by its name."""


_KEEP = {
    "AtaSecurity": "enabled enhanced_erase frozen locked supported",
    "Answer": "name unit",
    "Attachment": "aspm_active",
    "Attribute": "name",
    "BlockDetails": "medium",
    "Check": "name step",
    "Compared": "name unit",
    "Dropped": "option",
    "EarlyStop": "criterion",
    "Extreme": "step",
    "FioDocument": "version",
    "FioJob": "jobname",
    "FioSteady": "criterion",
    "FrequencyPolicy": "governor governors name preference",
    "Health": "warnings",
    "HostFacts": "cpu kernel os",
    "HostState": "aspm_policy bios board boost kernel smt",
    "ImportInfo": "imported_at measured_at program program_version ssdlab_version",
    "Job": "name",
    "KeptAsk": "name",
    "KeptLoad": "directory name",
    "LbaFormat": "in_use",
    "Coordinate": "value",
    "Message": "id",
    "Metric": "failed_checks step unit",
    "MetricKey": "percent",
    "Number": "format",
    "NvmeController": "format_command nvme_version sanitize_methods volatile_write_cache",
    "PcieLink": "speed_best speed_now",
    "Point": "step",
    "PowerSetting": "autonomous",
    "ProtocolJson": "protocol",
    "Quantity": "percent_mark unit word",
    "QueueState": "io_poll nomerges rq_affinity scheduler schedulers wbt_lat_us",
    "SensorReading": "link",
    "Applied": "after before wanted path",
    "PutBack": "before path",
    "RunInfo": "engine profile ssdlab_version started_at",
    "SmartDevice": "link_best link_now protocol",
    "Statistic": "name",
    "Step": "group name",
    "StepResult": "engine",
    "SuiteText": "name sha256 version",
    "Text": "string",
    "StepTotals": "name",
}
_WORDS = {
    "BadRange": "detail",
    "Compared": "value",
    "ImportInfo": "cautions host method",
    "Listed": "items",
    "Message": "english pairs",
    "Metric": "value",
    "SensorReading": "more_temperatures_c",
    "StepResult": "notes",
}
_NAME = {
    "ControllerJson": "fr mn",
    "DriveIdentity": "firmware model",
    "ImportedDrive": "firmware model",
    "NvmeController": "firmware model",
    "SmartDevice": "firmware model",
    "SmartctlJson": "firmware_version model_name scsi_model_name scsi_revision",
}
_TEXT = {"RunInfo": "spec_text", "SuiteText": "text"}
_PRIVATE = {
    "ControllerJson.sn": TextRule.SERIAL,
    "DriveIdentity.serial": TextRule.SERIAL,
    "DriveName.text": TextRule.SERIAL,
    "ImportedDrive.serial": TextRule.SERIAL,
    "NvmeController.serial": TextRule.SERIAL,
    "SmartDevice.serial": TextRule.SERIAL,
    "SmartctlJson.serial_number": TextRule.SERIAL,
    "BlockDetails.wwid": TextRule.IDENTIFIER,
    "NamespaceJson.eui64": TextRule.IDENTIFIER,
    "NamespaceJson.nguid": TextRule.IDENTIFIER,
    "NvmeNamespace.eui64": TextRule.IDENTIFIER,
    "NvmeNamespace.nguid": TextRule.IDENTIFIER,
    "SmartDevice.wwn": TextRule.IDENTIFIER,
    "HostFacts.hostname": TextRule.HOST,
    "DriveIdentity.target": TextRule.TARGET,
    "DeviceTraffic.device": TextRule.DEVICE,
    "FioDisk.name": TextRule.DEVICE,
    "QueueState.device": TextRule.DEVICE,
    "Original.name": TextRule.FILE,
    "Original.sha256": TextRule.DIGEST,
    "Replay.path": TextRule.FILE,
    "Replay.sha256": TextRule.DIGEST,
    "SensedStep.messages": TextRule.KERNEL,
    "FioDocument.global_options": TextRule.OPTIONS,
    "FioJob.options": TextRule.OPTIONS,
    "ForeignSetting.name": TextRule.KEEP,
    "ForeignSetting.text": TextRule.SETTING,
}


def _listed(fields: Mapping[str, str], rule: TextRule) -> dict[str, TextRule]:
    return {f"{kind}.{name}": rule for kind, names in fields.items() for name in names.split()}


RULES: Mapping[str, TextRule] = MappingProxyType(
    {
        **_listed(_KEEP, TextRule.KEEP),
        **_listed(_WORDS, TextRule.WORDS),
        **_listed(_NAME, TextRule.NAME),
        **_listed(_TEXT, TextRule.TEXT),
        **_PRIVATE,
    }
)
"""By `Type.field`; types of foreign JSON without the underscore before their names."""


def rule_name(kind: type, field: str) -> str:
    """Under which name the table has a field."""
    return f"{kind.__name__.lstrip('_')}.{field}"


LEFT_OUT = frozenset({"SmartctlJson.wwn"})
"""Fields that become absent: numbers that name a drive."""

FIO_OPTIONS = frozenset(
    """
    allow_file_create allrandrepeat blocksize bs bs_unaligned bsrange bssplit buffer_compress_percentage buffered clat_percentiles
    clocksource continue_on_error cpus_allowed_policy create_on_open dedupe_percentage direct disable_bw_measurement disable_clat
    disable_lat disable_slat do_verify end_fsync fallocate fdatasync fill_device fixedbufs fsync fsync_on_close group_reporting
    hipri iodepth iodepth_batch iodepth_batch_complete iodepth_batch_complete_max iodepth_batch_complete_min iodepth_low ioengine
    invalidate io_size io_submit_mode ioscheduler lat_percentiles latency_target latency_window log_avg_msec log_entries
    log_hist_coarseness log_hist_msec log_max_value log_offset log_unix_epoch log_window_value loops new_group norandommap nrfiles
    numjobs offset offset_align offset_increment overwrite percentage_random percentile_list random_distribution random_generator
    randrepeat randseed ramp_time rate rate_iops rate_min rate_process readwrite refill_buffers registerfiles runtime rw
    rw_sequencer rwmixread rwmixwrite scramble_buffers significant_figures size softrandommap sqthread_poll ss ss_dur ss_ramp
    startdelay steadystate steadystate_check_interval steadystate_duration steadystate_ramp_time stonewall sync thinktime
    thinktime_blocks thread time_based unified_rw_reporting verify verify_fatal write_barrier zero_buffers zonemode
    """.split()  # noqa: SIM905 - eighty lines otherwise
)
"""Options whose values are numbers and words of fio's; every other, such as `filename`, keeps its name at most."""

PROGRAM_SETTINGS = FIO_OPTIONS | frozenset(
    {
        "Date",
        "Interval",
        "Mode",
        "OS",
        "Profile",
        "Test",
        "Time",
        "ioperfversion",
        "kernel",
        "lsb",
        "pass_count",
        "testdate",
        "volume_filesystem",
    }
)
"""What other programs say they were told, likewise."""
