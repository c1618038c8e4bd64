/**
 * Returns the email address in the form of this page, for the next page: of the router's state, so that it is in no
 * address. Read when a link is followed.
 */
export function typedEmail(): { email: string } | null {
  const field = document.querySelector<HTMLInputElement>('main input:is([autocomplete=email], [autocomplete=username])')
  const email = field?.value.trim() ?? ''
  return email.includes('@') ? { email } : null
}
