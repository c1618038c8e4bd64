import { Anchor, Badge, Group } from '@mantine/core'
import { useCall } from '../../console-kit/calls.ts'
import { Time } from '../../console-kit/format.tsx'
import { type Column, type Filter, ListPage } from '../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../console-kit/links.tsx'
import { useMay, useProgram } from '../../console-kit/session.tsx'
import { exportMembers, type Listed, listMembers, listMemberTags } from './contract.ts'
import { nameOf, stateOf, typeNames } from './member-words.ts'

const options = (names: Readonly<Record<string, string>>, any: string) => [
  { value: 'any', label: any },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
]
const yesNo = (any: string, yes: string, no: string) => options({ yes, no }, any)

/** The members of a program: found by whatever somebody reads out, filtered, and opened. */
export default function MembersPage() {
  const address = useAddress()
  const may = useMay()
  const { tierNames } = useProgram()
  const tags = useCall(listMemberTags, {})
  const filters: Filter[] = [
    { kind: 'text', name: 'q', label: 'Name, email, number, phone, card' },
    { kind: 'choice', name: 'tier', label: 'Tier', options: options(tierNames, 'Any tier') },
    { kind: 'choice', name: 'type', label: 'Account', options: options(typeNames, 'Any account') },
    { kind: 'days', from: 'joinedFrom', to: 'joinedTo', label: 'Joined' },
    { kind: 'days', from: 'dinedFrom', to: 'dinedTo', label: 'Last dine' },
    { kind: 'choice', name: 'dined', label: 'Has dined', options: yesNo('Dined or not', 'Has dined', 'Never dined') },
    { kind: 'choice', name: 'card', label: 'Card', options: yesNo('Card or none', 'Has a card', 'Has no card') },
    {
      kind: 'choice',
      name: 'consent',
      label: 'Offers by email',
      options: yesNo('Any consent', 'Wanted', 'Not wanted'),
    },
    {
      kind: 'choice',
      name: 'sort',
      label: 'Order',
      options: [
        { value: 'newest', label: 'Newest first' },
        { value: 'oldest', label: 'Oldest first' },
      ],
    },
    ...(tags.data && tags.data.length > 0
      ? [
          {
            kind: 'choice' as const,
            name: 'tag',
            label: 'Tag',
            options: [{ value: '', label: 'Any tag' }, ...tags.data.map((tag) => ({ value: tag, label: tag }))],
          },
        ]
      : []),
  ]
  const columns: Column<Listed>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: (member) => (
        <Anchor component={Link} size="sm" to={address(`members/${member.id}`)}>
          {nameOf(member)}
        </Anchor>
      ),
    },
    { id: 'email', header: 'Email address', cell: ({ email }) => email },
    { id: 'number', header: 'Member number', cell: ({ partnerNumber }) => partnerNumber, isOptional: true },
    { id: 'tier', header: 'Tier', cell: ({ tierLevel }) => tierNames[tierLevel] },
    {
      id: 'state',
      header: 'Account',
      cell: (member) => {
        const { label, color } = stateOf(member)
        return <Badge color={color}>{label}</Badge>
      },
    },
    { id: 'joined', header: 'Joined', cell: ({ joinedAt }) => <Time at={joinedAt} /> },
    { id: 'dined', header: 'Last dine', cell: ({ lastDinedAt }) => lastDinedAt && <Time at={lastDinedAt} /> },
    { id: 'cards', header: 'Cards', cell: ({ lastFours }) => lastFours.join(', ') },
    {
      id: 'consent',
      header: 'Offers by email',
      cell: ({ emailOptIn }) => (emailOptIn ? 'Wanted' : 'Not wanted'),
      isOptional: true,
    },
    {
      id: 'tags',
      header: 'Tags',
      cell: ({ tags: own }) => (
        <Group gap={4}>
          {own.map((tag) => (
            <Badge key={tag} variant="outline" color="gray" tt="none">
              {tag}
            </Badge>
          ))}
        </Group>
      ),
    },
  ]
  return (
    <ListPage
      title="Members"
      call={listMembers}
      columns={columns}
      filters={filters}
      keyOf={(member) => member.id}
      addressOf={(member) => address(`members/${member.id}`)}
      {...(may('members.export') && { csv: exportMembers })}
      empty={{ title: 'No members yet', text: 'Who joins the program is listed here.' }}
    />
  )
}
