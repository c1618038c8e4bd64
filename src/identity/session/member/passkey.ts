import type { AuthenticationResponseJSON, PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { SendWrite } from '../../../platform/browser/write-api.ts'
import type { SignedIn } from '../contract.ts'
import { addPasskey, beginPasskey, beginPasskeySignIn, type Passkey, signInWithPasskey } from '../passkeys/contract.ts'

// Loaded when the button is pressed, because most visitors never use it.
const ceremonies = () => import('@simplewebauthn/browser')

/** Requests a passkey from the browser and signs in with it. Rejects when the user cancels. */
export async function authenticateWithPasskey(send: SendWrite, rememberMe: boolean): Promise<SignedIn> {
  const [{ startAuthentication }, options] = await Promise.all([ceremonies(), send(beginPasskeySignIn, {})])
  const response: AuthenticationResponseJSON = await startAuthentication({ optionsJSON: options })
  return send(signInWithPasskey, { body: { credential: plain(response), rememberMe } })
}

/** Creates a passkey in the browser and adds it. Rejects when the user cancels. */
export async function createPasskey(send: SendWrite, name: string): Promise<Passkey> {
  const [{ startRegistration }, options] = await Promise.all([ceremonies(), send(beginPasskey, {})])
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON })
  return send(addPasskey, { body: { name, credential: plain(response) } })
}

interface CeremonyResponse {
  id: string
  rawId: string
  type: 'public-key'
  response: object
  clientExtensionResults: object
}

const plain = ({ id, rawId, type, response, clientExtensionResults }: CeremonyResponse) => ({
  id,
  rawId,
  type,
  response: { ...response },
  clientExtensionResults: { ...clientExtensionResults },
})
