import { buildWeb } from './build.ts'

// Started by `npm start`, see buildWebSeparately.
await buildWeb((line) => process.stdout.write(`  ${line}\n`))
