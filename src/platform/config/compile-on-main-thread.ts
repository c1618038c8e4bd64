import { setFlagsFromString } from 'node:v8'

// A compiler thread may wait for a garbage collection that the main thread no longer runs once it is in process.exit():
// both then deadlock, and a failed start never exits (Node 24). Import this file first.
setFlagsFromString('--no-concurrent-sparkplug')
