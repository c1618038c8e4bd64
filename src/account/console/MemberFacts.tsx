import { Anchor } from '@mantine/core'
import { Facts } from '../../console-kit/Facts.tsx'
import { Day, Time } from '../../console-kit/format.tsx'
import { Link, useAddress } from '../../console-kit/links.tsx'
import { useProgram } from '../../console-kit/session.tsx'
import { formatPhone } from '../../platform/phone.ts'
import type { MemberDetail } from './contract.ts'
import { enrollmentSources } from './record-names.ts'

/** Who a member is, beside everything else. */
export function MemberFacts({ member }: { member: MemberDetail }) {
  const { address, givenTier, mergedInto, vipFrom, vipUntil } = member
  const addressOf = useAddress()
  const { tierNames } = useProgram()
  return (
    <>
      <Facts
        title="Account"
        facts={[
          [
            'Merged into',
            mergedInto && (
              <Anchor key="merged" component={Link} size="sm" to={addressOf(`members/${mergedInto.id}`)}>
                {mergedInto.name}
              </Anchor>
            ),
          ],
          ['Balance', member.balance],
          ['Tier', tierNames[member.tierLevel]],
          ['Given until', givenTier && <Day of={givenTier.until} />],
          ['Given by', givenTier?.by],
          ['Earned tier', givenTier && tierNames[member.earnedTier]],
          [`${tierNames.VIP} from`, vipFrom && <Day of={vipFrom} />],
          [`${tierNames.VIP} until`, vipUntil && <Day of={vipUntil} />],
          ['Joined', <Time key="joined" at={member.joinedAt} />],
          ['From', member.enrollmentSource && (enrollmentSources[member.enrollmentSource] ?? member.enrollmentSource)],
          ['Was a member before', member.hasReturned && 'Yes'],
          ['Last dine', member.lastDinedAt ? <Time key="dined" at={member.lastDinedAt} /> : 'Never'],
          ['Cards', member.lastFours.length > 0 ? member.lastFours.join(', ') : 'None'],
          ['Sign-in', member.isLocked && 'Locked after wrong passwords'],
        ]}
      />
      <Facts
        title="Person"
        facts={[
          ['Email address', member.email],
          ['Verified', member.emailVerifiedAt ? <Time key="verified" at={member.emailVerifiedAt} /> : 'No'],
          ['Phone', formatPhone(member.phoneNumber)],
          ['Address', [address.address1, address.address2].filter(Boolean).join(', ')],
          ['Place', [address.city, address.state, address.zipCode].filter(Boolean).join(' ')],
          ['Offers by email', member.emailOptIn ? 'Wanted' : 'Not wanted'],
          ['Text messages', member.smsOptIn ? 'Wanted' : 'Not wanted'],
        ]}
      />
      <Facts
        title="Ids"
        facts={[
          ['Member number', member.partnerNumber],
          ['Public id', member.id],
          ['Referral code', member.referralCode],
          ['Password', member.hasPassword ? 'Set' : 'None'],
          ['Signs in with the partner', member.isLinkedToProvider && 'Yes'],
        ]}
      />
    </>
  )
}
