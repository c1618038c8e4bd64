import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'

/** Leads to a journal entry, for operators who may see the journal. */
export function EntryLink({ id, children }: { id: number; children: ReactNode }) {
  const address = useAddress()
  if (!useMay()('ledger.read')) return children
  return (
    <Anchor component={Link} size="sm" to={address(`journal/${id}`)}>
      {children}
    </Anchor>
  )
}

/** Leads to the journal with a filter, for operators who may see it. */
export function JournalLink({ query }: { query: string }) {
  const address = useAddress()
  if (!useMay()('ledger.read')) return null
  return (
    <Anchor component={Link} size="sm" to={address(`journal?${query}`)}>
      Its entries
    </Anchor>
  )
}
