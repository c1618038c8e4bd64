import * as oidc from 'openid-client'
import { Refusal } from '../../kit/refusal.ts'
import type { ProgramConfig } from '../../partners/contract.ts'
import { clientIdOf } from '../../partners/rules.ts'

export interface SsoClient {
  configuration: oidc.Configuration
  redirectUri: string
}

export interface SsoClients {
  /** The client of a program. Refusal `ssoFailed` when its provider cannot be reached. */
  of(config: ProgramConfig): Promise<SsoClient>
}

export interface SsoOptions {
  publicOrigin: (partnerId: string) => string
  /** The issuer that `sample` stands for. */
  sampleIssuer: string
  fetch: typeof fetch
}

export const callbackPath = '/Login/Callback'

/** Relying parties, one for each program with sso; what a provider says of itself is asked once and kept. */
export function createSsoClients(options: SsoOptions): SsoClients {
  const known = new Map<string, Promise<oidc.Configuration>>()
  return {
    async of(config) {
      const { sso, code } = config
      if (!sso) throw new Refusal('notOffered')
      const asked = known.get(code) ?? discover({ ...sso, clientId: clientIdOf(config) }, options)
      known.set(code, asked)
      try {
        return { configuration: await asked, redirectUri: options.publicOrigin(code) + callbackPath }
      } catch {
        // Asked again at the next sign-in: a provider that was down comes back.
        known.delete(code)
        throw new Refusal('ssoFailed')
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
    // The signature of what comes back is checked too, not only where it came from. Plain http only where the name
    // cannot leave this machine.
    execute: [oidc.enableNonRepudiationChecks, ...(local ? [oidc.allowInsecureRequests] : [])],
  })
}
