import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { visit } from './app.ts'

type Visitor = ReturnType<typeof visit>

export interface StartedSignIn {
  state: string
  nonce: string
}

/** What the provider says of itself; each process of the app asks once. */
export type Metadata = 'complete' | 'without end' | 'unavailable'

const clientId = 'beacon-under-test'

/**
 * Starts an identity provider that issues the id tokens that a test wants, and a folder with the sample programs in which
 * it is Beacon's provider.
 */
export async function startIdentityProvider() {
  const keys = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'ours', alg: 'ES256', use: 'sig' }
  /** The token endpoint's id tokens, by code. */
  const idTokens = new Map<string, string>()
  let metadata: Metadata = 'complete'
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    const send = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (path === '/.well-known/openid-configuration' && metadata === 'unavailable') return response.writeHead(503).end()
    if (path === '/.well-known/openid-configuration')
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        ...(metadata === 'complete' && { end_session_endpoint: `${issuer}/end` }),
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      })
    if (path === '/keys') return send({ keys: [jwk] })
    if (path === '/userinfo') {
      // Not signed: the claims of the id token count.
      const idToken = idTokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '') ?? ''
      return send({ sub: decodeJwt(idToken).sub, given_name: 'Userinfo', email: 'userinfo@beacon.example' })
    }
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const code = new URLSearchParams(text).get('code') ?? ''
      const idToken = idTokens.get(code)
      if (!idToken) return response.writeHead(400).end('{"error":"invalid_grant"}')
      send({ access_token: code, token_type: 'Bearer', expires_in: 60, id_token: idToken })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://localhost:${(server.address() as { port: number }).port}`
  const programs = mkdtempSync(join(tmpdir(), 'dineback-programs-'))
  cpSync('programs', programs, { recursive: true })
  const file = join(programs, 'beacon', 'program.json')
  const program = JSON.parse(readFileSync(file, 'utf8'))
  program.sso = { issuer, clientId, clientSecret: 'x'.repeat(40) }
  writeFileSync(file, JSON.stringify(program))

  /** Starts at the provider, as the browser would. */
  async function startSignIn(visitor: Visitor, path = '/Login'): Promise<StartedSignIn & { url: URL }> {
    const response = await visitor.get(path)
    const url = new URL(String(response.headers.location))
    const [state = '', nonce = ''] = [url.searchParams.get('state') ?? '', url.searchParams.get('nonce') ?? '']
    return { state, nonce, url }
  }
  const claimsFor = ({ nonce }: StartedSignIn, over: JWTPayload = {}): JWTPayload => ({
    iss: issuer,
    aud: clientId,
    sub: 'customer-1',
    nonce,
    email: 'ada@beacon.example',
    email_verified: true,
    given_name: 'Ada',
    family_name: 'Lovelace',
    sid: 'provider-session',
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 300,
    ...over,
  })
  const signed = (claims: JWTPayload, key = keys) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'ours' }).sign(key.privateKey)
  /** Returns a code that the token endpoint exchanges for this token. */
  function codeFor(idToken: string): string {
    const code = randomUUID()
    idTokens.set(code, idToken)
    return code
  }
  const finish = (visitor: Visitor, query: Record<string, string>) =>
    visitor.get(`/Login/Callback?${new URLSearchParams({ iss: issuer, ...query })}`)

  return {
    issuer,
    clientId,
    keys,
    programs,
    startSignIn,
    claimsFor,
    signed,
    codeFor,
    finish,
    /** Signs a customer in; `over` replaces claims of the id token. */
    async signIn(visitor: Visitor, over: JWTPayload = {}, path = '/Login') {
      const started = await startSignIn(visitor, path)
      return finish(visitor, { state: started.state, code: codeFor(await signed(claimsFor(started, over))) })
    },
    describe(value: Metadata) {
      metadata = value
    },
    close() {
      server.close()
      rmSync(programs, { recursive: true, force: true })
    },
  }
}
