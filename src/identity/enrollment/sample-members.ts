import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Random } from '../../platform/random.ts'
import { findFirstCards, linkSampleCard, type SampleCard } from '../../rewards/cards/service.ts'
import * as members from '../members/service.ts'
import { hashPassword } from '../session/service.ts'

/** The password of every simulated member, in programs with passwords. */
export const samplePassword = 'sourdough for breakfast'
export const sampleEmail = (index: number) => `diner-${index}@simulated.example`

const firstNames = ['Ada', 'Bruno', 'Chidi', 'Dana', 'Elif', 'Femi', 'Grace', 'Hana', 'Ivan', 'June', 'Kofi', 'Lena']
const lastNames = ['Abara', 'Brandt', 'Cho', 'Diaz', 'Engel', 'Fofana', 'Garcia', 'Hughes', 'Ito', 'Jansen', 'Kaur']
const tiers = ['OptedIn', 'OptedIn', 'OptedIn', 'OptedIn', 'OptedIn', 'VIP', 'OptedOut', 'NonActivated']
const together = 50

/**
 * Adds simulated members, each with a card that earns from a given day; existing ones are not changed. Returns one card
 * per member, in order.
 */
export async function addSampleMembers(
  ctx: Ctx,
  { count, since, onProgress }: { count: number; since: Date; onProgress: (done: number) => void },
): Promise<SampleCard[]> {
  // One hash for all members, because hashing is deliberately expensive.
  const passwordHash = ctx.program.config.enrollmentType === 'direct' ? await hashPassword(samplePassword) : null
  const cards: SampleCard[] = []
  for (let first = 1; first <= count; first += together) {
    await inTransaction(ctx.db, async (tx) => {
      for (let index = first; index < first + together && index <= count; index++) {
        cards.push(await sampleMember(tx, { index, since, passwordHash }))
      }
    })
    onProgress(cards.length)
  }
  return cards
}

async function sampleMember(
  tx: Tx,
  { index, since, passwordHash }: { index: number; since: Date; passwordHash: string | null },
): Promise<SampleCard> {
  const email = sampleEmail(index)
  const known = await members.findMemberByEmail(tx, email)
  const own = known && (await findFirstCards(tx, [known.id])).get(known.id)
  if (own) return own
  const member = known ?? (await addMember(tx, { email, index, passwordHash }))
  const lastFour = String(1000 + (index % 9000))
  return linkSampleCard(tx, { memberId: member.id, lastFour, linkedAt: since })
}

async function addMember(
  tx: Tx,
  { email, index, passwordHash }: { email: string; index: number; passwordHash: string | null },
): Promise<members.MemberRow> {
  const random = new Random(index)
  const tier = random.pick(tiers)
  const member = await members.createMember(tx, {
    email,
    first_name: random.pick(firstNames),
    last_name: random.pick(lastNames),
    zip_code: '10001',
    tier_level: tier,
    email_opt_in: tier === 'OptedIn' || tier === 'VIP',
    member_type: 'EnrolledCardMember',
    enrollment_source: 'simulated',
  })
  if (passwordHash) await members.setCredentials(tx, member.id, passwordHash)
  return member
}
