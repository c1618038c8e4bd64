import { Loader, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useEffect, useState } from 'react'
import { messageOf } from '../../console-kit/api.ts'
import { useCall } from '../../console-kit/calls.ts'
import { useOpen } from '../../console-kit/links.tsx'
import type { ConsoleProgram } from '../../console-kit/session/contract.ts'
import { useOptionalProgram, useSession } from '../../console-kit/session.tsx'
import { searchProgram, searchPrograms } from '../search/contract.ts'
import { areas, formAreas, installationAreas, isShown, isShownAnywhere } from './areas.ts'
import { type FoundGroup, toFoundGroups } from './found-actions.ts'

interface PaletteGroup {
  group: string
  actions: { id: string; label: string; description?: string; onClick: () => void }[]
}

const [store, palette] = createSpotlight()

/** Opens and closes the command palette. */
export { palette }

const listId = 'palette-results'
const shortestText = 2
/** What the call takes. Nothing has a longer name. */
const longestText = 120

/**
 * The command palette (Ctrl K): every page that the operator may open, and the members, transactions, restaurants and
 * claims that the typed text means: in the program of the address, otherwise in all programs.
 */
export function CommandPalette() {
  const { programs } = useSession()
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const search = useSearch(text, programs)
  const open = useOpen()
  const openFound = (to: string) => (to.startsWith('/') ? open(to) : window.open(to, '_blank', 'noopener'))
  const groups: PaletteGroup[] = [
    ...usePageGroups(text.toLowerCase()),
    ...search.groups.map(({ group, actions }) => ({
      group,
      actions: actions.map(({ to, ...action }) => ({ ...action, onClick: () => openFound(to) })),
    })),
  ].filter(({ actions }) => actions.length > 0)
  const count = groups.reduce((sum, { actions }) => sum + actions.length, 0)
  const status = search.isLoading ? 'Searching…' : count === 1 ? '1 entry' : count === 0 ? '' : `${count} entries`
  const shown = `${status} ${groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join()}`
  useEffect(() => {
    if (shown !== '') selectFirst()
  }, [shown])
  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      shortcut="mod + K"
      scrollable
      maxHeight={400}
      attributes={{ content: { 'aria-label': 'Search' } }}
      // Mantine dims it on the chosen entry, too much to be read.
      styles={{ actionDescription: { opacity: 1 } }}
    >
      <Spotlight.Search
        placeholder="Name, email, number, phone, card, restaurant, page"
        aria-label="Search pages, members, transactions, restaurants and claims"
        rightSection={search.isLoading ? <Loader size="xs" aria-hidden /> : null}
      />
      <VisuallyHidden role="status">{text === '' ? '' : status}</VisuallyHidden>
      <Spotlight.ActionsList id={listId}>
        {groups.map(({ group, actions }) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {actions.map(({ id, ...action }) => (
              <Spotlight.Action key={id} highlightQuery {...action} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {search.error !== null && (
          <Spotlight.ActionsGroup label="The search failed">
            <Spotlight.Action
              label="Try again"
              description={messageOf(search.error)}
              closeSpotlightOnTrigger={false}
              onClick={search.retry}
            />
          </Spotlight.ActionsGroup>
        )}
        {count === 0 && search.error === null && (
          <Spotlight.Empty role={search.isLoading ? undefined : 'status'}>
            {search.isLoading ? 'Searching…' : 'Nothing found'}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Selects the first entry when none is selected: those that arrive later than the text are chosen by Enter, too. */
function selectFirst(): void {
  const actions = [...document.querySelectorAll(`#${listId} [data-action]`)]
  const selected = actions.findIndex((action) => action.hasAttribute('data-selected'))
  if (selected === -1) actions[0]?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: Math.max(selected, 0) }))
}

interface Search {
  groups: FoundGroup[]
  isLoading: boolean
  error: unknown
  retry: () => void
}

/** Counts as the call does: by characters, of which an emoji is one, without spaces around. */
function isSearchable(text: string): boolean {
  const { length } = [...text.trim()]
  return length >= shortestText && length <= longestText
}

/** Returns what a text has found; never what an earlier text has. */
function useSearch(text: string, programs: readonly ConsoleProgram[]): Search {
  const program = useOptionalProgram()
  const [settled] = useDebouncedValue(text, 200)
  const may = (given: readonly string[]) => searchProgram.permission.some((permission) => given.includes(permission))
  const isWanted = isSearchable(text) && programs.some(({ permissions }) => may(permissions))
  const mayHere = program !== undefined && may(program.permissions)
  const query = { q: settled }
  const isReady = isSearchable(settled)
  const here = useCall(searchProgram, { query }, { enabled: isReady && mayHere })
  const everywhere = useCall(searchPrograms, { query }, { enabled: isReady && program === undefined && isWanted })
  const result = program ? here : everywhere
  if (!isWanted || (program && !mayHere)) return { groups: [], isLoading: false, error: null, retry() {} }
  const isCurrent = settled === text && !result.isPlaceholderData
  const data = isCurrent && result.data ? [result.data].flat() : undefined
  const error = isCurrent && !result.isFetching ? result.error : null
  return {
    groups: data ? toFoundGroups(data, { programs, text }) : [],
    isLoading: data === undefined && error === null,
    error,
    retry: () => void result.refetch(),
  }
}

/** Returns the pages and programs whose name has a text. */
function usePageGroups(text: string): PaletteGroup[] {
  const { programs } = useSession()
  const program = useOptionalProgram()
  const open = useOpen()
  const pages = program
    ? [...areas, ...formAreas]
        .filter((area) => isShown(area, program.permissions))
        .map(({ path, label, isForms }) => {
          const to = `/${program.code}/${path}`
          return { id: path, label, onClick: () => (isForms ? location.assign(to) : open(to)) }
        })
    : []
  const others = installationAreas
    .filter((area) => isShownAnywhere(area, programs))
    .map(({ path, label }) => ({ id: `/${path}`, label, onClick: () => open(`/${path}`) }))
  const switches = programs
    .filter(({ code }) => code !== program?.code)
    .map(({ code, name }) => ({
      id: `program:${code}`,
      label: name,
      description: 'Switch to this program',
      onClick: () => open(`/${code}`),
    }))
  const hasText = ({ label }: { label: string }) => label.toLowerCase().includes(text)
  return [
    { group: 'Pages', actions: [...pages, ...others].filter(hasText) },
    { group: 'Programs', actions: switches.filter(hasText) },
  ]
}
