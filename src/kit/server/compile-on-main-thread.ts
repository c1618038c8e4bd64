import { setFlagsFromString } from 'node:v8'

// A thread that compiles may wait for a garbage collection, which the main thread does not run any more once it is in
// process.exit(): both then wait for each other, and a start that was refused never ends (Node 24). Import this first.
setFlagsFromString('--no-concurrent-sparkplug')
