//! Commands said in advance: when each is given to the drive.

use vdrive::workload::{Issue, Planned, Progress, Replay, Replayed};
use vdrive::{Command, Rejected};

use crate::devices::{BadFrom, KIB, Parallel, Serial};

fn read(offset_bytes: u64) -> Command {
    Command::Read {
        offset_bytes,
        length_bytes: 4 * KIB,
    }
}

fn planned(offset_bytes: u64, issue: Issue, pause_ns: u64) -> Planned {
    Planned {
        command: read(offset_bytes),
        issue,
        pause_ns,
    }
}

fn replayed<D: vdrive::workload::BlockDevice>(device: &mut D, commands: Vec<Planned>, depth: u32) -> Replayed {
    let mut replay = Replay::new(commands, depth, 1000).unwrap();
    while replay.advance(device, 2).unwrap() == Progress::Running {}
    replay.finish()
}

#[test]
fn one_at_a_time_each_waits_for_the_last_and_then_for_its_pause() {
    let commands = vec![planned(0, Issue::WhenRoom, 0), planned(4 * KIB, Issue::WhenRoom, 70)];
    let found = replayed(&mut Parallel::new(|_| 10), commands, 1);
    assert_eq!(found.submitted_ns, [1000, 1080]);
    assert_eq!(found.completed_ns, [1010, 1090]);
    assert_eq!(found.end_ns, 1090);
}

#[test]
fn a_batch_goes_out_together_and_the_next_waits_for_all_of_it() {
    let commands = (0..6)
        .map(|at| {
            let issue = if at % 3 == 0 { Issue::Alone } else { Issue::WhenRoom };
            planned(at * 4 * KIB, issue, 0)
        })
        .collect();
    let found = replayed(
        &mut Serial {
            service_ns: 5,
            free_ns: 0,
        },
        commands,
        3,
    );
    assert_eq!(found.submitted_ns, [1000, 1000, 1000, 1015, 1015, 1015]);
    assert_eq!(found.completed_ns, [1005, 1010, 1015, 1020, 1025, 1030]);
}

#[test]
fn what_the_drive_refuses_ends_the_replay() {
    let mut replay = Replay::new(vec![planned(64 * KIB, Issue::Alone, 0)], 1, 0).unwrap();
    assert!(matches!(
        replay.advance(&mut BadFrom(0), 1),
        Err(Rejected::PastTheEnd { .. })
    ));
}

#[test]
fn a_queue_that_holds_nothing_is_refused() {
    let fault = Replay::new(Vec::new(), 0, 0).unwrap_err();
    assert_eq!(fault.to_string(), "queue_depth: 0, allowed is at least 1");
}
