import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

// Loaded with the first passkey, so that no start waits for it.
const library = () => import('@simplewebauthn/server')

/** A passkey as it is stored. */
export interface Credential {
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

// A passkey is bound to the host name of its origin.
const rpIdOf = (origin: string) => new URL(origin).hostname

const descriptor = ({ credentialId, transports }: Pick<Credential, 'credentialId' | 'transports'>) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

export interface RegistrationRequest {
  origin: string
  /** Shown by the browser. */
  rpName: string
  userId: string
  userName: string
  displayName: string
  /** Whether the passkey must work without a user name. */
  residentKey: 'required' | 'preferred'
  /** The user's passkeys: an authenticator that has one of them creates no other. */
  existing: readonly Credential[]
}

/** Returns the browser's options for creating a passkey. Their challenge must be stored until the response. */
export async function createRegistrationOptions(request: RegistrationRequest) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: request.rpName,
    rpID: rpIdOf(request.origin),
    userName: request.userName,
    userDisplayName: request.displayName,
    userID: new TextEncoder().encode(request.userId),
    attestationType: 'none',
    excludeCredentials: request.existing.map(descriptor),
    authenticatorSelection: { residentKey: request.residentKey, userVerification: 'required' },
  })
}

export interface PasskeyResponse {
  origin: string
  challenge: string
  /** The browser's response, not validated. */
  response: unknown
}

/** Returns the passkey that a browser has created, or null when the response is not valid. */
export async function verifyRegistration({ origin, challenge, response }: PasskeyResponse): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
  }).catch(() => null)
  if (!result?.verified) return null
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports }
}

/**
 * Returns the browser's options for using a passkey: one of `allowed`, or any of this origin. Their challenge must be
 * stored until the response.
 */
export async function createAuthenticationOptions(origin: string, allowed?: readonly Credential[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    allowCredentials: allowed?.map(descriptor),
    userVerification: 'required',
  })
}

/** Returns the id of the passkey that a response claims to be from; empty when it has none. */
export function credentialIdOf(response: unknown): string {
  const id = (response as { id?: unknown } | null)?.id
  return typeof id === 'string' ? id : ''
}

/**
 * Returns the new counter of the passkey, or null when the response is not valid. The library compares the counters too:
 * a decreasing counter indicates a cloned passkey.
 */
export async function verifyAuthentication(
  { origin, challenge, response }: PasskeyResponse,
  credential: Credential,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
    credential: {
      ...descriptor(credential),
      publicKey: new Uint8Array(credential.publicKey),
      counter: credential.counter,
    },
  }).catch(() => null)
  return result?.verified ? result.authenticationInfo.newCounter : null
}
