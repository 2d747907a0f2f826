# Many hosts: the agent of each, the queue they share, and the store of bundles.

fleet-not-made = the database has no fleet in it
fleet-hint-init = make one there: `ssdlab fleet init`
fleet-no-database = the database cannot be used: { $why }
fleet-hint-database = name it by --database or SSDLAB_DATABASE, as postgresql://USER@HOST/NAME
fleet-no-address = what is given as the database cannot be read as its address
fleet-hint-password = of a password that stands in it, write `@` as `%40`, `/` as `%2F` and `%` as `%25`, or better keep it in `~/.pgpass`
fleet-made-before = the database has a fleet already
fleet-made = the database is ready: give its address to `ssdlab agent` on each host
fleet-other-version = the fleet was made by another version of ssdlab: its tables are of version { $found }, this ssdlab knows { $known }
fleet-hint-version = use the same version of ssdlab on all hosts
fleet-rules-absolute = write the whole path, from `/` on
fleet-store-where = write a whole path, from `/` on, or `s3://BUCKET/PREFIX`
fleet-hint-store-where = a bucket's service and keys are taken from `AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`
fleet-store-settings = the environment does not say how to reach the bucket: { $why }
fleet-rules-long-serial = no serial number has more than { $most } bytes
fleet-rules-twice = { $serial } stands there twice
fleet-rules-not-own = { $path }: others than root and the user of the agent may write it, and so have drives erased
fleet-rules-make-own = chown root { $path }; chmod 644 { $path }
fleet-second-agent = another agent of this host has { $state }
fleet-hint-second-agent = one agent serves all drives of a host
fleet-no-such-drive = no drive of this host has the serial number { $serial }
fleet-other-drive = in the place of { $serial } is { $found }
fleet-not-allowed = the operator of the host does not allow { $serial } to be tested
fleet-budget-spent = the fleet has written { $written } to { $serial }, and its operator allows { $most } over its life
fleet-another-since = another run was on { $serial } since this one stopped, so it cannot go on: submit it anew
fleet-other-target = { $serial } is now at { $now }, the run was begun at { $before }
fleet-keeps-dying = what runs it was killed again and again; it said last: { $said }
fleet-store-changes = the bundle { $name } reads back from the store otherwise than it was written
fleet-store-has-another = the store has another bundle of the name { $name }
fleet-store-has-none = the store has no bundle of the name { $name }
fleet-fetched-before = { $path } is there already
fleet-no-bundle = the run has no bundle on its host any more
fleet-agent-ready = ready, as host { $host }
fleet-agent-waits = runs go on, no new ones begin: { $why }
fleet-agent-run = run { $number }: { $told }
fleet-submitted = submitted
fleet-asked-again = asked for again
fleet-taken-up = taken up by the agent of its host
fleet-begun = begun
fleet-gone-on = gone on with, by `ssdlab resume`
fleet-waits = waits, and goes on by itself: { $why }
fleet-waits-quiet = `runs = "quiet"` of its host, where another run is at a drive
fleet-waits-host = its host { $host }, which is { $silence }
fleet-waits-drive = run { $number }, which is at its drive
fleet-waits-quiet-behind = run { $number }: its host does one run at a time (`runs = "quiet"`)
fleet-waits-behind = run { $number }, which is before it
fleet-waits-agent = the agent of its host, which takes it up next
fleet-over = all steps are done
fleet-store-away = the store is away: { $why }
fleet-stored = in the store as { $name }
fleet-asked-to-stop = asked to stop
fleet-cancel-in-browser = its cancelling was asked for in the browser
fleet-retry-in-browser = it was asked for again in the browser
fleet-submit-in-browser = that was done in the browser
fleet-cancelled = cancelled
fleet-cancelled-number = run { $number } is cancelled
fleet-stopping-number = run { $number } is being stopped
fleet-retried-number = run { $number } waits for its turn again
fleet-is-over = run { $number } is over
fleet-not-to-retry = run { $number } has neither failed nor been cancelled
fleet-no-such-run = there is no run { $number }
fleet-hint-status = `ssdlab fleet status` lists all
fleet-happening = { $at }  { $told }
fleet-rebuilt = { $count ->
        [one] one run
       *[other] { $count } runs
    } in the catalogue
fleet-no-condition = `{ $text }` is no condition: write KEY=PATTERN, with { $keys }
fleet-no-drive-meets = no free drive of the fleet meets { $conditions }
fleet-hint-drives = `ssdlab fleet drives` lists all, and why they may not be tested
fleet-suite-reads = { $suite } reads files of the host it runs on, which no job may name: { $files }
fleet-hint-suite-reads = submit suites that need nothing beside their text, with mixes that come with ssdlab; this one runs on the host itself: `ssdlab run`
fleet-column-host = host
fleet-column-standing = standing
fleet-column-number = run
fleet-column-state = state
fleet-column-steps = steps
fleet-host-silent = silent since { $since }
fleet-drive-busy = run { $number }
fleet-standing = { $standing ->
        [free] free
        [refused] refused
        [absent] absent
       *[not_allowed] not allowed
    }
fleet-state = { $state ->
        [queued] waits
        [running] runs
        [stopping] is being stopped
        [storing] is being stored
        [done] done
        [failed] failed
       *[cancelled] cancelled
    }
