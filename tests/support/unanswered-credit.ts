import { type Db, inTransaction } from '../../src/platform/database/db.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { DAY } from '../../src/platform/time.ts'
import { postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'

/** Adds a credit of 21 dollars that its processor has not answered for days; it is asked for again tomorrow. */
export async function addUnansweredCredit(db: Db, memberId: number): Promise<string> {
  const creditId = publicId()
  await inTransaction(db, async (tx) => {
    const [, journalId] = await postEntries(tx, [
      {
        ...{ source: 'adjustment', sourceId: creditId, version: 1, kind: 'adjustment', reason: {} },
        postings: rewardPostings({ memberId, unit: 'cent', amount: 21_00 }),
      },
      {
        ...{ source: 'statement-credit', sourceId: creditId, version: 1, kind: 'statement-credit' },
        reason: { covered: [] },
        postings: rewardPostings({ memberId, unit: 'cent', amount: -21_00 }, 'payout'),
      },
    ])
    await tx
      .insertInto('statement_credits')
      .values({
        public_id: creditId,
        member_id: memberId,
        journal_entry_id: journalId as number,
        amount_cents: 21_00,
        target_type: 'card',
        target_label: 'Visa ending in 4242',
        processor: 'pay.example',
        status: 'pending',
        submitted_at: new Date(),
        unanswered: 20,
        last_error: 'status 503',
        attention: 'unanswered',
        attention_since: new Date(),
        next_attempt_at: new Date(Date.now() + DAY),
      })
      .execute()
  })
  return creditId
}
