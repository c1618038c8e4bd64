import { createHash } from 'node:crypto'
import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Returns a path of the folder that Vite and Vitest can use: its own, or that of a link among the temporary files. In
 * places both mix up paths and URLs, where `#` ends a path and a space or ü has another form.
 */
export function plainPath(folder: string): string {
  if (!/[^\w./\\:@+,~=-]/.test(folder)) return folder
  const link = join(tmpdir(), `dineback-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
  if (pointsTo(link, folder)) return link
  rmSync(link, { force: true })
  try {
    symlinkSync(folder, link, 'junction')
  } catch (error) {
    // Another process has made it meanwhile.
    if (!pointsTo(link, folder)) throw error
  }
  return link
}

/** Settings of Vite for a project in this folder, whatever its name. */
export function rootSettings(folder: string): { root: string; resolve: { preserveSymlinks: boolean } } {
  const root = plainPath(folder)
  // Otherwise files are named by the folder behind the link again.
  return { root, resolve: { preserveSymlinks: root !== folder } }
}

function pointsTo(link: string, folder: string): boolean {
  try {
    return lstatSync(link).isSymbolicLink() && readlinkSync(link) === folder
  } catch {
    return false
  }
}
