import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core'

const stored = localStorageColorSchemeManager()

/** Pages that the server renders, such as sign-in, have the scheme from a cookie. */
function tellServer(scheme: MantineColorScheme): void {
  const age = scheme === 'auto' ? 0 : 365 * 24 * 3600
  // biome-ignore lint/suspicious/noDocumentCookie: the other way does not exist in every browser
  document.cookie = `console-scheme=${scheme}; path=/; max-age=${age}; samesite=lax`
}

/** Keeps the chosen color scheme in this browser. */
export const colorSchemeManager: typeof stored = {
  ...stored,
  get(defaultValue) {
    const scheme = stored.get(defaultValue)
    tellServer(scheme)
    return scheme
  },
  set(scheme) {
    stored.set(scheme)
    tellServer(scheme)
  },
}
