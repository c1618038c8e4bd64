import { createECDH, createHash, createPrivateKey, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Configuration, JWK, Provider } from 'oidc-provider'
import { deriveKey, keyId } from '../src/platform/config/settings.ts'
import { guardCaching, reportCaching } from '../src/platform/http/caching.ts'
import { createNonce, csp, NONE, nonceSource } from '../src/platform/http/csp.ts'
import { outboundFetch } from '../src/platform/http/outbound-fetch.ts'
import { isOwnForm } from '../src/platform/http/own-form.ts'
import { isOwnTarget } from '../src/platform/http/request-boundary.ts'
import { closedRobots } from '../src/platform/http/robots.ts'
import { fileAdapter } from './file-adapter.ts'
import { noticePage, signInPage, waysBack } from './sign-in-page.ts'
import type { SampleUser } from './users.ts'

export interface IdClient {
  clientId: string
  clientSecret?: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  /** URL that is called when a user signs out here. */
  backChannelLogoutUri: string
  name: string
}

export interface IdOptions {
  publicOrigin: string
  secret: string
  clients: readonly IdClient[]
  users: readonly SampleUser[]
  stateDir: string
}

export interface IdProvider {
  handle(request: IncomingMessage, response: ServerResponse): void
}

/** A sample OpenID Connect provider with a few customers. It takes the place of the partner's own provider. */
export function createIdProvider(options: IdOptions): IdProvider {
  let created: ReturnType<typeof createProvider> | undefined
  // Created with the first sign-in: loading the library takes a fifth of a start.
  function open(): ReturnType<typeof createProvider> {
    created ??= createProvider(options)
    return created
  }
  return {
    handle(request, response) {
      const target = request.url ?? ''
      const isRobots = /^\/robots\.txt(\?|$)/.test(target)
      // No other response is for a cache: the library sets cookies, and leaves the header out of several.
      const facts = { sharing: isRobots ? 'always' : undefined, recipient: 'anyone' } as const
      guardCaching(
        response,
        () => facts,
        (found) => reportCaching({ target, ...found }),
      )
      // Responses of the library have this header too.
      response.setHeader('x-content-type-options', 'nosniff')
      if (!isOwnTarget(target))
        return send(response, 400, (nonce) =>
          noticePage('That did not work', 'This address is not one of ours.', nonce),
        )
      const path = new URL(options.publicOrigin + target).pathname
      if (isRobots) {
        response.setHeader('content-type', 'text/plain; charset=utf-8')
        response.setHeader('cache-control', 'public, max-age=3600')
        return void response.end(closedRobots)
      }
      const interaction = /^\/interaction\/([\w-]+)(\/login|\/abort)?$/.exec(path)
      const step = interaction?.[2] ?? ''
      open()
        .then(({ provider, handle }) =>
          interaction ? interact(provider, options, { request, response, step }) : handle(request, response),
        )
        .catch((error) => {
          send(response, 400, (nonce) =>
            noticePage('Please begin again', 'This sign-in has expired.', nonce, waysBack(options.clients)),
          )
          if (error?.name !== 'SessionNotFound') process.emitWarning(error)
        })
    },
  }
}

async function createProvider(options: IdOptions) {
  const { Provider: Library } = await import('oidc-provider')
  const provider = new Library(options.publicOrigin, configurationOf(options))
  // Behind a proxy that terminates TLS the public origin uses https.
  provider.proxy = options.publicOrigin.startsWith('https:')
  return { provider, handle: provider.callback() }
}

