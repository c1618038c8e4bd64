import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, keepCsrfToken } from './api.ts'
import type { Permission } from './permissions.ts'
import { type ConsoleProgram, getSession } from './session/contract.ts'

/** The query of the signed-in operator and the programs. */
export const sessionQuery = queryOptions({
  queryKey: [getSession.id],
  queryFn: async () => {
    const session = await api.call(getSession, {})
    keepCsrfToken(session.csrfToken)
    return session
  },
  staleTime: 60_000,
})

/** Returns the signed-in operator and the programs. */
export const useSession = () => useSuspenseQuery(sessionQuery).data

/** Returns the program of the address; undefined on pages about all programs. */
export function useOptionalProgram(): ConsoleProgram | undefined {
  const { program } = useParams({ strict: false }) as { program?: string }
  return useSession().programs.find(({ code }) => code === program)
}

/** Returns the program of the address. */
export function useProgram(): ConsoleProgram {
  const program = useOptionalProgram()
  if (!program) throw new Error('this page is not about a program')
  return program
}

/** Returns whether the operator has a permission in the program of the address. */
export function useMay(): (permission: Permission) => boolean {
  const program = useOptionalProgram()
  return (permission) => program?.permissions.includes(permission) === true
}

/** Returns whether the operator has a permission in some program, for pages about all programs. */
export function useMayAnywhere(): (permission: Permission) => boolean {
  const { programs } = useSession()
  return (permission) => programs.some(({ permissions }) => permissions.includes(permission))
}
