import { Badge, Box, Button, Group, NavLink, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { ReadCall } from '../platform/call.ts'
import type { ItemOf } from './calls.ts'
import { TextFilter } from './filters.tsx'
import { usePageKeys } from './keys.ts'
import { useOpen, useSearchParams } from './links.tsx'
import { Page } from './Page.tsx'
import classes from './QueuePage.module.css'
import { Empty, LoadFailed, Loading } from './states.tsx'
import { ignoredText, useFilteredList } from './use-filtered-list.ts'

interface QueuePageProps<C extends ReadCall> {
  title: string
  call: C
  /** Choices above the queue: parameters of the address and of the call. */
  choices: readonly { name: string; label: string; options: readonly { value: string; label: string }[] }[]
  keyOf: (item: ItemOf<C>) => string
  lineOf: (item: ItemOf<C>) => { title: string; detail: ReactNode; mark?: string | undefined }
  /** Address of an item, with the queue's parameters. */
  addressOf: (key: string) => string
  /** The address of the queue without an item. */
  address: string
  /** The key of the item that the address names. */
  current: string | undefined
  empty: string
  actions?: ReactNode
  /** The item: the evidence and the decision. `next` opens the one after it. */
  children: (key: string, next: () => void) => ReactNode
}

/**
 * A queue: items on the left, the chosen one beside its evidence. The keys j and k choose; after a decision the next one
 * opens by itself. On a phone, the item takes the place of the list.
 */
export function QueuePage<C extends ReadCall>(props: QueuePageProps<C>) {
  const { title, call, choices, keyOf, lineOf, addressOf, address, current, empty, actions, children } = props
  const [search, setSearch] = useSearchParams()
  const open = useOpen()
  const { list, wrong } = useFilteredList(call, search)
  const items = useMemo(() => (list.data?.pages.flatMap((page) => page.items) ?? []) as ItemOf<C>[], [list.data])
  const total = list.data?.pages[0]?.total
  const at = items.findIndex((item) => keyOf(item) === current)
  const withSearch = (path: string) => {
    const query = new URLSearchParams(Object.entries(search).filter((pair): pair is [string, string] => !!pair[1]))
    return query.size > 0 ? `${path}?${query}` : path
  }
  // After a decision the item has left the list: the one that followed takes its place.
  const lastAt = useRef(0)
  useEffect(() => {
    if (at >= 0) lastAt.current = at
  }, [at])
  const choose = (index: number) => {
    const item = items[Math.min(Math.max(index, 0), items.length - 1)]
    if (item !== undefined) open(withSearch(addressOf(keyOf(item))))
  }
  const next = () => {
    const following = items.filter((item) => keyOf(item) !== current)
    const item = following[Math.min(Math.max(at >= 0 ? at : lastAt.current, 0), following.length - 1)]
    open(withSearch(item === undefined ? address : addressOf(keyOf(item))))
  }
  const textField = useRef<HTMLInputElement>(null)
  usePageKeys([
    ['j', () => choose(at < 0 ? 0 : at + 1)],
    ['k', () => choose(at - 1)],
    ['/', () => textField.current?.focus()],
  ])
  const ignored = ignoredText([
    ...choices.filter(({ name }) => name in wrong).map(({ label }) => label),
    ...('q' in wrong ? ['Search'] : []),
  ])
  const narrowing = [...choices.map(({ name }) => name), 'q'].filter((name) => search[name] && !(name in wrong))
  const isNarrowed = narrowing.length > 0
  const clear = () => setSearch(Object.fromEntries(narrowing.map((name) => [name, undefined])))
  return (
    <Page title={title} actions={actions}>
      <Box className={classes.queue} data-chosen={current !== undefined || undefined}>
        <Stack className={classes.items} gap="xs" component="section" aria-label={`${title}: the queue`}>
          <TextFilter
            label="Search the queue"
            isLabelHidden
            value={search.q ?? ''}
            error={wrong.q}
            onChange={(q) => setSearch({ q })}
            textField={textField}
          />
          {choices.map(({ name, label, options }) => (
            <SegmentedControl
              key={name}
              aria-label={label}
              size="xs"
              data={[...options]}
              value={(name in wrong ? undefined : search[name]) ?? options[0]?.value ?? ''}
              onChange={(value) => setSearch({ [name]: value === options[0]?.value ? undefined : value })}
            />
          ))}
          <Text size="sm" c="dimmed" role="status">
            {total && `${total.isExact ? '' : 'about '}${total.count.toLocaleString('en-US')} in the queue`}
            {ignored && (
              <Text span size="sm" c="orange">
                {total && ' · '}
                {ignored}
              </Text>
            )}
          </Text>
          {list.error && items.length === 0 ? (
            <LoadFailed error={list.error} onRetry={() => void list.refetch()} />
          ) : list.isPending ? (
            <Loading />
          ) : items.length === 0 ? (
            <Empty title={isNarrowed ? 'Nothing matches' : empty}>
              {isNarrowed && (
                <Button variant="subtle" onClick={clear}>
                  Clear search and filters
                </Button>
              )}
            </Empty>
          ) : (
            <ScrollArea.Autosize mah="70dvh" viewportProps={{ tabIndex: -1 }}>
              <nav aria-label={title}>
                {items.map((item) => {
                  const { title: line, detail, mark } = lineOf(item)
                  const to = withSearch(addressOf(keyOf(item)))
                  return (
                    <NavLink
                      key={keyOf(item)}
                      href={to}
                      onClick={(event) => {
                        event.preventDefault()
                        open(to)
                      }}
                      active={keyOf(item) === current}
                      label={line}
                      description={detail}
                      styles={{
                        label: { color: 'var(--mantine-color-text)' },
                        description: { color: 'var(--mantine-color-text)', opacity: 1 },
                      }}
                      rightSection={mark && <Badge size="sm">{mark}</Badge>}
                      {...(keyOf(item) === current && { 'aria-current': 'page' })}
                    />
                  )
                })}
                {list.hasNextPage && (
                  <Button
                    variant="subtle"
                    fullWidth
                    onClick={() => void list.fetchNextPage()}
                    loading={list.isFetchingNextPage}
                  >
                    Show more
                  </Button>
                )}
              </nav>
            </ScrollArea.Autosize>
          )}
        </Stack>
        <Box className={classes.item} component="section" aria-label="The chosen item">
          {current === undefined ? (
            items.length > 0 ? (
              <Empty title="Choose one on the left">Or press j for the first one.</Empty>
            ) : (
              list.isSuccess && !isNarrowed && <Empty title="Nothing to decide" />
            )
          ) : (
            <Stack>
              <Group className={classes.back}>
                <Button
                  variant="subtle"
                  leftSection={<ArrowLeft size={16} />}
                  onClick={() => open(withSearch(address))}
                >
                  Back to the queue
                </Button>
              </Group>
              {children(current, next)}
            </Stack>
          )}
        </Box>
      </Box>
    </Page>
  )
}
