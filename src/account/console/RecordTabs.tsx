import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { useAct } from '../../console-kit/calls.ts'
import { Day, Money, Time } from '../../console-kit/format.tsx'
import { Link, useAddress } from '../../console-kit/links.tsx'
import { RelatedTable } from '../../console-kit/Related.tsx'
import { reservationStates } from '../../console-kit/reservation-states.ts'
import { useMay } from '../../console-kit/session.tsx'
import { spellOut } from '../../console-kit/spell-out.ts'
import { dayText } from '../../console-kit/times.ts'
import { toastDone, toastFailed } from '../../console-kit/toast.tsx'
import { clockText } from '../../dining/reservations/rules.ts'
import { endMemberSession, type MemberRecords, removeMemberPasskey } from './contract.ts'
import { beginnings, bonusStates, channelNames, consentSources, networkNames, viewNames } from './record-names.ts'

interface TabProps {
  records: MemberRecords
}

/** Linked and former cards, and their moves between programs. */
export function CardsTab({ records }: TabProps) {
  return (
    <Stack>
      <RelatedTable
        title="Cards"
        items={records.cards}
        keyOf={(card) => card.id}
        empty="No card was linked yet."
        columns={[
          {
            header: 'Card',
            cell: ({ network, lastFour }) => `${networkNames[network] ?? network} ending in ${lastFour}`,
          },
          { header: 'Name', cell: ({ description }) => description },
          { header: 'Expires', cell: ({ expires }) => expires },
          { header: 'Linked', cell: ({ linkedAt }) => <Time at={linkedAt} /> },
          { header: 'Removed', cell: ({ removedAt }) => removedAt && <Time at={removedAt} /> },
        ]}
      />
      {records.moves.length > 0 && (
        <RelatedTable
          title="Moves between programs"
          items={records.moves}
          keyOf={(move) => move.id}
          empty=""
          columns={[
            { header: 'Card', cell: ({ lastFour }) => lastFour },
            {
              header: 'What',
              cell: ({ isArrival }) => (isArrival ? 'Came from another program' : 'Left for another program'),
            },
            { header: 'When', cell: ({ at }) => <Time at={at} /> },
            { header: 'Undone', cell: ({ undoneAt }) => undoneAt && <Time at={undoneAt} /> },
          ]}
        />
      )}
    </Stack>
  )
}

