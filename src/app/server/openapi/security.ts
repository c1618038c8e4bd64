import { type CallSpec, needsCsrf } from '../../../platform/call.ts'

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

const signature = 'base64(HMAC(key, base64(HMAC(key, body + url + timestamp)))), with SHA-256 and the full URL.'

/** What the API accepts as proof of who the caller is. */
export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-sid',
    description:
      'The session of a visitor (opened by `getCsrf`) or of a signed-in member. Over plain http, for development only, ' +
      'its name is `sid`.',
  },
  csrf: header('X-XSRF-TOKEN', 'The CSRF token of the session, from `getCsrf` or from the response of a sign-in.'),
  knownMember: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `token` of `getKnownMember`, valid for 15 minutes and for this member only.',
  },
  signature: header('X-Dineback-Signature', signature),
  timestamp: header('X-Dineback-Timestamp', 'Milliseconds since 1970; at most five minutes from the server’s clock.'),
  fidelSignature: header('X-Fidel-Signature', `The same as X-Dineback-Signature: ${signature}`),
  fidelTimestamp: header('X-Fidel-Timestamp', 'The same as X-Dineback-Timestamp.'),
} as const

type Requirement = Partial<Record<keyof typeof securitySchemes, []>>

/** Returns what a call requires: one of the entries, with all of its schemes. Empty for a call without access control. */
export function securityOf(call: CallSpec): Requirement[] {
  if (call.access === 'machine') {
    return [
      { signature: [], timestamp: [] },
      { fidelSignature: [], fidelTimestamp: [] },
    ]
  }
  const csrf = needsCsrf(call)
  if (call.access === 'anyone' && !csrf) return []
  return [{ session: [], ...(csrf && { csrf: [] }), ...(call.bearer && { knownMember: [] }) }]
}
