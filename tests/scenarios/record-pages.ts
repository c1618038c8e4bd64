import { expect } from 'vitest'
import { outlineOf, withoutCsrf } from '../support/page-outline.ts'
import { brokenReferencesOf } from '../support/page-references.ts'
import type { Scenario } from './scenario.ts'

interface OpenedPage {
  status: number
  text: string
  headers: Record<string, unknown>
}

/** Returns what pages say, as one text. A part that an earlier page had is only named. No reference within a page is broken. */
export async function recordPages(
  scenario: Pick<Scenario, 'named'>,
  addresses: readonly string[],
  open: (address: string) => Promise<OpenedPage>,
): Promise<string> {
  const known = new Set<string>()
  const lines: string[] = []
  for (const address of addresses) {
    const { status, headers, text } = await open(address)
    // The outline of a page leaves out ids.
    expect([address, brokenReferencesOf(text)]).toEqual([address, []])
    lines.push(`## ${scenario.named(address)}: ${status} ${scenario.named(String(headers.location ?? ''))}`.trim())
    const outline =
      status < 300 || status >= 400 ? scenario.named(withoutCsrf(outlineOf(text).join('\n'))).split('\n') : []
    for (const part of topParts(outline)) {
      const body = part.join('\n')
      if (part.length < 4 || !known.has(body)) lines.push(...part)
      else lines.push(`(as before) ${part[0]}`)
      known.add(body)
    }
    lines.push('')
  }
  return lines.join('\n')
}

/** Splits an outline before each line that is not indented. */
function topParts(lines: readonly string[]): string[][] {
  const parts: string[][] = []
  for (const line of lines) {
    const last = parts.at(-1)
    if (last && line.startsWith(' ')) last.push(line)
    else parts.push([line])
  }
  return parts
}
