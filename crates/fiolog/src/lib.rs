//! fio's text logs, histogram logs and json+ bins.
