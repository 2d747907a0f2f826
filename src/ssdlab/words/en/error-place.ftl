# Where results are to be written.

place-made-up-by-kernel = `{ $place }` cannot hold results: the kernel makes up what is in it
place-read-only = `{ $path }` cannot be written to: the file system is read-only
place-permission-denied = `{ $path }` cannot be written to: permission denied at `{ $place }`
place-is-directory = `{ $path }` is a directory
place-name-file-in-it = name a file in it
place-no-ordinary-file = `{ $path }` is no ordinary file, and would be replaced by one
place-name-another-file = name another file
place-no-page = `{ $path }` would hold an HTML page
place-call-it = call it `{ $name }`
place-exists = `{ $path }` is there already
place-of-others = `{ $path }` was not written by ssdlab, and would be replaced
place-name-another-or-remove = name another file, or remove it
place-no-parent = there is no directory `{ $parent }`
place-make-parent = make it: `mkdir -p { $parent }`
place-no-directory = `{ $place }` is no directory
place-cannot-make = `{ $path }` cannot be made: { $reason }
place-evidence = `{ $path }` belongs to the run in `{ $run }`: its evidence is never overwritten
place-name-another-directory = name another directory
