# States of a drive when a number was taken.

state-fob = FOB
state-filled-once = filled once
state-filled-twice = filled twice
state-partly-filled = partly filled
state-random-written = filled twice, then its first part in random order
state-preconditioned = preconditioned
state-steady = steady
state-not-steady = not steady
state-three-quarters-full = 75 % full
state-as-found = as found
state-region-in-order = its region written in order
state-left-by-probes = as earlier probes left it
state-unknown = unknown
state-then = { $before }, then { $after }
