import { LRUCache } from 'lru-cache'
import postcss, { type AtRule, type ChildNode, type Rule } from 'postcss'

interface UsedRule {
  text: string
  /** The at-rules around it, such as a media query. */
  within: string | null
  /** The classes that each of its selectors requires; an empty list is always fulfilled. */
  selectors: string[][]
}

/**
 * Returns a function that selects from a stylesheet the rules that apply to a page: those whose classes it has, in
 * their order. Rules without classes and all keyframes are kept. Throws CssSyntaxError.
 */
export function createUsedStyles(sheet: string): (html: string) => string {
  const rules = postcss.parse(sheet).nodes.flatMap((node) => toRules(node, null))
  // Most pages of one kind have the same classes.
  const known = new LRUCache<string, string>({ max: 300 })
  return (html) => {
    const classes = classesOf(html)
    const key = [...classes].sort().join(' ')
    const found = known.get(key) ?? select(rules, classes)
    known.set(key, found)
    return found
  }
}

function select(rules: readonly UsedRule[], classes: ReadonlySet<string>): string {
  let text = ''
  let within: string | null = null
  for (const rule of rules) {
    if (!rule.selectors.some((required) => required.every((name) => classes.has(name)))) continue
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
  return [{ text: node.toString(), within, selectors: [[]] }]
}

const isConditional = ({ name }: AtRule) => name === 'media' || name === 'container' || name === 'supports'

function selectorsOf({ selectors }: Rule): string[][] {
  return selectors.map((selector) => {
    // Classes within these are not required.
    const required = selector.replace(/:(?:not|is|where)\((?:[^()]|\([^()]*\))*\)/g, '')
    return [...required.matchAll(/\.([\w-]+)/g)].map(([, name]) => name as string)
  })
}

function classesOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names]) => (names as string).split(' ')))
}
