import { withReturn } from '../../identity/session/sso/return-path.ts'

/**
 * Returns the path on which members give a new email address before they use an account page, from there on. The
 * overview is where they continue anyway.
 */
export function fixCredentialsPath(accountPage: string): string {
  return withReturn('/fix_credentials', accountPage === '/account/overview' ? '' : accountPage)
}
