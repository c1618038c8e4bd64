import { createPools } from '../../src/platform/database/db.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import { executeCredits } from '../../src/rewards/payouts/statement-credits.ts'
import { createTestContext } from './rewards-harness.ts'

// Processes statement credits until it is killed. The argument is the address of the database.
const pools = createPools({ url: process.argv[2] as string, onError: () => {} })
const ctx = createTestContext({ pools }, 'beacon')
process.stdout.write('working\n')
for (;;) {
  await executeCredits(ctx, ownProcessor).catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 5))
}
