import { useParams } from '@tanstack/react-router'
import { Deadline, Time } from '../../../console-kit/format.tsx'
import { useAddress } from '../../../console-kit/links.tsx'
import { QueuePage } from '../../../console-kit/QueuePage.tsx'
import { dayText } from '../../../console-kit/times.ts'
import { formatCents } from '../../../platform/money.ts'
import { ClaimView } from './ClaimView.tsx'
import { listClaimQueue } from './contract.ts'

/** The queue of claims: what the member says beside what the engine knows, and the decision. */
export default function ClaimsPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const address = useAddress()
  return (
    <QueuePage
      title="Claims"
      call={listClaimQueue}
      choices={[
        {
          name: 'state',
          label: 'State',
          options: [
            { value: 'open', label: 'Open' },
            { value: 'late', label: 'Late' },
            { value: 'decided', label: 'Decided' },
          ],
        },
        {
          name: 'owner',
          label: 'Owner',
          options: [
            { value: 'anybody', label: 'Anybody’s' },
            { value: 'me', label: 'Mine' },
            { value: 'nobody', label: 'Nobody’s' },
          ],
        },
      ]}
      keyOf={(claim) => claim.id}
      lineOf={({ merchantName, amountCents, memberName, dinedOn, respondBy, decision, owner }) => ({
        title: `${merchantName}, ${formatCents(amountCents)}`,
        detail: (
          <>
            {memberName}, {dayText(dinedOn)}
            <br />
            {decision ? <Time at={decision.at} /> : <Deadline at={respondBy} />}
          </>
        ),
        mark: decision ? undefined : owner?.isMe ? 'Mine' : owner?.name,
      })}
      addressOf={(key) => address(`claims/${key}`)}
      address={address('claims')}
      current={id}
      empty="No claims here"
    >
      {(key, next) => <ClaimView key={key} id={key} onDecided={next} />}
    </QueuePage>
  )
}
