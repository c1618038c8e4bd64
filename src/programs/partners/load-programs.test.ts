import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadPrograms } from './load-programs.ts'
import { clientIdOf, isSample } from './rules.ts'

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

test('GEN-003 PART-018 a new folder adds a sixth program', () => {
  cpSync(join(folder, 'lantern'), join(folder, 'sixth'), { recursive: true })
  edit('sixth', 'program.json', (json) => Object.assign(json, { code: 'sixth', name: 'The Sixth' }))
  const programs = loadPrograms(folder)
  expect(programs.size).toBe(6)
  expect(programs.get('sixth')?.config.name).toBe('The Sixth')
})

test('a value of the wrong type prevents the start, and the error names file and field', () => {
  edit('skyharbor', 'program.json', (json) => Object.assign(json, { enrollmentType: 'maybe' }))
  expect(() => loadPrograms(folder)).toThrow(/skyharbor\/program\.json: enrollmentType/)
})

test('a text that PostgreSQL cannot store prevents the start, in every file, and the error names file and field', () => {
  edit('skyharbor', 'program.json', (json) => Object.assign(json, { routeMeta: { '/': { title: 'a\0b' } } }))
  expect(() => loadPrograms(folder)).toThrow(
    /skyharbor\/program\.json: routeMeta\.\/\.title has a character that cannot be stored$/,
  )
  cpSync('programs/skyharbor/program.json', join(folder, 'skyharbor', 'program.json'))
  const forms = join(folder, 'skyharbor', 'forms.json')
  writeFileSync(forms, readFileSync(forms, 'utf8').replace('Two questions', 'Two \\ud800 questions'))
  expect(() => loadPrograms(folder)).toThrow(/skyharbor\/forms\.json: 0\.intro has a character that cannot be stored$/)
})

test('a misspelled setting is rejected, not ignored', () => {
  edit('skyharbor', 'program.json', (json) => Object.assign(json, { hasVip: true }))
  expect(() => loadPrograms(folder)).toThrow(/hasVip/)
})

test('a theme with insufficient contrast is rejected', () => {
  edit('beacon', 'theme.json', (json) => {
    const colors = json.colors as { light: Record<string, string> }
    colors.light.text = colors.light.ground as string
  })
  expect(() => loadPrograms(folder)).toThrow(/4\.5/)
})

test('Case 22 an SVG with scripts or external references is rejected', () => {
  for (const bad of [
    '<svg><script>1</script></svg>',
    '<svg onload="x"/>',
    '<svg><image href="https://evil.example/x"/></svg>',
  ]) {
    writeFileSync(join(folder, 'orchard', 'logo.svg'), bad)
    expect(() => loadPrograms(folder)).toThrow(/logo\.svg/)
  }
})

