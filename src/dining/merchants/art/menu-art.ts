import { escapeHtml } from '../../../platform/html.ts'
import { formatCents } from '../../../platform/money.ts'
import { Random, seedOf } from '../../../platform/random.ts'
import type { MenuSection } from '../contract.ts'

const papers = [
  { paper: '#fdf6e3', ink: '#3a2a18', line: '#c9a227' },
  { paper: '#f3f7f4', ink: '#1d3b2a', line: '#7aa787' },
  { paper: '#23222b', ink: '#f6ead0', line: '#c08a4a' },
  { paper: '#fbf1ee', ink: '#4a1f24', line: '#c8655d' },
  { paper: '#eef3fa', ink: '#1b2b4a', line: '#7c95c4' },
] as const

const maxDishes = 12
/** Maximum line height in pixels, used when there are few lines. */
const widestStep = 78
const cut = (text: string, maxLength: number) => (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text)

/** Draws one page of a restaurant's menu, 600 by 800; all pages of a restaurant have the same paper. */
export function menuArt(publicId: string, name: string, { section, dishes }: MenuSection): string {
  const { paper, ink, line } = new Random(seedOf(publicId)).pick(papers)
  const shown = dishes.slice(0, maxDishes)
  const step = Math.min(widestStep, 520 / shown.length)
  const rows = shown.map(
    (dish, index) =>
      `<text x="70" y="${250 + index * step}">${escapeHtml(cut(dish.name, 34))}</text>` +
      `<text x="530" y="${250 + index * step}" text-anchor="end">${formatCents(dish.priceCents)}</text>`,
  )
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800" viewBox="0 0 600 800" font-family="Georgia, serif">' +
    `<path fill="${paper}" d="M0 0h600v800H0z"/>` +
    `<path fill="none" stroke="${line}" stroke-width="3" d="M28 28h544v744H28zM40 40h520v720H40z"/>` +
    `<g fill="${ink}"><text x="300" y="104" text-anchor="middle" font-size="22" letter-spacing="3">${escapeHtml(cut(name, 32))}</text>` +
    `<text x="300" y="162" text-anchor="middle" font-size="38">${escapeHtml(cut(section, 22))}</text>` +
    `<g font-size="21">${rows.join('')}</g></g>` +
    `<path stroke="${line}" stroke-width="2" d="M240 184h120"/></svg>`
  )
}
