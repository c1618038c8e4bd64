import { buildFrame, watchConsole } from './build-targets.ts'
import { createUsageExit, readOptions } from './command-line.ts'

const usage = `Serves the installation from its sources, with hot reload.

  npm run dev`

readOptions({}, createUsageExit(usage))

// The card frame is built once, because the vault serves a file in development as well.
process.stdout.write('\n  Dineback, for development\n\n')
await buildFrame()
// The console is built again after a change, and shown with the next reload.
await watchConsole()
process.env.DINEBACK_DEV = '1'
await import('../src/main.ts')
