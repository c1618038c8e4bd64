import { Spotlight } from '@mantine/spotlight'
import { useOpen } from '../../console-kit/links.tsx'
import { useOptionalProgram, useSession } from '../../console-kit/session.tsx'
import { areas, formAreas, installationAreas, isShown, isShownAnywhere } from './areas.ts'

/** The command palette (Ctrl K): every page that the operator may open. */
export function CommandPalette() {
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
  return (
    <Spotlight
      shortcut={['mod + K']}
      nothingFound="Nothing found"
      actions={[
        { group: 'Pages', actions: [...pages, ...others] },
        { group: 'Programs', actions: switches },
      ]}
      searchProps={{ placeholder: 'Search pages and programs', 'aria-label': 'Search pages and programs' }}
      highlightQuery
      scrollable
      maxHeight={400}
    />
  )
}
