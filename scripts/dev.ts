import { buildFrame } from './build-targets.ts'

// The card frame is built once: the vault serves a file, in development as elsewhere.
process.stdout.write('\n  Dineback, for development\n\n')
await buildFrame()
process.env.DINEBACK_DEV = '1'
await import('../src/main.ts')
