/** Page for the passkey check after the password. */
export const passkeyCheckPath = '/passkey'
