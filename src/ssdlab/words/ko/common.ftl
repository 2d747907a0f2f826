# 다른 문장의 일부.

verbatim = { $text }
as-written = { $text }
listed = { $items }
list-and = { $before }, { $last }
list-or = { $before } 또는 { $last }
