import { Alert, Anchor, Badge, Button, Card, Group, Kbd, Radio, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Deadline, Money, Time } from '../../../console-kit/format.tsx'
import { usePageKeys } from '../../../console-kit/keys.ts'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { toastDone, toastFailed } from '../../../console-kit/toast.tsx'
import { formatCents } from '../../../platform/money.ts'
import { AttachDialog, type Choice } from './AttachDialog.tsx'
import { getUnmatched, ignoreTransaction, listUnmatched, restoreTransaction, type UnmatchedDetail } from './contract.ts'
import { kindNames } from './names.ts'
import { RestaurantSelect } from './RestaurantSelect.tsx'

/** One unmatched transaction beside what it probably is. */
export function UnmatchedView({ id, onDone }: { id: string; onDone: () => void }) {
  const query = useCall(getUnmatched, { params: { id } })
  return <Loaded query={query}>{(transaction) => <Unmatched transaction={transaction} onDone={onDone} />}</Loaded>
}

type Dialog = 'attach' | 'ignore' | null

function Unmatched({ transaction, onDone }: { transaction: UnmatchedDetail; onDone: () => void }) {
  const { id, ignored, merchantName, cents, restaurants, cards } = transaction
  const may = useMay()('transactions.attach')
  const choices: Choice[] = [
    ...restaurants.map(({ id: key, name, address, isParticipating, why }) => ({
      kind: 'restaurant' as const,
      id: key,
      label: isParticipating ? name : `${name} (takes no part)`,
      detail: address,
      why,
    })),
    ...cards.map(({ id: key, memberName, label, why }) => ({
      kind: 'card' as const,
      id: key,
      label: `${memberName}: ${label}`,
      detail: '',
      why,
    })),
  ]
  const [chosen, setChosen] = useState<Choice | null>(choices[0] ?? null)
  const [dialog, setDialog] = useState<Dialog>(null)
  const refreshes = [getUnmatched, listUnmatched]
  const ignore = useAct(ignoreTransaction, { refreshes: [listUnmatched] })
  const restore = useAct(restoreTransaction, { refreshes })
  const putBack = () =>
    restore.mutate({ params: { id } }, { onSuccess: () => toastDone('It is back in the queue.'), onError: toastFailed })
  usePageKeys(
    may
      ? [
          ['a', () => chosen && !ignored && setDialog('attach')],
          ['i', () => !ignored && setDialog('ignore')],
          ['u', () => ignored && putBack()],
          ...choices
            .slice(0, 9)
            .map((choice, index): [string, () => void] => [`${index + 1}`, () => setChosen(choice)]),
        ]
      : [],
  )
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          {merchantName}, {formatCents(cents)}
        </Title>
        {may && (
          <Group gap="xs">
            {!ignored && (
              <Button onClick={() => setDialog('attach')} disabled={!chosen} rightSection={<Kbd size="xs">a</Kbd>}>
                Attach
              </Button>
            )}
            {ignored ? (
              <Button
                variant="default"
                onClick={putBack}
                loading={restore.isPending}
                rightSection={<Kbd size="xs">u</Kbd>}
              >
                Put back
              </Button>
            ) : (
              <Button variant="default" onClick={() => setDialog('ignore')} rightSection={<Kbd size="xs">i</Kbd>}>
                Set aside
              </Button>
            )}
          </Group>
        )}
      </Group>
      {ignored && (
        <Alert color="gray" title="Set aside">
          By {ignored.by}, <Time at={ignored.at} />: {ignored.reason}
          {may && <Text size="sm">Put it back to attach it.</Text>}
        </Alert>
      )}
      <Evidence transaction={transaction} />
      <Card withBorder>
        <Radio.Group
          label="What it probably is"
          description="Press 1 to 9 to choose. Nothing is stored before you have seen what the member earns."
          value={chosen ? keyOf(chosen) : null}
          onChange={(key) => setChosen(choices.find((choice) => keyOf(choice) === key) ?? null)}
        >
          <Stack mt="sm" gap="sm">
            {choices.length === 0 && <Text size="sm">Nothing like it is known. Look for the restaurant by name.</Text>}
            {choices.map((choice, index) => (
              <Radio
                key={keyOf(choice)}
                value={keyOf(choice)}
                label={
                  <>
                    <Kbd size="xs">{index + 1}</Kbd> {choice.label} <Badge size="sm">{kindNames[choice.kind]}</Badge>
                  </>
                }
                description={[choice.detail, choice.why.join(', ')].filter((part) => part !== '').join(' – ')}
              />
            ))}
          </Stack>
        </Radio.Group>
        {may && transaction.restaurantName === null && (
          <RestaurantSelect
            mt="md"
            label="Another restaurant"
            value={chosen?.kind === 'restaurant' ? chosen.id : null}
            onChange={(restaurant) =>
              restaurant &&
              setChosen({
                kind: 'restaurant',
                id: restaurant.id,
                label: restaurant.name,
                detail: restaurant.address,
                why: [],
              })
            }
          />
        )}
      </Card>
      {chosen && (
        <AttachDialog
          id={id}
          choice={chosen}
          isOpen={dialog === 'attach'}
          onClose={() => setDialog(null)}
          onDone={onDone}
        />
      )}
      <ActionDialog
        title="Set aside"
        isOpen={dialog === 'ignore'}
        onClose={() => setDialog(null)}
        confirmLabel="Set aside"
        asksReason
        onConfirm={async (reason) => {
          await ignore.mutateAsync({ params: { id }, body: { reason } })
          toastDone('It was set aside. You find it under “Set aside”, and can put it back.')
          onDone()
        }}
      >
        <Text size="sm">
          It leaves the queue. It is still matched by itself when its card or restaurant becomes known.
        </Text>
      </ActionDialog>
    </Stack>
  )
}

const keyOf = ({ kind, id }: Choice) => `${kind}:${id}`

function Evidence({ transaction }: { transaction: UnmatchedDetail }) {
  const address = useAddress()
  const { restaurantName, memberName, waiting } = transaction
  return (
    <Facts
      title="The network says"
      facts={[
        ['Unknown', transaction.missing === 'card' ? 'The card' : 'The restaurant'],
        ['Name', transaction.merchantName],
        ['Address', transaction.address],
        ['Location', transaction.locationId],
        ['Restaurant', restaurantName],
        ['Member', memberName],
        ['Card', `ending in ${transaction.cardLastFour}`],
        ['Bill', <Money key="bill" cents={transaction.cents} />],
        ['Dined', <Time key="dined" at={transaction.dinedAt} />],
        ['Waits until', <Deadline key="until" at={transaction.waitsUntil} />],
        ['Waiting for the same', waiting > 1 ? `${waiting} transactions` : null],
        [
          'Details',
          <Anchor key="details" component={Link} size="sm" to={address(`transactions/${transaction.id}`)}>
            Messages and history
          </Anchor>,
        ],
      ]}
    />
  )
}
