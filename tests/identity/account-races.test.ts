import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { plainCode } from '../../src/identity/recovery/rules.ts'
import { confirmRecovery } from '../../src/identity/recovery/service.ts'
import { exchangeCode, insertRecovery } from '../../src/identity/recovery/store.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

test('RECV-001 a code that waits while another one of the member is exchanged is over', async () => {
  const ctx = createTestContext(harness, 'gallonaire')
  const { db } = ctx
  const memberId = await addMember(db)
  const [code, other] = ['ABCDE-FGHJK', 'LMNPQ-RSTUV'] as const
  await inTransaction(db, async (tx) => {
    for (const each of [code, other])
      await insertRecovery(tx, { memberId, codeHash: tokenHash(plainCode(each)), digits: null, lengthMs: 60_000 })
  })
  const [result] = await whileLocked(db, {
    hold: (tx) => lockMember(tx, memberId),
    acts: [
      () =>
        confirmRecovery(ctx, { lockKey: randomBytes(32) }, { code, browser: undefined }).then(
          () => 'exchanged',
          ({ code }) => code,
        ),
    ],
    meanwhile: (tx) =>
      exchangeCode(tx, { memberId, codeHash: tokenHash(plainCode(other)), resetHash: randomBytes(32) }),
  })
  expect(result).toBe('codeInvalid')
})
