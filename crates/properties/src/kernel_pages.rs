use trace::{EventLayout, Happens, Io, KernelEvents, PageLayout};

const PAGE_BYTES: usize = 4096;
const DEVICE: u64 = 259 << 20;
const PAGE: &str = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
    \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
    \tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

/// Of Linux 6.1, whose three events differ in their numbers and in where the letters are.
fn layout(happens: Happens, id: u16, letters_at: u8) -> EventLayout {
    let text = format!(
        "ID: {id}\n\
         \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
         \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\
         \tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\
         \tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n\
         \tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n\
         \tfield:char rwbs[8];\toffset:{letters_at};\tsize:8;\tsigned:1;\n"
    );
    EventLayout::parse(happens, &text).expect("the kernel's own format")
}

/// Any pages of a ring buffer are I/Os that a device can have had, no more than there is room for, or a fault at a page; and any text is a
/// format or none.
///
/// # Panics
/// If not.
pub fn kernel_pages(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(page) = PageLayout::parse(&text) {
        assert!(page.page_bytes() > 0);
    }
    let _ = EventLayout::parse(Happens::Issue, &text);
    let layouts = vec![
        layout(Happens::Issue, 1061, 32),
        layout(Happens::Complete, 1064, 32),
        layout(Happens::Requeue, 1065, 28),
    ];
    let page = PageLayout::parse(PAGE).expect("the kernel's own format");
    let mut events = KernelEvents::new(page, layouts, DEVICE);
    for (page, number) in bytes.chunks(PAGE_BYTES).zip(1..) {
        if let Err(fault) = events.take_page(page) {
            assert_eq!(fault.at, number);
        }
    }
    let mut ios = 0;
    let mut give = |io: Io| {
        assert!(io.is_possible(), "{io:?}");
        ios += 1;
        Ok(())
    };
    let half_ns = u64::MAX / 2;
    assert!(events.settle(half_ns, &mut give).is_ok());
    assert!(events.finish(&mut give).is_ok());
    // An event has a word before its forty bytes.
    assert!(ios <= bytes.len() / 44);
}
