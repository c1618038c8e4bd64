import { parseSync } from 'vite'
import * as units from '../../src/platform/time.ts'

interface Node {
  type: string
  [key: string]: unknown
}

const sizes = new Map([
  ['DAY', units.DAY],
  ['HOUR', units.HOUR],
  ['MINUTE', units.MINUTE],
  ['SECOND', units.SECOND],
])
/** Names of numbers that are durations. */
const durationName =
  /(?:Ms|Seconds|Minutes|Hours|[a-z]Days|[tT]imeout|ttl|Ttl|[dD]elay|Interval|Window|[pP]ause|[bB]ackoff)$/

/** Whether a file must be parsed at all. */
const mayHaveDurations = new RegExp(
  `\\b(?:${[...sizes.keys()].join('|')})\\b|interval '|${durationName.source.replace('$', '')}['"]?[:,]? ?[=:]? \\d`,
)

/** Returns the durations in the code of a file, each with its name: `holdMs: 5 min`. */
export function durationsOf(file: string, code: string): string[] {
  if (!mayHaveDurations.test(code)) return []
  const lines: string[] = []
  const visit = (node: Node, names: readonly string[], parent: Node | null): void => {
    const inner = nameOf(node) ? [...names, nameOf(node) as string] : names
    if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) {
      // Of the syntax of types, only values in casts can contain a duration.
      if (isNode(node.expression)) visit(node.expression, inner, node)
      return
    }
    const label = [...new Set([inner[0], inner.at(-1)])].filter(Boolean).join(' ')
    const amount = amountOf(node)
    if (amount) {
      const name = parent && nameOf(parent)
      if (amount.units > 0) lines.push(`${label}: ${textOf(amount.value)}`)
      else if (hasUnit(node) || (name && durationName.test(name))) lines.push(`${label}: ${amount.value}`)
      return
    }
    if (node.type === 'TemplateElement' || node.type === 'Literal') {
      const text = node.type === 'Literal' ? node.value : (node.value as { raw: string }).raw
      for (const [, length] of String(text).matchAll(/interval '([^']+)'/g)) lines.push(`${label}: ${length} in SQL`)
    }
    // A number of days times DAY is a conversion: only its result is a duration.
    const isProduct = node.type === 'BinaryExpression' && (node.operator === '*' || node.operator === '/')
    for (const child of childrenOf(node)) if (!(isProduct && amountOf(child))) visit(child, inner, node)
  }
  visit(parseSync(file, code).program as unknown as Node, [], null)
  return lines
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
/** Returns the nodes in a node, without its own name. */
const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter(isNode)
    .filter((child) => child !== node.id || child.type !== 'Identifier')

function nameOf(node: Node): string | null {
  const named =
    node.type === 'AssignmentPattern' ? node.left : (node.id ?? (node.type === 'CallExpression' ? null : node.key))
  return isNode(named) && typeof named.name === 'string' ? named.name : null
}

/**
 * Returns the value of an expression of numbers and units, and how often a unit is a factor of it: one in `2 * DAY`, none
 * in `DAY / SECOND`. Null for any other expression.
 */
function amountOf(node: Node): { value: number; units: number } | null {
  const size = node.type === 'Identifier' && sizes.get(node.name as string)
  if (size) return { value: size, units: 1 }
  if (node.type === 'Literal' && typeof node.value === 'number') return { value: node.value, units: 0 }
  if (node.type === 'ParenthesizedExpression') return amountOf(node.expression as Node)
  if (node.type !== 'BinaryExpression') return null
  const [left, right] = [amountOf(node.left as Node), amountOf(node.right as Node)]
  if (!left || !right) return null
  const [a, b] = [left.value, right.value]
  if (node.operator === '*') return { value: a * b, units: left.units + right.units }
  if (node.operator === '/') return { value: a / b, units: left.units - right.units }
  return node.operator === '+' || node.operator === '-'
    ? { ...left, value: node.operator === '+' ? a + b : a - b }
    : null
}

const hasUnit = (node: Node): boolean =>
  node.type === 'Identifier' ? sizes.has(node.name as string) : childrenOf(node).some(hasUnit)

/** Returns a duration in the largest unit that divides it: `90 d`, `35 min`, `500 ms`. */
function textOf(milliseconds: number): string {
  const names = { DAY: 'd', HOUR: 'h', MINUTE: 'min', SECOND: 's' }
  const unit = [...sizes].find(([, size]) => milliseconds % size === 0)
  return unit ? `${milliseconds / unit[1]} ${names[unit[0] as keyof typeof names]}` : `${milliseconds} ms`
}
