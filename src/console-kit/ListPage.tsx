import { ActionIcon, Button, Checkbox, Group, Menu, Table, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { createColumnHelper, FlexRender, tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Columns3, Download, Rows3 } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { CallInput, ReadCall } from '../platform/call.ts'
import { callUrl } from '../platform/call.ts'
import type { ItemOf } from './calls.ts'
import { type Filter, FilterField, namesOf } from './filters.tsx'
import { usePageKeys } from './keys.ts'
import classes from './ListPage.module.css'
import { useOpen, useSearchParams } from './links.tsx'
import { Page } from './Page.tsx'
import { RowCheckbox } from './RowCheckbox.tsx'
import { useOptionalProgram } from './session.tsx'
import { Empty, LoadFailed, Loading } from './states.tsx'
import { ignoredText, useFilteredList } from './use-filtered-list.ts'

export type { Filter } from './filters.tsx'

export interface Column<Item> {
  id: string
  header: string
  cell: (item: Item) => ReactNode
  align?: 'right'
  /** Hidden until it is chosen. */
  isOptional?: boolean
}

interface ListPageProps<C extends ReadCall> {
  title: string
  call: C
  columns: readonly Column<ItemOf<C>>[]
  filters?: readonly Filter[]
  keyOf: (item: ItemOf<C>) => string
  /** Address of an entry's page; null when it has none. */
  addressOf?: (item: ItemOf<C>) => string | null
  /** The call that returns the same list as a CSV file. */
  csv?: ReadCall
  /** Words for a list without entries and without filters. */
  empty: { title: string; text?: string }
  /** Actions on the selected entries. */
  bulk?: (selected: readonly ItemOf<C>[], clear: () => void) => ReactNode
  actions?: ReactNode
  /** Above the table. */
  children?: ReactNode
}

const features = tableFeatures({})
const columnHelper = createColumnHelper<typeof features, object>()
/** Filters that every list shows; further ones appear when they are used or wanted. */
const usualFilters = 4
const rowHeight = { comfortable: 44, compact: 34 } as const

/**
 * A list: filters in the address, pages loaded while scrolling, columns to choose, the keys j, k, Enter, x and /, and the
 * same rows as a file.
 */
export function ListPage<C extends ReadCall>(props: ListPageProps<C>) {
  const { title, call, columns, filters = [], keyOf, addressOf, csv, empty, bulk, actions, children } = props
  type Item = ItemOf<C>
  const [search, setSearch] = useSearchParams()
  const open = useOpen()
  const program = useOptionalProgram()
  const { list, query, wrong } = useFilteredList(call, search)
  const items = useMemo(() => (list.data?.pages.flatMap((page) => page.items) ?? []) as Item[], [list.data])
  const total = list.data?.pages[0]?.total
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `columns:${call.id}`,
    defaultValue: columns.filter(({ isOptional }) => isOptional).map(({ id }) => id),
  })
  const [density, setDensity] = useLocalStorage<keyof typeof rowHeight>({ key: 'density', defaultValue: 'comfortable' })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState(-1)
  const shown = useMemo(() => columns.filter(({ id }) => !hidden.includes(id)), [columns, hidden])
  const tableColumns = useMemo(
    () =>
      columnHelper.columns(
        shown.map(({ id, header, cell }) =>
          columnHelper.display({ id, header, cell: ({ row }) => cell(row.original as Item) }),
        ),
      ),
    [shown],
  )
  const table = useTable({ features, columns: tableColumns, data: items as object[] })
  const alignOf = (id: string) => shown.find((column) => column.id === id)?.align ?? 'left'
  const rows = table.getRowModel().rows
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight[density],
    overscan: 12,
  })
  const visible = virtual.getVirtualItems()
  const last = visible.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= items.length - 10 && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }, [last, items.length, list])
  const toggle = (key: string) => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    setSelected(next)
  }
  const move = (by: number) => {
    const next = Math.min(Math.max(at + by, 0), items.length - 1)
    setAt(next)
    virtual.scrollToIndex(next)
  }
  const openItem = (item: Item) => {
    const to = addressOf?.(item)
    if (to) open(to)
  }
  const textField = useRef<HTMLInputElement>(null)
  const firstText = filters.find(({ kind }) => kind === 'text')
  usePageKeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['Enter', () => items[at] !== undefined && openItem(items[at])],
    ['x', () => items[at] !== undefined && bulk && toggle(keyOf(items[at]))],
    ['/', () => textField.current?.focus()],
  ])
  const isUsed = (filter: Filter) => namesOf(filter).some((name) => search[name])
  const ignored = ignoredText(
    filters.filter((filter) => namesOf(filter).some((name) => name in wrong)).map(({ label }) => label),
  )
  const isFiltered = filters.some(isUsed)
  const [showsAll, setShowsAll] = useState(false)
  const shownFilters = filters.filter((filter, index) => showsAll || index < usualFilters || isUsed(filter))
  const [before, after] = [visible[0]?.start ?? 0, virtual.getTotalSize() - (visible.at(-1)?.end ?? 0)]
  return (
    <Page
      title={title}
      actions={
        <>
          {actions}
          {csv && !list.error && (
            <Button
              component="a"
              variant="default"
              leftSection={<Download size={16} />}
              href={callUrl(csv, { params: { program: program?.code }, query } as CallInput<ReadCall>)}
              download
            >
              CSV
            </Button>
          )}
        </>
      }
    >
      {children}
      <Group gap="sm" align="flex-end" role="search" aria-label={`Filter ${title.toLowerCase()}`}>
        {shownFilters.map((filter) => (
          <FilterField
            key={filter.label}
            filter={filter}
            search={search}
            wrong={wrong}
            onChange={(changes) => {
              setAt(-1)
              setSearch(changes)
            }}
            textField={filter === firstText ? textField : undefined}
          />
        ))}
        {shownFilters.length < filters.length && (
          <Button variant="default" onClick={() => setShowsAll(true)}>
            More filters
          </Button>
        )}
        {isFiltered && (
          <Button
            variant="subtle"
            onClick={() => setSearch(Object.fromEntries(Object.keys(search).map((key) => [key, undefined])))}
          >
            Clear filters
          </Button>
        )}
        <Group gap={4} ml="auto">
          <Menu closeOnItemClick={false}>
            <Menu.Target>
              <ActionIcon variant="default" size="lg" aria-label="Columns">
                <Columns3 size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {columns.map(({ id, header }) => (
                <Menu.Item
                  key={id}
                  onClick={() =>
                    setHidden(hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id])
                  }
                >
                  <Checkbox label={header} checked={!hidden.includes(id)} readOnly tabIndex={-1} />
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={density === 'compact' ? 'Comfortable rows' : 'Compact rows'}
            onClick={() => setDensity(density === 'compact' ? 'comfortable' : 'compact')}
          >
            <Rows3 size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {total && `${total.isExact ? '' : 'about '}${total.count.toLocaleString('en-US')} in all`}
        {selected.size > 0 && ` · ${selected.size} selected`}
        {ignored && (
          <Text span size="sm" c="orange">
            {total && ' · '}
            {ignored}
          </Text>
        )}
      </Text>
      {bulk && selected.size > 0 && (
        <Group gap="xs">
          {bulk(
            items.filter((item) => selected.has(keyOf(item))),
            () => setSelected(new Set()),
          )}
        </Group>
      )}
      {list.error && items.length === 0 ? (
        <LoadFailed error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : items.length === 0 ? (
        <Empty title={isFiltered ? 'Nothing matches these filters' : empty.title}>
          {isFiltered ? 'Change or clear them to see more.' : empty.text}
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section ref={scroller} className={classes.scroller} aria-label={title} tabIndex={0}>
          <Table stickyHeader highlightOnHover verticalSpacing={density === 'compact' ? 4 : 8}>
            <Table.Thead>
              <Table.Tr>
                {bulk && <Table.Td w={40} />}
                {table.getHeaderGroups()[0]?.headers.map((header) => (
                  <Table.Th key={header.id} scope="col" ta={alignOf(header.id)}>
                    <FlexRender header={header} />
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {before > 0 && (
                <tr aria-hidden>
                  <td style={{ height: before }} />
                </tr>
              )}
              {visible.map(({ index }) => {
                const row = rows[index]
                if (!row) return null
                const item = row.original as Item
                const key = keyOf(item)
                const first = `row-${index}`
                return (
                  <Table.Tr
                    key={key}
                    ref={virtual.measureElement}
                    data-index={index}
                    data-current={index === at || undefined}
                    className={addressOf?.(item) ? classes.link : undefined}
                    onClick={(event) => {
                      // Links and fields of the row have an effect of their own.
                      const isOwn = (event.target as HTMLElement).closest('a, button, input, label')
                      if (!isOwn) openItem(item)
                    }}
                  >
                    {bulk && (
                      <Table.Td>
                        <RowCheckbox labelId={first} isChecked={selected.has(key)} onToggle={() => toggle(key)} />
                      </Table.Td>
                    )}
                    {row.getAllCells().map((cell, nth) => (
                      <Table.Td key={cell.id} ta={alignOf(cell.column.id)} {...(nth === 0 && { id: first })}>
                        <FlexRender cell={cell} />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                )
              })}
              {after > 0 && (
                <tr aria-hidden>
                  <td style={{ height: after }} />
                </tr>
              )}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Page>
  )
}
