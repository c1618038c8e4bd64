import { useParams } from '@tanstack/react-router'

/** Returns the address of the audit log that this page belongs to: that of a program, or of all programs. */
export function useLogAddress(): { log: string; isOfAll: boolean } {
  const { program } = useParams({ strict: false }) as { program?: string }
  return program === undefined ? { log: '/audit-log', isOfAll: true } : { log: `/${program}/audit`, isOfAll: false }
}
