import { type ChildNode, type Element, isTag } from 'domhandler'
import { parseDocument } from 'htmlparser2'

const references = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'form', 'list']
const fields = new Set(['input', 'select', 'textarea'])
const unnamedTypes = new Set(['hidden', 'submit'])

/**
 * Returns what is wrong between the elements of a page: a reference to an element that does not exist, an id that two
 * elements have, and a field without a label.
 */
export function brokenReferencesOf(html: string): string[] {
  const elements = descendants(parseDocument(html).children)
  const ids = elements.flatMap(({ attribs }) => attribs.id ?? [])
  const known = new Set(ids)
  const labels = new Set(elements.flatMap(({ name, attribs }) => (name === 'label' && attribs.for) || []))
  const missing = elements.flatMap((element) =>
    targetsOf(element)
      .filter(([, id]) => !known.has(id))
      .map(([attribute, id]) => `<${element.name} ${attribute}> refers to ${id}, which does not exist`),
  )
  const repeated = ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `two elements have the id ${id}`)
  const unnamed = elements
    .filter((element) => isField(element) && !isNamed(element, labels))
    .map(({ name, attribs }) => `<${name} name="${attribs.name}"> has no label`)
  return [...missing, ...repeated, ...unnamed]
}

/** Returns the references of an element: the attribute, and the id. */
function targetsOf({ name, attribs }: Element): [string, string][] {
  const listed = references.flatMap((attribute) =>
    (attribs[attribute]?.split(/\s+/) ?? []).filter(Boolean).map((id): [string, string] => [attribute, id]),
  )
  if (name === 'label' && attribs.for) listed.push(['for', attribs.for])
  if (name === 'a' && /^#./.test(attribs.href ?? '')) listed.push(['href', attribs.href?.slice(1) ?? ''])
  return listed
}

const isField = ({ name, attribs }: Element) => fields.has(name) && !unnamedTypes.has(attribs.type ?? '')

const isNamed = (element: Element, labels: ReadonlySet<string>) =>
  labels.has(element.attribs.id ?? '') ||
  element.attribs['aria-label'] !== undefined ||
  element.attribs['aria-labelledby'] !== undefined ||
  isWithinLabel(element)

function isWithinLabel({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && (parent.name === 'label' || isWithinLabel(parent))
}

const descendants = (nodes: readonly ChildNode[]): Element[] =>
  nodes.filter(isTag).flatMap((element) => [element, ...descendants(element.children)])
