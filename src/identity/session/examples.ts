import { type CallGroup, example } from '../../platform/call-examples.ts'
import {
  checkNewPassword,
  endOwnSession,
  getCsrf,
  listSessions,
  reauthenticate,
  type SignedIn,
  signIn,
  signOut,
} from './contract.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  listPasskeys,
  type Passkey,
  removePasskey,
  signInWithPasskey,
} from './passkeys/contract.ts'
import * as passkeySchemas from './passkeys/schemas.ts'
import * as schemas from './schemas.ts'

const csrfToken = 'bSe7_38Sv-GwJ7dGW_41JhVqBJENb7bUbynQ03k3SiQ'
const signedIn: SignedIn = {
  publicId: 'hM3v0cXb6rQ2nT8kYw5ZpA',
  memberType: 'EnrolledCardMember',
  csrfToken,
  mustFixCredentials: false,
}
const locked = { errorDetails: { locked: { lockedMinutes: 30 } } }

const passkey: Passkey = {
  id: '7c0e5f0a-6d5e-4b6f-9b1a-2f0c8e3d4a51',
  name: 'Ana’s phone',
  createdAt: '2026-11-20T18:30:00.000Z',
  usedAt: null,
}
const challenge = 'y3v0cXb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw5ZpA'
const credential = {
  id: 'q9v0cXb6rQ2nT8kYw5ZpAg',
  rawId: 'q9v0cXb6rQ2nT8kYw5ZpAg',
  type: 'public-key',
  clientExtensionResults: {},
} as const
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'

export const sessionExamples: CallGroup = {
  tag: 'Sessions',
  place: 50,
  description: 'Sign-in and sign-out, passkeys, the CSRF token, and the sessions of the member.',
  examples: [
    example(getCsrf, schemas.getCsrf, { reply: { csrfToken } }),
    example(signIn, schemas.signIn, {
      body: { userName: 'ana@example.com', password: 'a long passphrase of mine', rememberMe: true },
      reply: signedIn,
      ...locked,
    }),
    example(checkNewPassword, schemas.checkNewPassword, {
      body: { password: 'password1', firstName: 'Ana', lastName: 'Ruiz', email: 'ana@example.com' },
      reply: { problem: 'This password is too common. Please choose another one.' },
    }),
    example(listSessions, schemas.listSessions, {
      reply: [
        {
          id: '2b9d4c1e-8f37-4a60-b5d2-91c7e0a4f638',
          device: 'Chrome on Windows',
          beganWith: 'password',
          beganAt: '2026-11-20T18:30:00.000Z',
          remembered: true,
          current: true,
          isSignedIn: true,
          getsNotifications: false,
        },
      ],
    }),
    example(endOwnSession, schemas.endOwnSession, {
      query: { id: '2b9d4c1e-8f37-4a60-b5d2-91c7e0a4f638' },
      reply: true,
    }),
    example(reauthenticate, schemas.reauthenticate, {
      body: { password: 'a long passphrase of mine' },
      reply: { proven: true },
      ...locked,
    }),
    example(signOut, schemas.signOut, { reply: { signedOut: true } }),
    example(listPasskeys, passkeySchemas.listPasskeys, { reply: [passkey] }),
    example(beginPasskey, passkeySchemas.beginPasskey, {
      reply: {
        challenge,
        rp: { id: 'skyharbor.example.com', name: 'Skyharbor Miles Dining' },
        user: { id: 'aE0zdjBjWGI2clEyblQ4a1l3NVpwQQ', name: 'ana@example.com', displayName: 'Ana Ruiz' },
        pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
        timeout: 300_000,
      },
    }),
    example(addPasskey, passkeySchemas.addPasskey, {
      body: {
        name: 'Ana’s phone',
        credential: { ...credential, response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oA' } },
      },
      reply: passkey,
    }),
    example(removePasskey, passkeySchemas.removePasskey, { query: { id: passkey.id }, reply: true }),
    example(beginPasskeySignIn, passkeySchemas.beginPasskeySignIn, {
      reply: { challenge, rpId: 'skyharbor.example.com', timeout: 300_000, userVerification: 'required' },
    }),
    example(signInWithPasskey, passkeySchemas.signInWithPasskey, {
      body: {
        credential: {
          ...credential,
          response: {
            clientDataJSON,
            authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
            signature: 'MEUCIQCkVb6rQ2nT8kYw5ZpAhM3v0cXb6rQ2nT8kYw5Zp',
          },
        },
        rememberMe: false,
      },
      reply: signedIn,
    }),
  ],
}
