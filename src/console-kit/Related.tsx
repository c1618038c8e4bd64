import { Button, Card, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CallInput, ReadCall } from '../platform/call.ts'
import { type ItemOf, useList } from './calls.ts'
import { LoadFailed, Loading } from './states.tsx'

/** A list call below a detail page: what is loaded so far, and a button for more. */
export function MoreOf<C extends ReadCall>({
  call,
  input,
  empty,
  children,
}: {
  call: C
  input: CallInput<C> & { program?: string }
  empty: string
  children: (items: ItemOf<C>[]) => ReactNode
}) {
  const list = useList(call, input)
  if (list.error && !list.data) return <LoadFailed error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <Loading />
  const items = (list.data?.pages.flatMap((page) => page.items) ?? []) as ItemOf<C>[]
  if (items.length === 0) return <Text c="dimmed">{empty}</Text>
  return (
    <Stack align="stretch">
      {children(items)}
      {list.hasNextPage && (
        <Button variant="default" onClick={() => void list.fetchNextPage()} loading={list.isFetchingNextPage}>
          Show more
        </Button>
      )}
    </Stack>
  )
}

export interface RelatedColumn<Item> {
  header: string
  cell: (item: Item) => ReactNode
  align?: 'right'
}

/** A table of related things, with a title and words for none. */
export function RelatedTable<Item>({
  title,
  items,
  columns,
  keyOf,
  empty,
}: {
  title: string
  items: readonly Item[]
  columns: readonly RelatedColumn<Item>[]
  keyOf: (item: Item) => string
  empty: string
}) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Text fw={600} mb="xs">
        {title}
      </Text>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ header, align }) => (
                  <Table.Th key={header} scope="col" ta={align ?? 'left'}>
                    {header}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((item) => (
                <Table.Tr key={keyOf(item)}>
                  {columns.map(({ header, cell, align }) => (
                    <Table.Td key={header} ta={align ?? 'left'}>
                      {cell(item)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  )
}
