//! The virtual drive shows the effects for which it was built, each within a stated tolerance.
//!
//! The same rows make `docs/virtual-drive-acceptance.md`; a page that no longer says what is measured fails here.

#[path = "acceptance/bench.rs"]
mod bench;
#[path = "acceptance/fill.rs"]
mod fill;
#[path = "acceptance/heat.rs"]
mod heat;
#[path = "acceptance/paper.rs"]
mod paper;
#[path = "acceptance/reads.rs"]
mod reads;
#[path = "acceptance/row.rs"]
mod row;
#[path = "acceptance/steady.rs"]
mod steady;
#[path = "acceptance/table.rs"]
mod table;
#[path = "acceptance/writes.rs"]
mod writes;

const PAGE: &str = include_str!("../../../docs/virtual-drive-acceptance.md");

/// Fails if a quantity is outside what is accepted, or the page says something else.
fn accept(row: &row::Row) {
    assert_eq!(row.refused(), Vec::<String>::new());
    let section = row.markdown();
    let mend = "run `cargo run --release -p ssdlab-vdrive --example acceptance`";
    assert!(
        PAGE.contains(&section),
        "the page is out of date, {mend}; it should say:\n{section}"
    );
}

#[test]
fn the_page_has_no_other_rows() {
    assert_eq!(PAGE.matches("\n## ").count(), table::ROWS.len());
}
