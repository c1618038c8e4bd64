import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browsers besides Chromium, the programs that each needs, and the Debian packages with them. */
const browsers = {
  firefox: { name: 'Firefox', programs: [['firefox-esr', 'firefox']], packages: 'firefox-esr' },
  webkit: { name: 'WebKitGTK', programs: [['WebKitWebDriver'], ['Xvfb']], packages: 'webkit2gtk-driver and xvfb' },
} as const

export type BrowserName = keyof typeof browsers

/** Returns the paths of the programs that a browser needs. Throws when one is not installed. */
export function requirePrograms(browser: BrowserName): string[] {
  const { name, programs, packages } = browsers[browser]
  return programs.map((names) => {
    const path = findProgram(...names)
    if (!path) throw new Error(`${name} is not installed, install ${packages}`)
    return path
  })
}

/** Returns for each browser why it cannot be tested on this machine, or null. */
export function listBrowsers(): { browser: BrowserName; missing: string | null }[] {
  return (Object.keys(browsers) as BrowserName[]).map((browser) => {
    try {
      requirePrograms(browser)
      return { browser, missing: null }
    } catch (error) {
      return { browser, missing: (error as Error).message }
    }
  })
}
