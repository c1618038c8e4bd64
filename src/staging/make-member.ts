import { samplePassword } from '../identity/enrollment/service.ts'
import { createMember, type MemberRow, setCredentials } from '../identity/members/service.ts'
import { hashPassword } from '../identity/session/service.ts'
import { inTransaction } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { Ctx } from '../platform/http/context.ts'
import { publicId } from '../platform/security/ids.ts'
import { DAY } from '../platform/time.ts'
import { linkSampleCard } from '../rewards/cards/service.ts'
import type { MemberState } from './rules.ts'

type Columns = Partial<
  Pick<MemberRow, 'member_type' | 'tier_level' | 'email_opt_in' | 'active' | 'has_web_profile' | 'must_fix_credentials'>
>

const optedIn = { tier_level: 'OptedIn', email_opt_in: true }
const withCard = { ...optedIn, member_type: 'EnrolledCardMember' }

const columnsOf: Record<MemberState, Columns> = {
  withoutCard: optedIn,
  withCard,
  optedOut: { member_type: 'EnrolledCardMember', tier_level: 'OptedOut' },
  vip: { ...withCard, tier_level: 'VIP' },
  maximumCards: withCard,
  mustFixEmail: { ...withCard, must_fix_credentials: true },
  closed: { ...optedIn, member_type: 'ClosedAccountMember', active: false },
  notActivated: { tier_level: 'NonActivated', has_web_profile: false, active: false },
  withoutWebProfile: { ...optedIn, has_web_profile: false },
  inactive: { ...optedIn, active: false },
}

/**
 * Creates a member in a state that would otherwise require a file, weeks or support. Throws ApiError `notOffered` or
 * `busy`.
 */
export async function createSampleMember(
  ctx: Ctx,
  state: MemberState,
): Promise<{ member: MemberRow; password: string | null }> {
  const { enrollmentType, maximumCards } = ctx.program.config
  if (enrollmentType === 'none') throw new ApiError('notOffered')
  const columns = columnsOf[state]
  const hasPassword = enrollmentType === 'direct' && columns.has_web_profile !== false
  const passwordHash = hasPassword ? await hashPassword(samplePassword) : null
  const member = await inTransaction(ctx.db, async (tx) => {
    const added = await createMember(tx, {
      email: `${state.toLowerCase()}-${publicId().slice(0, 8)}@staging.example`,
      first_name: 'Stagey',
      last_name: 'McTest',
      zip_code: '10001',
      address1: '1 Main Street',
      city: 'New York',
      state: 'NY',
      enrollment_source: 'staging',
      ...columns,
    })
    if (passwordHash) await setCredentials(tx, added.id, passwordHash)
    const cards = columns.member_type !== 'EnrolledCardMember' ? 0 : state === 'maximumCards' ? maximumCards : 1
    for (let index = 0; index < cards; index++) {
      const linkedAt = new Date(ctx.now().getTime() - DAY)
      await linkSampleCard(tx, { memberId: added.id, lastFour: String(4242 + index), linkedAt })
    }
    return added
  })
  return { member, password: hasPassword ? samplePassword : null }
}
