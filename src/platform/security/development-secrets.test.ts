import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { secretNames } from '../config/settings.ts'
import { developmentSecrets } from './development-secrets.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dineback-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the secrets of a data folder are created once, differ from each other, and are readable by their owner only', () => {
  const folder = join(createFolder(), 'data')
  const secrets = developmentSecrets(folder)
  expect(Object.keys(secrets).sort()).toEqual([...secretNames].sort())
  expect(new Set(Object.values(secrets)).size).toBe(secretNames.length)
  expect(developmentSecrets(folder)).toEqual(secrets)
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(developmentSecrets(createFolder())).not.toEqual(secrets)
})

test('a missing secret is added, and those that are there stay; an unreadable file is replaced', () => {
  const folder = createFolder()
  const file = join(folder, 'secrets.json')
  const { ID_SECRET: _, ...others } = developmentSecrets(folder)
  writeFileSync(file, JSON.stringify(others))
  const completed = developmentSecrets(folder)
  expect(completed).toMatchObject(others)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(completed)
  writeFileSync(file, '{')
  expect(Object.values(developmentSecrets(folder)).every((secret) => secret.startsWith('ZGV2'))).toBe(true)
})