/** Bonuses, reservations, reviews and claims. */
export function RewardsTab({ records }: TabProps) {
  const address = useAddress()
  return (
    <Stack>
      <RelatedTable
        title="Bonuses"
        items={records.bonuses}
        keyOf={(bonus) => bonus.code}
        empty="There are none for this member."
        columns={[
          { header: 'Bonus', cell: ({ description }) => description },
          { header: 'State', cell: ({ state }) => bonusStates[state] },
          { header: 'Since', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
      <RelatedTable
        title="Claims"
        items={records.claims}
        keyOf={(claim) => claim.id}
        empty="The member has made no claim."
        columns={[
          {
            header: 'Claim',
            cell: ({ id, merchantName, isDecided }) => (
              <Anchor component={Link} size="sm" to={address(`claims/${id}${isDecided ? '?state=decided' : ''}`)}>
                {merchantName}
              </Anchor>
            ),
          },
          { header: 'Day', cell: ({ dinedOn }) => <Day of={dinedOn} /> },
          { header: 'Bill', align: 'right', cell: ({ amountCents }) => <Money cents={amountCents} /> },
          { header: 'State', cell: ({ isDecided }) => (isDecided ? 'Decided' : 'Open') },
        ]}
      />
      <RelatedTable
        title="Reservations"
        items={records.reservations}
        keyOf={(reservation) => reservation.id}
        empty="The member has made no reservation."
        columns={[
          { header: 'Where', cell: ({ merchantName }) => merchantName },
          {
            header: 'When, there',
            cell: ({ localDate, localTime }) => `${dayText(localDate)}, ${clockText(localTime)}`,
          },
          { header: 'Guests', align: 'right', cell: ({ partySize }) => partySize },
          {
            header: 'State',
            cell: ({ status }) =>
              reservationStates[status as keyof typeof reservationStates]?.label ?? spellOut(status),
          },
          { header: 'Confirmation', cell: ({ confirmation }) => confirmation },
        ]}
      />
      <RelatedTable
        title="Reviews"
        items={records.reviews}
        keyOf={(review) => review.id}
        empty="The member has written no review."
        columns={[
          { header: 'Where', cell: ({ merchantName }) => merchantName },
          { header: 'When', cell: ({ at }) => <Time at={at} /> },
          { header: 'Stars', align: 'right', cell: ({ rating }) => rating },
          { header: 'Text', cell: ({ body }) => body },
        ]}
      />
    </Stack>
  )
}

/** Sessions, passkeys, and which operators have looked at the account. */
export function AccessTab({ id, records }: TabProps & { id: string }) {
  const may = useMay()
  const [passkey, setPasskey] = useState<MemberRecords['passkeys'][number] | null>(null)
  const end = useAct(endMemberSession)
  const remove = useAct(removeMemberPasskey)
  const mayEdit = may('members.edit')
  return (
    <Stack>
      <RelatedTable
        title="Sessions"
        items={records.sessions}
        keyOf={(session) => session.id}
        empty="The member is signed in nowhere."
        columns={[
          {
            header: 'Browser',
            cell: ({ device, isSignedIn, getsNotifications }) => (
              <>
                {device || 'Unknown browser'}
                <Text size="sm" c="dimmed">
                  {[!isSignedIn && 'signed out', getsNotifications && 'gets push messages'].filter(Boolean).join(', ')}
                </Text>
              </>
            ),
          },
          { header: 'Began', cell: ({ beganAt }) => <Time at={beganAt} /> },
          { header: 'With', cell: ({ beganWith }) => beginnings[beganWith] ?? spellOut(beganWith) },
          ...(mayEdit
            ? [
                {
                  header: 'End',
                  cell: ({ id: session, device }: MemberRecords['sessions'][number]) => (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`End the session in ${device || 'an unknown browser'}`}
                      onClick={() =>
                        end.mutate(
                          { params: { id, session } },
                          { onSuccess: () => toastDone('The session has ended.'), onError: toastFailed },
                        )
                      }
                    >
                      End
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <RelatedTable
        title="Passkeys"
        items={records.passkeys}
        keyOf={(passkey) => passkey.id}
        empty="The member has no passkeys."
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { header: 'Last used', cell: ({ usedAt }) => usedAt && <Time at={usedAt} /> },
          ...(mayEdit
            ? [
                {
                  header: 'Remove',
                  cell: (own: MemberRecords['passkeys'][number]) => (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Remove the passkey ${own.name}`}
                      onClick={() => setPasskey(own)}
                    >
                      Remove
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <ActionDialog
        title={`Remove the passkey ${passkey?.name ?? ''}`}
        isOpen={passkey !== null}
        onClose={() => setPasskey(null)}
        confirmLabel="Remove"
        isDangerous
        asksReason
        onConfirm={async (reason) => {
          await remove.mutateAsync({ params: { id, passkey: passkey?.id ?? '' }, body: { reason } })
          toastDone('Removed. The member gets an email.')
        }}
      >
        <Text size="sm">It no longer signs in. The member gets an email.</Text>
      </ActionDialog>
      <RelatedTable
        title="Who has viewed this account"
        items={records.impersonations}
        keyOf={(impersonation) => impersonation.id}
        empty="No operator has."
        columns={[
          { header: 'When', cell: ({ at }) => <Time at={at} /> },
          { header: 'Who', cell: ({ by }) => by },
          { header: 'Why', cell: ({ reason }) => reason },
          {
            header: 'How',
            cell: ({ how }) => viewNames[how],
          },
        ]}
      />
    </Stack>
  )
}

/** Every consent that was given or withdrawn, with its words. */
export function ConsentsTab({ records }: TabProps) {
  return (
    <RelatedTable
      title="Consents"
      items={records.consents.map((consent, index) => ({ ...consent, key: `${index}` }))}
      keyOf={(consent) => consent.key}
      empty="The member has given none."
      columns={[
        { header: 'When', cell: ({ at }) => <Time at={at} /> },
        { header: 'What', cell: ({ channel, topic }) => consentText(channel, topic) },
        { header: 'Choice', cell: ({ granted }) => (granted ? 'Given' : 'Withdrawn') },
        { header: 'Words', cell: ({ wording }) => wording },
        { header: 'Where', cell: ({ source }) => consentSources[source] ?? spellOut(source) },
      ]}
    />
  )
}

/** What a consent is about. That of a card has the card's id as its topic. */
const consentText = (channel: MemberRecords['consents'][number]['channel'], topic: string): string =>
  channel === 'card' || channel === 'terms'
    ? channelNames[channel]
    : `${channelNames[channel]}, ${spellOut(topic).toLowerCase()}`
