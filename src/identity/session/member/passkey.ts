import type { AuthenticationResponseJSON, PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { Api } from '../../../platform/browser/api.ts'
import type { SignedIn } from '../contract.ts'
import { addPasskey, beginPasskey, beginPasskeySignIn, type Passkey, signInWithPasskey } from '../passkeys/contract.ts'

// Loaded when the button is pressed, because most visitors never use it.
const ceremonies = () => import('@simplewebauthn/browser')

/** Requests a passkey from the browser and signs in with it. Rejects when the user cancels. */
export async function authenticateWithPasskey(api: Api, rememberMe: boolean): Promise<SignedIn> {
  const [{ startAuthentication }, options] = await Promise.all([ceremonies(), api.call(beginPasskeySignIn, {})])
  const response: AuthenticationResponseJSON = await startAuthentication({ optionsJSON: options })
  return api.call(signInWithPasskey, { body: { credential: plain(response), rememberMe } })
}

/** Creates a passkey in the browser and adds it. Rejects when the user cancels. */
export async function createPasskey(api: Api, name: string): Promise<Passkey> {
  const [{ startRegistration }, options] = await Promise.all([ceremonies(), api.call(beginPasskey, {})])
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON })
  return api.call(addPasskey, { body: { name, credential: plain(response) } })
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