test('an SVG with styles, as drawing programs export it, is converted to presentation attributes', () => {
  const exported = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Generator: a drawing program -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" aria-label='{programName}'>
  <defs><style type="text/css"><![CDATA[ .a, .b { fill: #ff0000; } .b{stroke:#00f;stroke-width:2px} path { fill: #000 } ]]></style></defs>
  <path class="a" d="M0 0h9"/><path class="a b" fill="none" d="M0 3h9" style="opacity:.5"/><path d="M0 6h9"/>
</svg>`
  writeFileSync(join(folder, 'orchard', 'logo.svg'), exported)
  const logo = loadPrograms(folder).get('orchard')?.logo ?? ''
  expect(logo).not.toMatch(/style|class/)
  expect([...logo.matchAll(/<path[^>]*>/g)].map(([path]) => path)).toEqual([
    '<path d="M0 0h9" fill="#ff0000"/>',
    '<path fill="#ff0000" d="M0 3h9" stroke="#00f" stroke-width="2px" opacity=".5"/>',
    '<path d="M0 6h9" fill="#000"/>',
  ])
  expect(logo).toContain('aria-label="Orchard Stay Points Dining"')
  for (const [css, why] of [
    ['@import url(//evil.example);', '@-rule'],
    ['g > path{fill:red}', 'selector "g > path"'],
    ['.a{fill:url(https://evil.example/x)}', 'outside references'],
  ]) {
    writeFileSync(join(folder, 'orchard', 'logo.svg'), `<svg><style>${css}</style><path/></svg>`)
    expect(() => loadPrograms(folder)).toThrow(`${join(folder, 'orchard', 'logo.svg')}: `)
    expect(() => loadPrograms(folder)).toThrow(why)
  }
})

test('the name of a program in its logo is text, with any characters', () => {
  edit('orchard', 'program.json', (json) => Object.assign(json, { programName: 'Salt & "Pepper" <1>' }))
  const logo = '<svg viewBox="0 0 9 9" aria-label="{programName}"><path d="M0 0h9"/></svg>'
  writeFileSync(join(folder, 'orchard', 'logo.svg'), logo)
  expect(loadPrograms(folder).get('orchard')?.logo).toContain('aria-label="Salt &amp; &quot;Pepper&quot; &lt;1&gt;"')
})

test('a logo is a file of its own unless it refers to parts of itself or has no view box', () => {
  const shown = (root: string, inner: string) => {
    writeFileSync(join(folder, 'orchard', 'logo.svg'), `<svg${root}>${inner}</svg>`)
    return loadPrograms(folder).get('orchard')?.shownLogo
  }
  const path = '<path id="a" d="M0 0h9"/>'
  const box = ' viewBox="0 0 90 30"'
  expect(shown(box, path)).toEqual({
    kind: 'file',
    href: expect.stringMatching(/^\/logo\.svg\?v=[\w-]{10}$/),
    viewBox: '0 0 90 30',
  })
  expect([
    shown(box, `${path}<use href="#a"/>`)?.kind,
    shown(box, '<path fill="url(#b)" d="M0 0h9"/>')?.kind,
    shown('', path)?.kind,
  ]).toEqual(['inline', 'inline', 'inline'])
})

test('all errors of all files are in one list that names folder, file and field', () => {
  edit('skyharbor', 'program.json', (json) =>
    Object.assign(json, {
      earnRates: { OptedOut: -1, NonActivated: 100, OptedIn: 1.5, VIP: 'five' },
      homePage: 'Home',
      name: '',
      maximumCards: 90,
      cardTypesAccepted: [],
      hasVip: true,
      programName: undefined,
      extraPaths: ['terms'],
      sso: { issuer: 'sample', clientID: 'x' },
    }),
  )
  edit('skyharbor', 'theme.json', (json) => Object.assign(json, { colors: {} }))
  rmSync(join(folder, 'orchard', 'mark.svg'))
  writeFileSync(join(folder, 'beacon', 'copy.json'), '{')
  let message = ''
  try {
    loadPrograms(folder)
  } catch (error) {
    message = (error as Error).message
  }
  const file = join(folder, 'skyharbor', 'program.json')
  for (const part of [
    'earnRates.OptedOut must be at least 0',
    'earnRates.OptedIn must be a whole number',
    'earnRates.VIP must be a number',
    'homePage must be one of "Discover", "HowItWorks"',
    'name must have at least 1 characters',
    'maximumCards must be at most 50',
    'cardTypesAccepted must have at least 1 items',
    'hasVip is not a known field',
    'sso.clientID is not a known field',
    'programName is required',
    'extraPaths.0 must be a path like /search',
  ])
    expect(message.split('\n').find((line) => line.startsWith(`${file}: `))).toContain(part)
  expect(message).toContain(join(folder, 'skyharbor', 'theme.json'))
  expect(message).toContain(`${join(folder, 'orchard', 'mark.svg')}: is missing`)
  expect(message).toContain(`${join(folder, 'beacon', 'copy.json')}: `)
})

test('two programs that share a unique value are rejected, and a copy of a sample is not a sample', () => {
  cpSync(join(folder, 'beacon'), join(folder, 'acme'), { recursive: true })
  const share = (over: object) =>
    edit('acme', 'program.json', (json) => Object.assign(json, { code: 'acme', formServiceCode: undefined }, over))
  share({})
  const { config } = loadPrograms(folder).get('acme') ?? {}
  expect(config && [config.formServiceCode, clientIdOf(config), isSample(config)]).toEqual(['acme', 'acme', false])
  share({ formServiceCode: 'beacon' })
  expect(() => loadPrograms(folder)).toThrow(/program\.json: formServiceCode "beacon" is also that of .*: leave it out/)
  share({ sso: { issuer: 'sample', clientId: 'beacon' } })
  expect(() => loadPrograms(folder)).toThrow(/program\.json: sso\.clientId "beacon" is also that of/)
  share({ code: 'console' })
  expect(() => loadPrograms(folder)).toThrow(/acme\/program\.json: code is the name of a host/)
})

test('the name of a folder and the code inside it must be the same', () => {
  edit('orchard', 'program.json', (json) => Object.assign(json, { code: 'other' }))
  expect(() => loadPrograms(folder)).toThrow(/"other"/)
})

test('CMS-013 every image that content refers to exists, and an SVG with active content is rejected', () => {
  for (const [code, { content, images }] of loadPrograms('programs')) {
    const named = [...JSON.stringify(content).matchAll(/"\/images\/([^"]+)"/g)].map(([, name]) => name as string)
    expect([code, named.filter((name) => !images.has(name))]).toEqual([code, []])
    expect(images.size).toBeGreaterThan(0)
  }
})
