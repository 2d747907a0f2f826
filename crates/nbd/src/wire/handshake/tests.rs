use super::*;
use proptest::prelude::*;

const CAPACITY: u64 = 1 << 30;

/// A handshake whose client flags are through, with nothing in its output.
fn haggling(client_flags: u8) -> Handshake {
    let mut handshake = Handshake::begin(CAPACITY, &mut Vec::new());
    assert_eq!(
        handshake.advance(&[0, 0, 0, client_flags], &mut Vec::new()),
        Ok(Progress::Consumed(4))
    );
    handshake
}

fn option_bytes(option: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"IHAVEOPT".to_vec();
    bytes.extend_from_slice(&option.to_be_bytes());
    bytes.extend_from_slice(&(data.len() as u32).to_be_bytes());
    bytes.extend_from_slice(data);
    bytes
}

/// Sends one option; returns what became of it and the types and data of the replies.
fn send(handshake: &mut Handshake, option: u32, data: &[u8]) -> (Progress, Vec<(u32, Vec<u8>)>) {
    let mut output = Vec::new();
    let progress = handshake
        .advance(&option_bytes(option, data), &mut output)
        .expect("the option is well-formed");
    let mut replies = Vec::new();
    let mut rest = &output[..];
    while let Some((header, after)) = rest.split_at_checked(20) {
        assert_eq!(be_u64(header), Some(REPLY_MAGIC));
        assert_eq!(be_u32(&header[8..]), Some(option));
        let (data, after) = after.split_at(be_u32(&header[16..]).unwrap() as usize);
        replies.push((be_u32(&header[12..]).unwrap(), data.to_vec()));
        rest = after;
    }
    (progress, replies)
}

fn reply_types(handshake: &mut Handshake, option: u32, data: &[u8]) -> Vec<u32> {
    send(handshake, option, data)
        .1
        .into_iter()
        .map(|(kind, _)| kind)
        .collect()
}

fn go(name: &[u8]) -> Vec<u8> {
    [&(name.len() as u32).to_be_bytes(), name, &[0, 1, 0, 3]].concat()
}

fn context_query(name: &[u8], queries: &[&[u8]]) -> Vec<u8> {
    let mut data = [
        &(name.len() as u32).to_be_bytes(),
        name,
        &(queries.len() as u32).to_be_bytes(),
    ]
    .concat();
    for query in queries {
        data.extend_from_slice(&(query.len() as u32).to_be_bytes());
        data.extend_from_slice(query);
    }
    data
}

#[test]
fn greets_as_a_fixed_newstyle_server() {
    let mut output = Vec::new();
    let _ = Handshake::begin(CAPACITY, &mut output);
    assert_eq!(output, b"NBDMAGICIHAVEOPT\x00\x03");
}

#[test]
fn unknown_client_flags_end_the_session() {
    let mut handshake = Handshake::begin(CAPACITY, &mut Vec::new());
    assert_eq!(
        handshake.advance(&[0, 0, 0, 7], &mut Vec::new()),
        Err(Violation::ClientFlags(7))
    );
}

#[test]
fn go_tells_size_flags_and_block_sizes_and_enters_transmission() {
    let (progress, replies) = send(&mut haggling(3), OPTION_GO, &go(b""));
    assert_eq!(progress, Progress::Agreed(16 + 8, Terms::default()));
    assert_eq!(
        replies[0],
        (REPLY_INFO, vec![0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0b1, 0b0110_1101])
    );
    assert_eq!(
        replies[1],
        (REPLY_INFO, vec![0, 3, 0, 0, 2, 0, 0, 0, 0x10, 0, 2, 0, 0, 0])
    );
    assert_eq!(replies[2], (REPLY_ACK, vec![]));
}

#[test]
fn info_tells_the_same_and_stays() {
    let (progress, replies) = send(&mut haggling(3), OPTION_INFO, &go(b""));
    assert_eq!(progress, Progress::Consumed(24));
    assert_eq!(replies.len(), 3);
}

#[test]
fn an_unknown_export_is_refused_and_haggling_goes_on() {
    let mut handshake = haggling(3);
    assert_eq!(reply_types(&mut handshake, OPTION_GO, &go(b"other")), [REPLY_UNKNOWN]);
    assert_eq!(
        reply_types(&mut handshake, OPTION_LIST, b""),
        [REPLY_SERVER, REPLY_SERVER, REPLY_ACK]
    );
}

#[test]
fn export_name_pads_only_for_clients_that_want_it() {
    for (client_flags, padding_bytes) in [(1, 124), (3, 0)] {
        let mut output = Vec::new();
        let progress = haggling(client_flags).advance(&option_bytes(OPTION_EXPORT_NAME, b""), &mut output);
        assert_eq!(progress, Ok(Progress::Agreed(16, Terms::default())));
        assert_eq!(output.len(), 10 + padding_bytes);
        assert_eq!(output[..8], CAPACITY.to_be_bytes());
    }
}

#[test]
fn export_name_of_another_export_ends_the_session() {
    let outcome = haggling(3).advance(&option_bytes(OPTION_EXPORT_NAME, b"x"), &mut Vec::new());
    assert_eq!(outcome, Err(Violation::ExportName));
}

#[test]
fn unknown_options_are_skipped_with_their_data() {
    let (progress, replies) = send(&mut haggling(3), 99, b"some data");
    assert_eq!(progress, Progress::Consumed(25));
    assert_eq!(replies, [(REPLY_UNSUPPORTED, vec![])]);
}

