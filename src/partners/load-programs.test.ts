import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadPrograms } from './load-programs.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'))
  cpSync('programs', folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

function edit(code: string, file: string, change: (json: Record<string, unknown>) => void): void {
  const path = join(folder, code, file)
  const json = JSON.parse(readFileSync(path, 'utf8'))
  change(json)
  writeFileSync(path, JSON.stringify(json))
}

test('GEN-003 PART-018 adding a sixth program is adding a folder', () => {
  cpSync(join(folder, 'lantern'), join(folder, 'sixth'), { recursive: true })
  edit('sixth', 'program.json', (json) => Object.assign(json, { code: 'sixth', name: 'The Sixth' }))
  const programs = loadPrograms(folder)
  expect(programs.size).toBe(6)
  expect(programs.get('sixth')?.config.name).toBe('The Sixth')
})

test('a value of the wrong type stops the start and names file and field', () => {
  edit('skyharbor', 'program.json', (json) => Object.assign(json, { enrollmentType: 'maybe' }))
  expect(() => loadPrograms(folder)).toThrow(/skyharbor\/program\.json: enrollmentType/)
})

test('a misspelt switch is refused rather than ignored', () => {
  edit('skyharbor', 'program.json', (json) => Object.assign(json, { hasVip: true }))
  expect(() => loadPrograms(folder)).toThrow(/hasVip/)
})

test('a theme that cannot be read is refused', () => {
  edit('beacon', 'theme.json', (json) => {
    const colors = json.colors as { light: Record<string, string> }
    colors.light.text = colors.light.ground as string
  })
  expect(() => loadPrograms(folder)).toThrow(/4\.5/)
})

test('Case 22 a drawing that could run or reach out is refused', () => {
  for (const bad of [
    '<svg><script>1</script></svg>',
    '<svg onload="x"/>',
    '<svg><image href="https://evil.example/x"/></svg>',
  ]) {
    writeFileSync(join(folder, 'orchard', 'logo.svg'), bad)
    expect(() => loadPrograms(folder)).toThrow(/logo\.svg/)
  }
})

test('a folder and the code inside it must agree', () => {
  edit('orchard', 'program.json', (json) => Object.assign(json, { code: 'other' }))
  expect(() => loadPrograms(folder)).toThrow(/"other"/)
})

test('CMS-013 every picture that content names is there, and an SVG that could act is refused', () => {
  for (const [code, { content, images }] of loadPrograms('programs')) {
    const named = [...JSON.stringify(content).matchAll(/"\/images\/([^"]+)"/g)].map(([, name]) => name as string)
    expect([code, named.filter((name) => !images.has(name))]).toEqual([code, []])
    expect(images.size).toBeGreaterThan(0)
  }
})
