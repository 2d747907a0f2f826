# Bundles that cannot be used.

bundle-no-sense = no sense can be made of the files of { $named } ({ $kind }: { $error })
bundle-no-sense-remedy = which of them are damaged: `ssdlab library check { $paths }`; if none is, ssdlab has a fault
bundle-step-leads-out = `{ $path }` calls a step { $name }, which is no name that a directory in it can have
bundle-link-written = `{ $path }` is a link, so nothing is written into this bundle: it could end up anywhere
bundle-link-remedy = remove the link if you know where the bundle comes from
bundle-no-run = there is no run under `{ $lab }`
bundle-only-imported = there is no run of ssdlab under `{ $lab }`, only { $count } { $count ->
    [one] imported result
   *[other] imported results
}
bundle-name-imported = look at one of them: `ssdlab show { $path }`
bundle-name-one = name a bundle, or the lab it is in with `--lab DIR`
bundle-file-gone = `{ $path }` is damaged: { $file } is missing
bundle-newer-import = `{ $path }` has import schema { $schema }, this ssdlab reads up to { $newest }
bundle-update = update ssdlab
bundle-busy = `{ $path }` is being written by another ssdlab
bundle-busy-remedy = wait until it ends, or stop it with Ctrl-C
bundle-manifest-too-long = `{ $manifest }` is { $size } bytes long: no manifest is
bundle-manifest-schema = `{ $manifest }` has schema { $schema }, this ssdlab reads { $known }
bundle-manifest-twice = `{ $manifest }` lists a file twice
bundle-ask-publisher = ask whoever published it for the file again
bundle-manifest-damaged = `{ $manifest }` is damaged
bundle-not-plain = `{ $name }` is neither a file nor a directory
bundle-made-of-these = a bundle is made of these alone
bundle-give-directory = give the directory that holds run.json and journal.jsonl
bundle-no-such-directory = `{ $path }` is no bundle: there is no such directory
bundle-is-file = `{ $path }` is a file, not a bundle
bundle-run-twice = `{ $run }` is named twice, and a run does not repeat itself
bundle-name-once = name each run once
bundle-holds-runs = `{ $path }` holds { $count } { $count ->
    [one] run
   *[other] runs
}, and is none itself
bundle-name-such-as = name a run, such as the newest: `{ $newest }`
bundle-run-prints = `ssdlab run` prints the path of its bundle
bundle-newer = `{ $path }` has bundle schema { $schema }, this ssdlab reads up to { $newest }
bundle-signature-wrong = the signature of the bundle is wrong: { $why }
bundle-signature-remedy = do not trust its sender; ask whoever published it for the file again
bundle-not-signed = `{ $key }` did not sign the bundle
bundle-give-key = give the file of a private key that ssh-keygen can use
bundle-signature-long = it is { $size } bytes long
bundle-program-missing = `{ $program }` is not installed
bundle-install-ssh = install openssh-client (on Fedora `openssh`)
bundle-program-slow = `{ $program }` did not end within { $seconds } s
bundle-program-ended = `{ $program }` ended with status { $status }
bundle-not-as-manifest = `{ $path }` { $state ->
        [missing] is missing
        [unlisted] is not listed
       *[changed] was changed
    }: the bundle is not what its manifest says
bundle-none = `{ $path }` is no bundle: { $faults }
bundle-damaged = `{ $path }` is damaged: { $faults }
bundle-import-again = import `{ $original }` again
