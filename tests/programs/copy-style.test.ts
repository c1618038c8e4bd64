import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messages as formMessages } from '../../forms/messages.ts'
import * as studioMessages from '../../src/console/studio/messages.ts'
import { defaultMessages } from '../../src/default-messages.ts'
import { messages as vaultMessages } from '../../vault/messages.ts'

/** Terms that no screen, email, error or notification uses, with their replacements. */
const forbidden: [RegExp, string][] = [
  [/\be-mail/i, 'email'],
  [/\bcancell(ed|ing)\b/i, 'canceled, canceling'],
  [
    /\b(colour|favour|honour|neighbour|centre|theatre|licence|programme|travell|organis|recognis|authoris|apologis)/i,
    '',
  ],
  [/\bUrls?\b/, 'URL, or address'],
  [/\bGreenwich\b/, 'UTC'],
  [/\b(somebody|anybody)\b/i, 'someone, anyone'],
  [/\bwhoever\b/i, 'name the person'],
  [/\b(anew|any more)\b/i, 'again, no longer'],
  [/\buntick/i, 'uncheck'],
  [/\bat once\b/i, 'right away'],
  [/\b(was|were|be) set anew\b/i, 'was changed'],
  [/\bgets? back in\b/i, 'reset your password'],
  [/\blook into (your|the) mail\b/i, 'check your email'],
  [/\b(this|our|your|the) mail\b/i, 'email'],
  [/\b(password|address) (again|is new)\b/i, 'confirm password, password changed'],
  [/\bis it you\b|\b(it was|was it) not you\b/i, 'Confirm it’s you, Wasn’t you?'],
  [/\b(come|comes|follow|follows|go|goes|arrive|show) (here )?by (itself|themselves)\b/i, 'automatically'],
  [/\bsay nothing\b|\bfind (their|its) (own )?way to you\b/i, 'automatically'],
  [/\bbefore you say so\b/i, 'until you confirm'],
  [/\b(given|gives|give) (out|back)\b/i, 'released, not open yet'],
  [/\b(most|all) there can be\b|\bthere can be\b|\ball places taken\b/i, 'limit reached'],
  [/\bso many people\b/i, 'that many people'],
  [/\bbelong together\b/i, 'match'],
  [/\b(rests|rest) (on|for)\b/i, 'closed on, locked for'],
  [/\bis no (photo|code|number|address)\b/i, 'is not'],
  [/\b(a|per) (visit|month) counts?\b|\bvisits a month\b/i, 'Earn on up to … per visit'],
  [/\bgo to your statement\b|\bat the table to\b/i, 'goes to your statement, Spend … more'],
  [/\b(hear|tell|told) of\b/i, 'hear about, tell about'],
  [/\b(takes?|taking|took) part in\b|\btakes? part\.|\bdid not take part\b/i, 'participate'],
  [/\bhave reached us\b|\breach us\b(?! at)/i, 'we received'],
  [/\bFarewell\b|\bcalm steps\b|\bout of sight\b|\bcan(not)? be woken\b/i, 'say it literally'],
  [/\bthere is no such\b/i, 'we couldn’t find'],
  [/\bwe look\b|\blook(s)? into it and answers\b/i, 'we’ll check'],
  [/ %/, 'no space before a percent sign'],
  [/\bWhat the restaurant gives\b/i, 'Restaurant bonus'],
]

/** Returns every text in a JSON value, with its path. */
function textsIn(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`))
}

/** Returns the texts of a server-rendered page: its source without comments, imports and interpolations. */
function textsOfPage(file: string): [string, string][] {
  const source = readFileSync(file, 'utf8')
    .replace(/\/\*\*?[\s\S]*?\*\//g, '')
    .replace(/^\s*(\/\/|import ).*$/gm, '')
  const quoted = source.matchAll(/html`([^`]*)`|'([A-Z][^'\n]* [^'\n]*)'/g)
  const elements = file.endsWith('.tsx') ? source.matchAll(/[>}]([^<>{}=;]*[a-z][^<>{}=;]*)[<{]/g) : []
  return [...quoted, ...elements].map((found): [string, string] => [
    file,
    (found[1] ?? found[2] ?? '').replace(/\$\{[^}]*\}|\s+/g, ' '),
  ])
}

const json = (file: string) => textsIn(JSON.parse(readFileSync(file, 'utf8')), file)
const messageTexts = (messages: object, name: string) =>
  textsIn(messages, name).concat(
    Object.entries(messages).flatMap(([key, message]) =>
      typeof message === 'function' && message.length === 1
        ? [[`${name}.${key}`, String(message('…'))] as [string, string]]
        : [],
    ),
  )

const places: Record<string, () => [string, string][]> = {
  'the message catalogs': () => textsIn(defaultMessages, 'messages'),
  'the programs and the starter': () =>
    globSync(['programs/*/*.json', 'docs/starter-program/*.json'])
      .filter((file) => !file.endsWith('theme.json'))
      .flatMap(json),
  'the forms and the card frame': () => [
    ...messageTexts(formMessages, 'forms'),
    ...messageTexts(vaultMessages, 'vault'),
  ],
  'the console': () => [
    ...textsIn({ ...studioMessages }, 'studio'),
    ...globSync(['src/console/*/*.{ts,tsx}', 'id/sign-in-page.ts'])
      .filter((file) => !file.includes('.test.'))
      .flatMap(textsOfPage),
  ],
}

test.for(Object.entries(places))('the texts of %s are American English without unusual words', ([, texts]) => {
  const found = texts()
  expect(found.length).toBeGreaterThan(10)
  const wrong = found.flatMap(([path, text]) =>
    forbidden
      .filter(([phrase]) => phrase.test(text))
      .map(([phrase, better]) => `${path}: “${phrase.exec(text)?.[0]}” in “${text}” (${better})`),
  )
  expect(wrong).toEqual([])
})
