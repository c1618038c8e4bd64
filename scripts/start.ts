import { buildWeb } from './build.ts'

process.stdout.write('\n  Dineback\n\n')
await buildWeb((line) => process.stdout.write(`  ${line}\n`))
await import('../src/main.ts')