function configurationOf(options: IdOptions): Configuration {
  const { clients, users, secret, stateDir } = options
  return {
    adapter: fileAdapter(join(stateDir, 'state.json')),
    clients: clients.map((client) => ({
      client_id: client.clientId,
      client_name: client.name,
      ...(client.clientSecret && { client_secret: client.clientSecret }),
      token_endpoint_auth_method: client.clientSecret ? 'client_secret_basic' : 'none',
      redirect_uris: client.redirectUris,
      post_logout_redirect_uris: client.postLogoutRedirectUris,
      backchannel_logout_uri: client.backChannelLogoutUri,
      backchannel_logout_session_required: true,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    })),
    jwks: { keys: [signingKey(secret)] },
    cookies: { keys: [deriveKey(secret, 'id-cookies').toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    scopes: ['openid', 'email', 'profile'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          const nonce = nonceFor(ctx.res)
          const buttons = `${form}<button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out here too</button>
<button type="submit" form="op.logoutForm" class="quiet">Stay signed in here</button>`
          ctx.body = noticePage(
            'You are signed out of the program',
            'Do you want to leave your bank as well?',
            nonce,
            buttons,
          )
        },
        postLogoutSuccessSource: async (ctx) => {
          ctx.body = noticePage('Signed out', 'You can close this page.', nonceFor(ctx.res))
        },
      },
    },
    renderError: async (ctx, out) => {
      ctx.type = 'html'
      ctx.body = noticePage(
        'That did not work',
        out.error_description ?? out.error,
        nonceFor(ctx.res),
        waysBack(clients),
      )
    },
    // The program and its bank belong together, so consent is implied.
    loadExistingGrant: async (ctx) => {
      const known = ctx.oidc.session?.grantIdFor(ctx.oidc.client?.clientId as string)
      const existing = known === undefined ? undefined : await ctx.oidc.provider.Grant.find(known)
      if (existing) return existing
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId as string,
        accountId: ctx.oidc.session?.accountId as string,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    findAccount: async (_ctx, subject) => {
      const user = users.find((candidate) => candidate.subject === subject)
      return (
        user && {
          accountId: subject,
          claims: async () => ({
            sub: subject,
            email: user.email,
            email_verified: user.emailVerified,
            given_name: user.firstName,
            family_name: user.lastName,
          }),
        }
      )
    },
    // Back-channel logout calls go to host names that only browsers resolve.
    fetch: outboundFetch,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 900,
      Session: 1_209_600,
      Grant: 1_209_600,
    },
  }
}

// Derived, so that the key is the same after a restart.
function signingKey(secret: string): JWK {
  const scalar = deriveKey(secret, 'id-signing')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const jwk = {
    kty: 'EC' as const,
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: scalar.toString('base64url'),
    use: 'sig',
    alg: 'ES256',
    kid: keyId(point),
  }
  createPrivateKey({ key: jwk, format: 'jwk' })
  return jwk as JWK
}

interface Step {
  request: IncomingMessage
  response: ServerResponse
  step: string
}

async function interact(provider: Provider, options: IdOptions, { request, response, step }: Step): Promise<void> {
  const details = await provider.interactionDetails(request, response)
  const client = options.clients.find(({ clientId }) => clientId === details.params.client_id)
  const show = (error: string | null, userName: string, status = 200) =>
    send(response, status, (nonce) =>
      signInPage({ uid: details.uid, clientName: client?.name ?? '', userName, error, users: options.users, nonce }),
    )
  if (step === '/abort') {
    const result = { error: 'access_denied', error_description: 'The sign-in was given up.' }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  if (step !== '/login' || request.method !== 'POST') return show(null, '')
  if (!isOwnForm(request))
    return send(response, 403, (nonce) => noticePage('That did not work', 'This form is not from this page.', nonce))
  const form = await readForm(request)
  const userName = form.get('userName')?.trim().toLowerCase() ?? ''
  const user = options.users.find((candidate) => candidate.userName === userName)
  if (!user || !same(user.password, form.get('password') ?? ''))
    return show('Wrong user name or password.', userName, 401)
  return provider.interactionFinished(request, response, { login: { accountId: user.subject } })
}

function same(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > 4096) throw new Error('form too large')
  }
  return new URLSearchParams(text)
}

function nonceFor(response: ServerResponse): string {
  const nonce = createNonce()
  // The form redirects to the program's own origin, so `form-action` is not set; scripts and other resources are
  // blocked.
  response.setHeader(
    'content-security-policy',
    csp({ 'default-src': NONE, 'style-src': nonceSource(nonce), 'base-uri': NONE, 'frame-ancestors': NONE }),
  )
  return nonce
}

function send(response: ServerResponse, status: number, page: (nonce: string) => string): void {
  if (response.headersSent) return
  const nonce = nonceFor(response)
  response.statusCode = status
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(page(nonce))
}
