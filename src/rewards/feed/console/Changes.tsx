import { List, Stack, Text } from '@mantine/core'
import { formatCents } from '../../../platform/money.ts'
import type { AttachPreview } from './contract.ts'

/** What an act changes: how many transactions, what they earn then, and the first ones. */
export function Changes({ preview: { count, reward, posted, examples } }: { preview: AttachPreview }) {
  if (count === 0) return <Text>Nothing changes.</Text>
  return (
    <Stack gap="xs">
      <Text>
        {count === 1 ? 'One transaction changes, and earns' : `${count} transactions change, and earn`} {reward} in all
        then; {posted} of it is posted.
      </Text>
      <List size="sm">
        {examples.map(({ id, memberName, merchantName, cents, reward: own, words }) => (
          <List.Item key={id}>
            {memberName ?? 'Card unknown'}, {merchantName}, {formatCents(cents)}: <b>{own}</b>. {words}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
