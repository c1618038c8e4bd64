import { LRUCache } from 'lru-cache'
import postcss, { type AtRule, type ChildNode, type Rule } from 'postcss'

interface UsedRule {
  text: string
  /** The at-rules around it, such as a media query. */
  within: string | null
  /** The parts of a page that each of its selectors requires; an empty list is always fulfilled. */
  selectors: string[][]
  /** The animation that it defines; empty when it is no `@keyframes`. */
  keyframes?: string
}

/**
 * Returns a function that selects from a stylesheet the rules that apply to a page until its scripts change it: those
 * whose classes, `data-` and `aria-` attributes it has, in their order. Only scripts set such attributes. Throws
 * CssSyntaxError.
 */
export function createUsedStyles(sheet: string): (html: string) => string {
  const rules = postcss.parse(sheet).nodes.flatMap((node) => toRules(node, null))
  const required = new Set(rules.flatMap(({ selectors }) => selectors.flat()))
  // Most pages of one kind have the same parts.
  const known = new LRUCache<string, string>({ max: 300 })
  return (html) => {
    const parts = new Set([...partsOf(html)].filter((part) => required.has(part)))
    const key = [...parts].sort().join(' ')
    const found = known.get(key) ?? select(rules, parts)
    known.set(key, found)
    return found
  }
}

function select(all: readonly UsedRule[], parts: ReadonlySet<string>): string {
  const matching = all.filter(({ selectors }) =>
    selectors.some((required) => required.every((part) => parts.has(part))),
  )
  const animations = matching.map(({ text, keyframes }) => (keyframes ? '' : text)).join()
  const rules = matching.filter(({ keyframes }) => !keyframes || animations.includes(keyframes))
  let text = ''
  let within: string | null = null
  for (const rule of rules) {
    if (rule.within !== within) {
      if (within !== null) text += '}'
      if (rule.within !== null) text += `${rule.within}{`
      within = rule.within
    }
    text += rule.text
  }
  return within === null ? text : `${text}}`
}

function toRules(node: ChildNode, within: string | null): UsedRule[] {
  if (node.type === 'comment' || node.type === 'decl') return []
  if (node.type === 'rule') return [{ text: node.toString(), within, selectors: selectorsOf(node) }]
  if (isConditional(node) && within === null) {
    const query = `@${node.name} ${node.params}`
    return (node.nodes ?? []).flatMap((child) => toRules(child, query))
  }
  const keyframes = node.name.endsWith('keyframes') ? node.params : ''
  return [{ text: node.toString(), within, selectors: [[]], keyframes }]
}

const isConditional = ({ name }: AtRule) => name === 'media' || name === 'container' || name === 'supports'

function selectorsOf({ selectors }: Rule): string[][] {
  return selectors.map((selector) => {
    // What is within these is not required.
    const required = selector.replace(/:(?:not|is|where)\((?:[^()]|\([^()]*\))*\)/g, '')
    const classes = [...required.matchAll(/\.([\w-]+)/g)].map(([, name]) => `.${name}`)
    const attributes = [...required.matchAll(/\[((?:data|aria)-[\w-]+)(?:=["']?([\w-]+)["']?\])?/g)].map(
      ([, name, value]) => (value === undefined ? `[${name}]` : `[${name}=${value}]`),
    )
    return [...classes, ...attributes]
  })
}

function partsOf(html: string): Set<string> {
  const parts = new Set<string>()
  for (const [, name, value = ''] of html.matchAll(/\s(class|(?:data|aria)-[\w-]+)="([^"]*)"/g)) {
    if (name === 'class') for (const each of value.split(' ')) parts.add(`.${each}`)
    else parts.add(`[${name}]`).add(`[${name}=${value}]`)
  }
  return parts
}
