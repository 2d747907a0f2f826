//! Lines a second that each reader takes, and I/Os a second of a whole import, by processor time; as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;

use rustix::time::{ClockId, clock_gettime};
use trace::{Format, Import, TraceError, import, read_source};

const LINES: u64 = 2_000_000;

fn processor_s() -> f64 {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
}

fn lines(mut line: impl FnMut(&mut String, u64, u64)) -> String {
    let mut text = String::new();
    for number in 0..LINES {
        // Places that look like those of a drive.
        line(
            &mut text,
            number,
            (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 36) * 8,
        );
    }
    text
}

fn samples() -> Vec<(Format, String)> {
    let text = |format: fn(u64, u64) -> String| {
        lines(|text, number, sector| {
            let _ = writeln!(text, "{}", format(number, sector));
        })
    };
    vec![
        (
            Format::MsrCambridge,
            text(|n, s| {
                format!(
                    "{},usr,0,Read,{},4096,{}",
                    128_166_372_003_061_629 + n * 977,
                    s * 512,
                    1000 + n % 977
                )
            }),
        ),
        (
            Format::Systor17,
            text(|n, s| {
                format!(
                    "{}.{:09},0.000{:06},W,0,{},4096",
                    1_456_095_145 + n / 1000,
                    n % 1000 * 1000,
                    n % 1000,
                    s * 512
                )
            }),
        ),
        (
            Format::Alibaba,
            text(|n, s| format!("419,W,{},16384,{}", s * 512, 1_577_808_000_000_046 + n * 31)),
        ),
        (
            Format::Tencent,
            text(|n, s| format!("{},{s},8,1,1283", 1_538_323_200 + n / 1000)),
        ),
        (
            Format::Fiu,
            text(|n, s| {
                format!(
                    "{} 4892 syslogd {s} 8 W 6 0 531e779e8d0b3e1e",
                    89_966_104_471_300 + n * 997
                )
            }),
        ),
        (
            Format::Spc,
            text(|n, s| format!("0,{s},24576,R,{}.{:06}", n / 1_000_000, n % 1_000_000)),
        ),
        (
            Format::Tectonic,
            text(|n, s| {
                // A hundred I/Os to each of 20,000 blocks.
                format!(
                    "{} {} 65536 {}.{:05} 1 24 {} 3 1 401",
                    s % 20_000,
                    n % 100 * 65_536,
                    1_679_702_400 + n / 1000,
                    n % 1000 * 100,
                    n % 50
                )
            }),
        ),
        (Format::Etw, format!("{ETW_HEADER}{}", text(etw_line))),
    ]
}

const ETW_HEADER: &str = "BeginHeader
DiskRead, TimeStamp, Process Name ( PID), ThreadID, CPU, IrpPtr, ByteOffset, IOSize, ElapsedTime, DiskNum, IrpFlags
EndHeader
";

fn etw_line(number: u64, sector: u64) -> String {
    format!(
        "               DiskRead, {:>10},        game.exe (3984),      {:>5},   1, 0xffffe288b23f1b20, {:#012x}, 0x00001000, {:>11},        0, 0x060043,         283,       3, Original, 0xffffe288272d0d20, \"C:\\a.bin\"",
        number * 31,
        number % 50,
        sector * 512,
        100 + number % 97,
    )
}

fn main() -> Result<(), TraceError> {
    let mut rates = BTreeMap::new();
    for (format, text) in samples() {
        let mut best: f64 = 0.0;
        for _ in 0..3 {
            let (began_s, mut ios) = (processor_s(), 0_u64);
            read_source(&mut text.as_bytes(), format, None, &mut |_| {
                ios += 1;
                Ok(())
            })?;
            best = best.max(ios as f64 / (processor_s() - began_s));
        }
        rates.insert(format.name(), best);
        if format == Format::MsrCambridge {
            let told = Import {
                format,
                device: None,
                device_bytes: None,
                licence: None,
                files: Vec::new(),
            };
            let began_s = processor_s();
            let mut bytes = text.as_bytes();
            let mut sources: [&mut dyn Read; 1] = [&mut bytes];
            let (ios, _) = import(&mut sources, &told, std::io::sink(), &mut || true).map_err(|(_, error)| error)?;
            rates.insert("import", ios as f64 / (processor_s() - began_s));
        }
    }
    let told = serde_json::to_string(&rates).map_err(std::io::Error::from)?;
    std::io::Write::write_all(&mut std::io::stdout(), told.as_bytes())?;
    Ok(())
}
