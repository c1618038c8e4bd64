import { expect, test, vi } from 'vitest'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { visit } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { fill } from '../support/page-forms.ts'
import { addressesOf } from '../support/program-pages.ts'

const app = setUpPages()
const programs = loadPrograms('programs')

/** One more than any text may have. */
const tooLong = 'x'.repeat(1025)

/** The fields in which people type a text, without those of a dialog that is closed. */
const texts = () =>
  [...document.querySelectorAll<HTMLInputElement>('input')].filter(
    (field) =>
      /^(text|email|password|tel|search)$/.test(field.type) &&
      !field.readOnly &&
      !field.disabled &&
      !field.closest('dialog:not([open])'),
  )

const errorAt = (field: Element) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id.endsWith('-error'))
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join('')

const labelOf = ({ labels }: HTMLInputElement) => (labels?.[0]?.firstChild?.textContent ?? '').trim()

/** What fields say that expect a form of text. */
const otherWords =
  /^(Use 8 to 56 characters\.|Invalid phone number, .*|Enter the five digits of your ZIP code\.|This code doesn’t work\..*|Enter an amount .*)$/

/** A field that is part of no form has no name, and is known by its kind. */
const nameIn = (input: string) => /name="([^"]*)"/.exec(input)?.[1] ?? /inputmode="\w*"/i.exec(input)?.[0] ?? ''

const isNameOf = (name: string | undefined, field: HTMLInputElement) =>
  name !== undefined && labelOf(field).toLowerCase().includes(name.toLowerCase())

const people = [
  ['skyharbor', 'visitor'],
  ['skyharbor', 'member'],
  ['gallonaire', 'member'],
  ['orchard', 'visitor'],
  ['beacon', 'visitor'],
] as const

for (const [partner, who] of people) {
  test(`VAL-023 on every page of ${partner}, a ${who} who types too much is told the limit at the field, and nothing is cut`, async () => {
    const config = programs.get(partner)?.config
    if (!config) throw new Error(partner)
    const visitor = who === 'visitor' ? visit(app, partner) : (await newMember(app, partner)).visitor
    const [merchant] = (await visitor.get('/api/v2/Merchants/Search?location=10001')).json().merchants
    const wrong: string[] = []
    const done = new Set<string>()
    for (const path of addressesOf(config, merchant.id)) {
      // The page of the server has the same fields, and is read faster. One field is tried once.
      const { text } = await visitor.get(path)
      const inputs = text.match(/<input(?![^>]*type="(hidden|checkbox|radio|date|time|file)")[^>]*>/g) ?? []
      if (inputs.every((input) => done.has(nameIn(input)))) continue
      const { user } = await openPage(app, partner, path, { visitor })
      for (const field of texts()) {
        if (done.has(nameIn(field.outerHTML))) continue
        done.add(nameIn(field.outerHTML))
        await fill(user, field, tooLong)
        await user.tab()
        const said = await vi.waitFor(() => {
          const error = errorAt(field)
          expect(error).not.toBe('')
          return error
        })
        const isWhole = field.value === tooLong
        const isNamed =
          isNameOf(/^(.+) may have at most \d+ characters\.$/.exec(said)?.[1], field) || otherWords.test(said)
        if (!isWhole || !isNamed) wrong.push(`${path} ${labelOf(field)}: ${said} ${isWhole ? '' : '(cut)'}`)
      }
    }
    expect(wrong).toEqual([])
    // Counterpart: search has two fields, the calculator one, sign-in two.
    expect(done.size).toBeGreaterThan(partner === 'beacon' ? 2 : 5)
  })
}
