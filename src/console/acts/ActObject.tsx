import { Anchor } from '@mantine/core'
import { objectAddress } from '../../console-kit/act-words.ts'
import { Link } from '../../console-kit/links.tsx'
import { useSession } from '../../console-kit/session.tsx'
import type { ListedAct } from './contract.ts'
import { objectText } from './object-words.ts'

/** What an act was done to, with a link to its page. */
export function ActObject({ act: { object, program } }: { act: Pick<ListedAct, 'object' | 'program'> }) {
  const to = objectAddress(object, program)
  const text = objectText(object)
  return to === null ? (
    text
  ) : (
    <Anchor component={Link} size="sm" to={to}>
      {text}
    </Anchor>
  )
}

/** The name of the program that an act was about. */
export function ProgramName({ code }: { code: string | null }) {
  const { programs } = useSession()
  return code === null ? 'Installation' : (programs.find((program) => program.code === code)?.name ?? code)
}
