/** Returns an email address of which only the first letter and the domain are shown: `a…@example.com`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '…' : `${address.charAt(0)}…${address.slice(at)}`
}

/** Returns a text, such as the words of a mail server, in which every email address is masked. */
export const withoutAddresses = (text: string): string =>
  text.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, maskedAddress)
