import {
  brandList,
  brandName,
  brandOf,
  cardDigits,
  expiryMonth,
  formatCardNumber,
  formatExpiry,
  hasBrandPrefix,
  hasExpired,
  isExpiryMonth,
  passesLuhn,
} from '../../src/rewards/cards/rules.ts'
import { sealCard } from '../../src/rewards/cards/seal-card.ts'
import type { FrameConfig } from '../frame-page.ts'
import { messages } from '../messages.ts'

// All code that runs next to a card number. It posts messages to one page only, and never sends the plain number.

const config: FrameConfig = JSON.parse(element('config').textContent ?? '')
const number = element('number') as HTMLInputElement
const expiry = element('expiry') as HTMLInputElement
const state = element('state')
const touched = new Set<HTMLInputElement>()
let updateCount = 0

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id}`)
  return found
}

function postToParent(message: Record<string, unknown>): void {
  window.parent.postMessage(JSON.stringify(message), config.parentOrigin)
}

function numberProblem(): string | null {
  const digits = cardDigits(number.value)
  if (digits === '') return messages.numberMissing
  const brand = brandOf(digits)
  const isOtherBrand = !hasBrandPrefix(digits)
  if (!passesLuhn(digits) || (!brand && !isOtherBrand)) return messages.numberWrong
  const accepted = config.brands as NonNullable<typeof brand>[]
  return brand && accepted.includes(brand) ? null : messages.brandWrong.replace('{brands}', () => brandList(accepted))
}

function expiryProblem(): string | null {
  if (expiry.value.trim() === '') return messages.expiryMissing
  const month = expiryMonth(expiry.value)
  if (!month || !isExpiryMonth(month, new Date())) return messages.expiryMissing
  return hasExpired(month, new Date()) ? messages.expiryPast : null
}

function show(field: HTMLInputElement, problem: string | null): void {
  const wrong = problem !== null && touched.has(field)
  field.setAttribute('aria-invalid', String(wrong))
  element(`${field.id}-error`).textContent = wrong ? problem : ''
}

async function update(): Promise<void> {
  const currentUpdate = ++updateCount
  const problems = [numberProblem(), expiryProblem()] as const
  show(number, problems[0])
  show(expiry, problems[1])
  if (problems.some((problem) => problem !== null)) {
    state.textContent = ''
    const wrong = number.value === '' ? 'missing' : problems[0] === null ? 'expiry' : 'number'
    const both = problems.every((problem) => problem !== null) && { both: true }
    if (number.value === '' && expiry.value === '') postToParent({ type: 'dineback-frame', state: 'cleared' })
    else postToParent({ type: 'dineback-frame', state: 'invalid', wrong, ...both })
    return
  }
  const digits = cardDigits(number.value)
  const sealed = await seal(digits, expiryMonth(expiry.value) as string)
  // The input has changed meanwhile, and a later call handles it.
  if (currentUpdate !== updateCount) return
  const cardType = brandOf(digits) as NonNullable<ReturnType<typeof brandOf>>
  state.textContent = `${messages.complete} ${brandName(cardType)}`
  postToParent({ type: 'dineback-card', encryptedCardNumber: sealed, lastFour: digits.slice(-4), cardType })
}

function seal(digits: string, expires: string): Promise<string> {
  const { intent, tenant, holder, exp, key } = config
  return sealCard(key, { number: digits, expires, intent, tenant, holder, exp })
}

function group(): void {
  // Only with the caret at the end: formatting during an edit would move the caret.
  if (number.selectionStart === number.value.length) number.value = formatCardNumber(number.value)
}

function slash(event: Event): void {
  const deleting = (event as InputEvent).inputType?.startsWith('delete')
  // As above; and a deleted slash must not be inserted again.
  if (!deleting && expiry.selectionStart === expiry.value.length) expiry.value = formatExpiry(expiry.value)
}

/** Called when the page submits its form: shows all errors and focuses the first invalid field. */
function check(event: MessageEvent): void {
  if (event.source !== window.parent || event.origin !== config.parentOrigin || event.data !== 'dineback-check') return
  for (const field of [number, expiry]) touched.add(field)
  void update()
  const first = numberProblem() !== null ? number : expiryProblem() !== null ? expiry : null
  first?.focus()
}

number.addEventListener('input', group)
expiry.addEventListener('input', slash)
for (const field of [number, expiry]) {
  field.addEventListener('input', () => void update())
  field.addEventListener('blur', () => {
    if (field.value !== '') touched.add(field)
    void update()
  })
}
window.addEventListener('message', check)
element('card').addEventListener('submit', (event) => event.preventDefault())
new ResizeObserver(() => {
  postToParent({
    type: 'dineback-frame',
    state: 'height',
    height: Math.ceil(document.documentElement.getBoundingClientRect().height),
  })
}).observe(document.body)
postToParent({ type: 'dineback-frame', state: 'ready' })
