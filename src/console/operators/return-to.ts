import type { FastifyRequest } from 'fastify'
import { returnPathIn, safeReturnPath, withReturn } from '../../identity/session/sso/return-path.ts'

/** Returns the address of a step of signing in, which then leads back to the page that was asked for. */
export const onReturn = ({ method, url }: FastifyRequest, step: string): string =>
  withReturn(step, method === 'GET' && url !== '/' ? safeReturnPath(url, '') : '')

/** Returns the page to which the steps of signing in lead; '' without one. */
export const returnPathOf = (query: unknown): string =>
  returnPathIn(new URLSearchParams(query as Record<string, string>))
