import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Returns the result of `navigator.credentials.create` without a browser. */
export const createFakePasskey = (origin: string, challenge: string): string =>
  createFakeAuthenticator(origin).create(challenge)

/** An authenticator with one passkey: a new ES256 key, a verified user, no attestation. */
export function createFakeAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const site = createHash('sha256').update(new URL(origin).hostname).digest()
  const credential = (type: 'create' | 'get', challenge: string, response: (clientData: Buffer) => object) => {
    const clientData = Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))
    return JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: clientData.toString('base64url'), ...response(clientData) },
    })
  }

  return {
    /** Returns the result of `navigator.credentials.create`. */
    create: (challenge: string): string =>
      credential('create', challenge, () => ({
        attestationObject: attestationOf(site, id, { x, y }).toString('base64url'),
        transports: ['internal'],
      })),

    /** Returns the result of `navigator.credentials.get`. `counter` is how often the passkey was used. */
    get: (challenge: string, counter: number): string =>
      credential('get', challenge, (clientData) => {
        const uses = Buffer.alloc(4)
        uses.writeUInt32BE(counter)
        // User present, user verified; the counter.
        const authData = Buffer.concat([site, Buffer.from([0x05]), uses])
        const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
        return {
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        }
      }),
  }
}

function attestationOf(site: Buffer, id: Buffer, { x, y }: { x: string; y: string }): Buffer {
  // CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const authData = Buffer.concat([
    site,
    // User present, user verified, with a credential; the counter; no AAGUID.
    Buffer.from([0x45, 0, 0, 0, 0]),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    coseKey,
  ])
  return Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from('fmt'),
    Buffer.from([0x64]),
    Buffer.from('none'),
    Buffer.from([0x67]),
    Buffer.from('attStmt'),
    Buffer.from([0xa0, 0x68]),
    Buffer.from('authData'),
    Buffer.from([0x58, authData.length]),
    authData,
  ])
}
