import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  alreadyRunningMessage,
  claimInstallation,
  readInstallation,
  removeInstallation,
  writeInstallation,
} from './installation.ts'

test('with an external PostgreSQL nothing is claimed or recorded', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'installation-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  expect(claimInstallation({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://db.example/dineback' })).toBeNull()
  expect(readInstallation(dataDir)).toBeNull()
})

test('a start replaces what the process before it has recorded, and has no address until it serves', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'installation-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  expect(readInstallation(dataDir)).toBeNull()
  // A crash leaves the record of a process that no longer runs.
  writeFileSync(join(dataDir, 'app.pid'), '999999\nhttp://localhost:3000\n')
  expect(claimInstallation({ DATA_DIR: dataDir })).toBeNull()
  expect(readInstallation(dataDir)).toEqual({ pid: process.pid, address: null })
  writeInstallation(dataDir, 'http://localhost:4000')
  expect(readInstallation(dataDir)).toEqual({ pid: process.pid, address: 'http://localhost:4000' })
  removeInstallation(dataDir)
  expect(readInstallation(dataDir)).toBeNull()
})

test('a second start says which process runs where, as far as it is known', () => {
  expect(alreadyRunningMessage({ pid: 12, address: 'http://localhost:3000' })).toContain(
    'already running in this folder (process 12): http://localhost:3000\n',
  )
  expect(alreadyRunningMessage({ pid: 12, address: null })).toContain('(process 12) and is starting.\n')
  expect(alreadyRunningMessage({ pid: 0, address: null })).toContain('in this folder and is starting.\n')
})
