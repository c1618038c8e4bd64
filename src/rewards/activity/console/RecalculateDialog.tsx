import { List, Stack, Text } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Time } from '../../../console-kit/format.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { reasonName } from '../../earning/console/reason-names.ts'
import { RestaurantSelect } from '../../feed/console/RestaurantSelect.tsx'
import { previewRecalculation, type RecalculationPreview, recalculateTransactions } from './contract.ts'

interface DialogProps {
  isOpen: boolean
  onClose: () => void
  /** The transaction; without it, days and a restaurant are asked for. */
  transaction?: string
}

/** Calculates awards again under the current terms: shows every difference and its cost, then posts them. */
export function RecalculateDialog({ isOpen, onClose, transaction }: DialogProps) {
  const [[from, to], setDays] = useState<[string | null, string | null]>([null, null])
  const [restaurant, setRestaurant] = useState<string | null>(null)
  const scope =
    transaction !== undefined
      ? { transaction }
      : from !== null && to !== null
        ? { from, to, ...(restaurant !== null && { restaurant }) }
        : null
  const preview = useCall(previewRecalculation, { body: { scope: scope ?? {} } }, { enabled: isOpen && scope !== null })
  const act = useAct(recalculateTransactions)
  return (
    <ActionDialog
      title="Calculate again under the current terms"
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel="Post the differences"
      asksReason
      isReady={preview.data !== undefined && !preview.isPlaceholderData && preview.data.count > 0}
      onConfirm={async (reason) => {
        if (!scope) return
        const fingerprint = preview.data?.fingerprint ?? ''
        const done = await act.mutateAsync({ body: { scope, reason, fingerprint } })
        toastDone(`${done.count} corrected: ${done.cost}.`)
      }}
    >
      <Stack>
        {transaction === undefined && (
          <>
            <DatePickerInput
              type="range"
              label="Days (UTC)"
              valueFormat="MMM D, YYYY"
              value={[from, to]}
              onChange={setDays}
            />
            <RestaurantSelect
              label="Restaurant"
              description="Without one: all restaurants."
              value={restaurant}
              onChange={(chosen) => setRestaurant(chosen?.id ?? null)}
              clearable
            />
          </>
        )}
        {scope && <Loaded query={preview}>{(shown) => <Differences preview={shown} />}</Loaded>}
      </Stack>
    </ActionDialog>
  )
}

function Differences({ preview: { count, members, cost, differences } }: { preview: RecalculationPreview }) {
  if (count === 0) return <Text role="status">Nothing differs under the current terms.</Text>
  return (
    <Stack gap="xs">
      <Text role="status">
        {count === 1 ? 'One award differs' : `${count} awards of ${members} members differ`}. The cost: <b>{cost}</b>.
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label="Differences" tabIndex={0} style={{ maxHeight: 260, overflow: 'auto' }}>
        <List size="sm">
          {differences.map(({ id, merchantName, dinedAt, was, is, wasCode, isCode, terms }) => (
            <List.Item key={id}>
              {merchantName}, <Time at={dinedAt} />: {was} ({reasonName(wasCode)}) → <b>{is}</b> ({reasonName(isCode)})
              {terms.map((term) => (
                <Text key={term} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {term}
                </Text>
              ))}
            </List.Item>
          ))}
        </List>
      </section>
    </Stack>
  )
}
