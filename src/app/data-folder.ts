import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MINUTE, SECOND } from '../platform/time.ts'

/** DATA_DIR cannot be used; the message says why and what to do. */
export class DataFolderError extends Error {}

const megabyte = 1_000_000
/** A new database with the samples takes 140 MB. */
const newDatabaseBytes = 250 * megabyte
/** PostgreSQL writes its log in pieces of 16 MB, and stops when there is no space for one. */
const lowBytes = 48 * megabyte

/**
 * Makes the folder of local data. Throws DataFolderError when it cannot be written, or when its disk has too little space
 * for the embedded PostgreSQL; `embedded` is whether the installation has one. `free` returns the free bytes of a folder.
 */
export function checkDataFolder(dataDir: string, { embedded }: { embedded: boolean }, free = freeBytes): void {
  const folder = resolve(dataDir)
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    mkdirSync(folder, { recursive: true })
    const file = openSync(probe, 'w')
    try {
      writeSync(file, Buffer.alloc(4096))
      fsyncSync(file)
    } finally {
      closeSync(file)
      rmSync(probe, { force: true })
    }
  } catch (error) {
    throw new DataFolderError(explain(folder, error as NodeJS.ErrnoException))
  }
  if (!embedded) return
  const needed = existsSync(join(folder, 'postgres')) ? lowBytes : newDatabaseBytes
  const bytes = free(folder)
  if (bytes >= needed) return
  const [has, needs] = [bytes, needed].map((bytes) => Math.floor(bytes / megabyte))
  throw new DataFolderError(
    `Cannot start: the disk of DATA_DIR (${folder}) has ${has} MB free; PostgreSQL needs ${needs}. Free some space, or name a folder on another disk in DATA_DIR.`,
  )
}

function explain(folder: string, { code = '', message }: NodeJS.ErrnoException): string {
  const start = `Cannot start: DATA_DIR (${folder})`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `${start} is on a full disk. Free some space, or name a folder on another disk.`
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${start} cannot be written (${code}). Work as the user who owns it, or name another folder.`
  if (code === 'EEXIST' || code === 'ENOTDIR') return `${start} is not a folder. Name another one.`
  return `${start} cannot be used: ${message}.`
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Reports once a minute that the disk of the data folder is nearly full, and once that it has space again: until then
 * writes fail or wait. Returns a function that ends it. `free` returns the free bytes of a folder.
 */
export function watchDisk(dataDir: string, log: (line: string) => void, free = freeBytes): () => void {
  const folder = resolve(dataDir)
  let reportedAt: number | null = null
  const check = () => {
    const bytes = readFree(folder, free)
    if (bytes === null) return
    const isLow = bytes < lowBytes
    if (!isLow && reportedAt !== null) log(`disk: ${folder} has space again`)
    if (!isLow) reportedAt = null
    else if (reportedAt === null || Date.now() - reportedAt >= MINUTE) {
      reportedAt = Date.now()
      log(`disk: ${folder} has only ${Math.floor(bytes / megabyte)} MB free; writing fails until there is more`)
    }
  }
  const timer = setInterval(check, 5 * SECOND)
  timer.unref()
  return () => clearInterval(timer)
}

function readFree(folder: string, free: (folder: string) => number): number | null {
  try {
    return free(folder)
  } catch {
    // The folder was removed, or its disk has gone: PostgreSQL reports that itself.
    return null
  }
}