#[test]
fn abort_is_acknowledged() {
    assert_eq!(
        send(&mut haggling(3), OPTION_ABORT, b""),
        (Progress::Aborted(16), vec![(REPLY_ACK, vec![])])
    );
}

#[test]
fn structured_replies_bring_the_dont_fragment_flag() {
    let mut handshake = haggling(3);
    assert_eq!(reply_types(&mut handshake, OPTION_STRUCTURED_REPLY, b""), [REPLY_ACK]);
    let (progress, replies) = send(&mut handshake, OPTION_GO, &go(b""));
    assert_eq!(
        progress,
        Progress::Agreed(
            24,
            Terms {
                replies: Replies::Structured,
                ..Terms::default()
            }
        )
    );
    assert_eq!(replies[0].1[11], 0b1110_1101);
}

#[test]
fn options_with_wrong_data_are_invalid() {
    let mut handshake = haggling(3);
    assert_eq!(reply_types(&mut handshake, OPTION_LIST, b"x"), [REPLY_INVALID]);
    assert_eq!(
        reply_types(&mut handshake, OPTION_STRUCTURED_REPLY, b"x"),
        [REPLY_INVALID]
    );
    assert_eq!(reply_types(&mut handshake, OPTION_GO, b""), [REPLY_INVALID]);
    assert_eq!(reply_types(&mut handshake, OPTION_GO, &[0xff; 8]), [REPLY_INVALID]);
    assert_eq!(
        reply_types(&mut handshake, OPTION_GO, &[0, 0, 0, 0, 0, 2, 0, 3]),
        [REPLY_INVALID]
    );
    assert_eq!(
        reply_types(
            &mut handshake,
            OPTION_SET_META_CONTEXT,
            &[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]
        ),
        [REPLY_INVALID]
    );
}

#[test]
fn allocation_context_is_listed_and_selected() {
    let mut handshake = haggling(3);
    send(&mut handshake, OPTION_STRUCTURED_REPLY, b"");
    let lists: [&[&[u8]]; 4] = [&[], &[b"base:"], &[b"base:allocation"], &[b"x-other:a", b"base:"]];
    for queries in lists {
        let listed = reply_types(&mut handshake, OPTION_LIST_META_CONTEXT, &context_query(b"", queries));
        assert_eq!(listed, [REPLY_META_CONTEXT, REPLY_ACK]);
    }
    let selected = reply_types(
        &mut handshake,
        OPTION_SET_META_CONTEXT,
        &context_query(b"", &[b"base:allocation"]),
    );
    assert_eq!(selected, [REPLY_META_CONTEXT, REPLY_ACK]);
    let terms = Terms {
        replies: Replies::Structured,
        block_status: BlockStatus::Selected,
        ..Terms::default()
    };
    assert_eq!(send(&mut handshake, OPTION_GO, &go(b"")).0, Progress::Agreed(24, terms));
}

#[test]
fn a_later_selection_replaces_the_earlier_one_even_if_it_fails() {
    for later in [
        context_query(b"", &[b"base:"]),
        context_query(b"", &[]),
        context_query(b"x", &[]),
        vec![],
    ] {
        let mut handshake = haggling(3);
        send(&mut handshake, OPTION_STRUCTURED_REPLY, b"");
        send(
            &mut handshake,
            OPTION_SET_META_CONTEXT,
            &context_query(b"", &[b"base:allocation"]),
        );
        send(&mut handshake, OPTION_SET_META_CONTEXT, &later);
        assert_eq!(handshake.terms.block_status, BlockStatus::NotSelected, "{later:?}");
    }
}

#[test]
fn contexts_need_structured_replies_first() {
    let query = context_query(b"", &[b"base:allocation"]);
    assert_eq!(
        reply_types(&mut haggling(3), OPTION_SET_META_CONTEXT, &query),
        [REPLY_INVALID]
    );
}

#[test]
fn an_oversized_option_ends_the_session_before_its_data_is_read() {
    let mut header = option_bytes(OPTION_GO, b"");
    header[12..].copy_from_slice(&(OPTION_BYTES_MAX + 1).to_be_bytes());
    let expected = Violation::OptionLength {
        option: OPTION_GO,
        length_bytes: OPTION_BYTES_MAX + 1,
    };
    assert_eq!(haggling(3).advance(&header, &mut Vec::new()), Err(expected));
}

proptest! {
    #[test]
    fn incomplete_options_wait_for_more(option in 0..12_u32, data in proptest::collection::vec(any::<u8>(), 0..40)) {
        let bytes = option_bytes(option, &data);
        for cut in 0..bytes.len() {
            let mut output = Vec::new();
            prop_assert_eq!(haggling(3).advance(&bytes[..cut], &mut output), Ok(Progress::NeedMore));
            prop_assert!(output.is_empty());
        }
    }

    #[test]
    fn any_option_data_is_answered_with_one_final_reply(
        option in 2..12_u32,
        data in proptest::collection::vec(prop_oneof![Just(0_u8), any::<u8>()], 0..200),
    ) {
        let (_, replies) = send(&mut haggling(3), option, &data);
        let is_final = |kind: u32| kind == REPLY_ACK || kind >> 31 == 1;
        let finals = replies.iter().filter(|(kind, _)| is_final(*kind)).count();
        prop_assert_eq!(finals, 1);
        prop_assert!(is_final(replies.last().unwrap().0));
    }
}
