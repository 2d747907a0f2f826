# Parts of other messages.

verbatim = { $text }
as-written = { $text }
listed = { $items }
list-and = { $before } and { $last }
list-or = { $before } or { $last }
