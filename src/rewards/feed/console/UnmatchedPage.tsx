import { useParams } from '@tanstack/react-router'
import { Deadline, Time } from '../../../console-kit/format.tsx'
import { useAddress } from '../../../console-kit/links.tsx'
import { QueuePage } from '../../../console-kit/QueuePage.tsx'
import { formatCents } from '../../../platform/money.ts'
import { listUnmatched } from './contract.ts'
import { UnmatchedView } from './UnmatchedView.tsx'

/** The queue of transactions whose card or restaurant is unknown. */
export default function UnmatchedPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const address = useAddress()
  return (
    <QueuePage
      title="Unmatched"
      call={listUnmatched}
      choices={[
        {
          name: 'state',
          label: 'State',
          options: [
            { value: 'open', label: 'Open' },
            { value: 'late', label: 'Late' },
            { value: 'ignored', label: 'Set aside' },
          ],
        },
        {
          name: 'missing',
          label: 'What is unknown',
          options: [
            { value: 'any', label: 'Any' },
            { value: 'merchant', label: 'Restaurant' },
            { value: 'card', label: 'Card' },
          ],
        },
      ]}
      keyOf={(transaction) => transaction.id}
      lineOf={({ merchantName, cents, cardLastFour, dinedAt, waitsUntil, ignored, missing }) => ({
        title: `${merchantName}, ${formatCents(cents)}`,
        detail: (
          <>
            Card {cardLastFour}, <Time at={dinedAt} />
            <br />
            {ignored ? `Set aside by ${ignored.by}` : <Deadline at={waitsUntil} />}
          </>
        ),
        mark: missing === 'card' ? 'Card' : 'Restaurant',
      })}
      addressOf={(key) => address(`unmatched/${key}`)}
      address={address('unmatched')}
      current={id}
      empty="Everything is matched"
    >
      {(key, next) => <UnmatchedView key={key} id={key} onDone={next} />}
    </QueuePage>
  )
}
