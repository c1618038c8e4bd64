import * as oidc from 'openid-client'
import { ApiError } from '../../../platform/errors.ts'
import type { ProgramConfig } from '../../../programs/partners/contract.ts'
import { clientIdOf } from '../../../programs/partners/rules.ts'

export interface SsoClient {
  configuration: oidc.Configuration
  redirectUri: string
}

export interface SsoClients {
  /** Returns the client of a program. Throws `ssoFailed` when its provider is unreachable. */
  of(config: ProgramConfig): Promise<SsoClient>
}

export interface SsoOptions {
  publicOrigin: (partnerId: string) => string
  /** The issuer that `sample` refers to. */
  sampleIssuer: string
  fetch: typeof fetch
}

export const callbackPath = '/Login/Callback'

/** Relying parties, one per program with sso; provider metadata is fetched once and cached. */
export function createSsoClients(options: SsoOptions): SsoClients {
  const known = new Map<string, Promise<oidc.Configuration>>()
  return {
    async of(config) {
      const { sso, code } = config
      if (!sso) throw new ApiError('notOffered')
      const discovery = known.get(code) ?? discover({ ...sso, clientId: clientIdOf(config) }, options)
      known.set(code, discovery)
      try {
        return { configuration: await discovery, redirectUri: options.publicOrigin(code) + callbackPath }
      } catch {
        // Not cached, so that the next sign-in retries a provider that was down.
        known.delete(code)
        throw new ApiError('ssoFailed')
      }
    },
  }
}

type Sso = NonNullable<ProgramConfig['sso']> & { clientId: string }

function discover(sso: Sso, options: SsoOptions): Promise<oidc.Configuration> {
  const issuer = new URL(sso.issuer === 'sample' ? options.sampleIssuer : sso.issuer)
  const local = issuer.hostname === 'localhost' || issuer.hostname.endsWith('.localhost')
  const authentication = sso.clientSecret ? oidc.ClientSecretBasic(sso.clientSecret) : oidc.None()
  return oidc.discovery(issuer, sso.clientId, undefined, authentication, {
    [oidc.customFetch]: options.fetch as oidc.CustomFetch,
    // The signature of tokens is checked in addition to TLS. Plain http is allowed only for localhost.
    execute: [oidc.enableNonRepudiationChecks, ...(local ? [oidc.allowInsecureRequests] : [])],
  })
}
