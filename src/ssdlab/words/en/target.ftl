# What the user typed that names no target.

target-known-forms = known forms: /dev/..., virtual:NAME, model:NAME, file:PATH, nbd+unix:///EXPORT?socket=PATH
target-unknown-scheme = `{ $text }` is no target: `{ $scheme }:` is unknown
target-control-character = { $text } is no target: it contains the control character { $code }
target-line-separator = { $text } is no target: it contains the line separator { $code }
target-paragraph-separator = { $text } is no target: it contains the paragraph separator { $code }
target-no-utf-8 = { $text } is no target: it contains a byte that is not UTF-8: { $code }
target-plain-name = leave it out, or name the file by a link of a plain name
target-no-purge-method = `{ $text }`: `{ $method }` is no way to purge
target-purge-methods = known are: { $methods }
target-none = `{ $text }` is no target
target-as-file = a file or directory is named `file:{ $text }`
target-as-virtual = `virtual:{ $text }` is that drive in real time, measured by fio; `model:{ $text }` the same in virtual time
target-empty-query = `{ $text }`: nothing follows the `?`
target-allowed = allowed: { $parameters }
target-no-parameter = `{ $text }`: `{ $key }` is no parameter here
target-names-nothing = `{ $text }` names nothing
target-missing = no drive is named
target-seed = `{ $text }`: seed `{ $seed }` is no whole number
target-seed-hint = write it like `seed=1`
target-spec-no-text = the spec `{ $name }` is no text
target-name-a-spec = name a TOML file such as `ssdlab vdrive show demo` prints, or one that `ssdlab twin fit` wrote
target-spec-unreadable = the spec `{ $name }` cannot be read: { $error }
target-no-spec = there is no virtual drive called `{ $name }`
target-did-you-mean = did you mean { $near }?
target-built-in = built in are: { $names }; or give the path of a spec.toml
target-no-nbd-uri = `{ $text }` is no NBD URI on a unix socket
target-nbd-uri-hint = write it like `nbd+unix:///EXPORT?socket=/run/drive.sock`, and `#`, `%`, `&`, `;`, `?` in it as `%23`, `%25`, `%26`, `%3B`, `%3F`
