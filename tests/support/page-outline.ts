import { type ChildNode, type Element, isTag, isText } from 'domhandler'
import { parseDocument } from 'htmlparser2'

const omitted = new Set(['script', 'style', 'template', 'link', 'meta', 'head', 'option', 'optgroup', 'source', 'wbr'])
const inline = new Set('a abbr b bdi button code em i img input mark s small span strong sub sup svg time'.split(' '))
/** Attributes that say what an element is or does. */
const shown = (
  'role aria-current aria-disabled aria-expanded aria-haspopup aria-hidden aria-invalid aria-label aria-live aria-pressed ' +
  'aria-selected lang dir type name value checked selected disabled readonly required min max minlength maxlength step ' +
  'pattern placeholder inputmode autocomplete alt title href target rel download action method enctype novalidate datetime ' +
  'colspan scope open hidden popover popovertarget'
).split(' ')
/** Elements that say nothing but their text, unless they have such an attribute. */
const plain = new Set(['div', 'span', 'p', 'section', 'b', 'br', 'small', 'bdi', 'i', 'picture'])

/**
 * Returns what a page says, as short markup: a block per line, with the attributes that change what an element is or does.
 * Leaves out scripts, styles, classes and ids.
 */
export function outlineOf(html: string): string[] {
  const document = parseDocument(html)
  const title = find(document.children, 'title')
  const body = find(document.children, 'body')
  const lines = [`<title>${title ? textOf(title.children) : ''}`]
  let line = ''
  const end = (depth: number) => {
    const text = line.replace(/\s+/g, ' ').trim()
    if (text) lines.push('  '.repeat(depth) + text)
    line = ''
  }
  const walk = (nodes: readonly ChildNode[], depth: number): void => {
    for (const node of nodes) {
      if (isText(node)) line += node.data
      else if (isTag(node) && !omitted.has(node.name)) writeElement(node, depth)
    }
  }
  const writeElement = (element: Element, depth: number): void => {
    const tag = tagOf(element)
    // Drawings say nothing but their label.
    if (element.name === 'svg') {
      line += element.attribs['aria-label'] ? tag : ''
      return
    }
    if (inline.has(element.name)) {
      line += tag
      walk(element.children, depth)
      if (tag && element.children.length > 0) line += `</${element.name}>`
      return
    }
    end(depth)
    line = tag
    const isLong = element.children.some((child) => isTag(child) && !inline.has(child.name))
    if (isLong) end(depth)
    const inner = tag && isLong ? depth + 1 : depth
    walk(element.children, inner)
    if (element.name === 'select') line += optionsOf(element)
    end(inner)
  }
  walk(body ? body.children : document.children, 0)
  end(0)
  return lines
}

/** Returns an element's start tag with the shown attributes; empty if it says nothing but its text. */
function tagOf(element: Element): string {
  const attributes = shown.flatMap((name) => {
    const value = element.attribs[name]
    // React moves such elements to their place once they have arrived.
    if (value === undefined || (name === 'hidden' && /^S:/.test(element.attribs.id ?? ''))) return []
    return value === '' ? [name] : [`${name}="${value}"`]
  })
  if (plain.has(element.name) && attributes.length === 0) return ''
  return `<${[element.name, ...attributes].join(' ')}>`
}

const optionsOf = (select: Element) =>
  descendants(select.children)
    .filter(({ name }) => name === 'option')
    .map((option) => {
      const text = textOf(option.children)
      const { value = text, selected, disabled } = option.attribs
      const states = [value === text ? '' : `=${value}`, selected === undefined ? '' : ' selected']
      return text + states.join('') + (disabled === undefined ? '' : ' disabled')
    })
    .join(' | ')

const descendants = (nodes: readonly ChildNode[]): Element[] =>
  nodes.filter(isTag).flatMap((element) => [element, ...descendants(element.children)])

const find = (nodes: readonly ChildNode[], name: string) => descendants(nodes).find((element) => element.name === name)

const textOf = (nodes: readonly ChildNode[]): string =>
  nodes.map((node) => (isText(node) ? node.data : isTag(node) ? textOf(node.children) : '')).join('')

/** Returns an outline without the tokens of its forms. */
export const withoutCsrf = (outline: string) => outline.replace(/(name="csrf" value=")[^"]+/g, '$1‹secret›')
