//! All rows of the acceptance table, in the order of the page.

use crate::row::Row;
use crate::{fill, heat, paper, reads, steady, writes};

/// How a row is made.
pub(crate) type Measure = fn() -> Row;

/// The rows of the page and the tests of the same rows, from one list.
macro_rules! rows {
    ($($behaviour:ident => $measure:path,)*) => {
        pub(crate) const ROWS: &[Measure] = &[$($measure),*];

        #[cfg(test)]
        mod tests {
            use super::*;

            $(#[test]
            fn $behaviour() {
                crate::accept(&$measure());
            })*
        }
    };
}

rows! {
    a_fill_shows_cache_folding_and_direct_writing => fill::passes,
    a_longer_rest_frees_more_of_the_cache => fill::reclaim,
    write_amplification_follows_the_spare_flash => steady::over_provisioning,
    independent_draws_end_in_a_steady_state => steady::independent_draws,
    a_new_permutation_each_pass_is_a_sawtooth => steady::new_order_each_pass,
    the_same_permutation_each_pass_never_collects => steady::same_order_each_pass,
    the_same_draws_each_pass_never_collect => steady::same_draws_each_pass,
    speed_falls_beyond_the_reach_of_the_mapping_cache => reads::active_range,
    mixing_costs_drives_that_do_not_suspend => reads::mixed,
    reads_wait_for_programs_that_are_not_suspended => reads::tail,
    writes_below_the_indirection_unit_cost_a_whole_unit => writes::indirection_unit,
    a_flush_costs_only_a_volatile_buffer => writes::flush,
    heat_slows_the_drive_down_and_rest_mends_it => heat::throttling,
    allocation_in_order_shows_in_reads => paper::allocation,
    reads_take_the_time_of_the_equations => paper::placement,
}
