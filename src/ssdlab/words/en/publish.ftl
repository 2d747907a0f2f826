# Publishing a run.

publish-write-it = write `{ $output }`? [y/N] 
publish-no-directory = `{ $output }` cannot be written: there is no directory `{ $parent }`
publish-impossible = the run cannot be published: { $error }
publish-name-with-output = name another file with `-o`, on a disk with room for a copy
publish-nothing-written = nothing was written
publish-yes-writes = `--yes` writes it without asking
publish-copy-already = `{ $source }` is a published copy already
publish-pass-on = pass it on as it is: zip its directory
publish-remains-remedy = if it is no secret, a drive or host is called by a word of the method; else this is a fault of ssdlab
publish-key-length = `{ $path }` holds { $found } bytes, a key for pseudonyms has { $expected }
publish-key-restore = restore it from a backup; if it is removed a new one is made, and drives get other names from then on
publish-no-key = the key for pseudonyms, `{ $path }`, cannot be had: { $reason }
publish-remains = `{ $value }`, one of the { $kind }, would remain in `{ $file }`: nothing was written
publish-kind-serial = serial numbers
publish-kind-identifier = world-wide identifiers
publish-kind-host = host and user names
publish-kind-path = paths and targets
publish-kind-address = network addresses
publish-kind-file = names and checksums of files
publish-kind-kernel = lines of the kernel's log
publish-kind-option = options of fio and other programs
publish-column-what = what
publish-column-count = count
publish-column-example = such as
publish-column-stand-in = is then
publish-fate = { $fate ->
        [hashed] hashed
        [left_out] left out
       *[kept] kept
    }
publish-files = files: { $why }
publish-left-out = { $reason ->
        [original] another program's file, with whatever that wrote into it
        [attempt] what a step left that was done again; no number comes of it
        [raw] fio's logs as text; their numbers are in the Parquet
        [replay] commands with the name of the drive; what came of them is in the Parquet
        [answer] an answer of the drive that no number needs
        [unread] it cannot be read, so what is private in it is not known
       *[unknown] ssdlab does not know what is in it
    }
publish-kept-files = files
publish-kept-models = models
publish-kept-hosts = processors and systems
publish-kept-suite = lines of the suite
publish-kept-settings = settings of the program
