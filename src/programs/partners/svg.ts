/**
 * Prepares an SVG file for inlining in our pages. Drawing programs export a prolog, comments and `<style>`; the content
 * security policy blocks styles, and their classes would apply to the whole page. Styles are therefore converted to
 * presentation attributes. Throws Error, worded for a list of problems, on active content, external references, or a
 * rule that cannot be converted.
 */
export function inlineSvg(file: string): string {
  const svg = withoutProlog(file)
  if (!svg.startsWith('<svg')) throw new Error('must begin with <svg')
  rejectActiveSvg(svg)
  const { rest, rules } = takeStyles(svg)
  const applied = rest.replace(
    /<([a-zA-Z][\w:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g,
    (_whole, name: string, attributes: string, end: string) => `<${name}${styled(name, attributes, rules)}${end}>`,
  )
  return applied
}

/** Throws Error when an SVG has scripts, handlers or external references. */
export function rejectActiveSvg(svg: string): void {
  if (/<script|<foreignObject|[\s/"']on\w+\s*=|javascript:|<!|href\s*=(?!\s*["']#)/i.test(svg)) {
    throw new Error('scripts, handlers and outside references are not allowed')
  }
}

/** Returns the SVG without prolog, document type and comments. */
export function withoutProlog(file: string): string {
  return file
    .replace(/^\uFEFF/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\s*<\?xml[^>]*\?>/, '')
    .replace(/^\s*<!DOCTYPE\s[^[\]>]*>/i, '')
    .replace(/<style([^>]*)>\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*<\/style>/gi, '<style$1>$2</style>')
    .trim()
}

interface Rule {
  /** The class, id or element that it applies to. */
  selector: string
  declarations: [property: string, value: string][]
}

function takeStyles(svg: string): { rest: string; rules: Rule[] } {
  const rules: Rule[] = []
  const rest = svg.replace(/<style[^>]*>([\s\S]*?)<\/style>/gi, (_whole, css: string) => {
    rules.push(...rulesOf(css))
    return ''
  })
  // An id selector outweighs a class, a class outweighs an element; of equals the later one wins.
  return { rest, rules: rules.toSorted((a, b) => weight(a.selector) - weight(b.selector)) }
}

function weight(selector: string): number {
  return selector.startsWith('#') ? 2 : selector.startsWith('.') ? 1 : 0
}

function rulesOf(css: string): Rule[] {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '')
  if (/@/.test(plain)) throw new Error('<style> has an @-rule: export it with presentation attributes')
  return [...plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors = '', body = '']) =>
    selectors.split(',').map((text) => {
      const selector = text.trim()
      if (!/^(?:[.#]-?[_a-zA-Z][\w-]*|[a-zA-Z]+)$/.test(selector)) {
        throw new Error(`<style> has the selector "${selector}": only a class, an id or an element can be applied`)
      }
      return { selector, declarations: declarationsOf(body) }
    }),
  )
}

function declarationsOf(body: string): [string, string][] {
  return body.split(';').flatMap((declaration): [string, string][] => {
    const at = declaration.indexOf(':')
    const property = declaration.slice(0, at).trim().toLowerCase()
    const value = declaration
      .slice(at + 1)
      .replace(/!\s*important/i, '')
      .trim()
    if (at < 0 || value === '') return []
    if (!/^[a-z-]+$/.test(property)) throw new Error(`<style> has a property that cannot be applied: ${property}`)
    if (/["<>&]/.test(value)) throw new Error(`<style> has a value that cannot be applied: ${property}`)
    if (/url\(\s*'?(?!#)/i.test(value)) throw new Error('scripts, handlers and outside references are not allowed')
    return [[property, value]]
  })
}

// A style rule outweighs a presentation attribute; the element's own style outweighs both.
function styled(name: string, attributes: string, rules: readonly Rule[]): string {
  const given = new Map<string, string>()
  for (const [, key = '', double, single = ''] of attributes.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    given.set(key, double ?? single.replaceAll('"', '&quot;'))
  }
  const classes = (given.get('class') ?? '').split(/\s+/)
  const applies = ({ selector }: Rule) =>
    selector.startsWith('.')
      ? classes.includes(selector.slice(1))
      : selector.startsWith('#')
        ? given.get('id') === selector.slice(1)
        : selector === name
  const own = given.get('style')
  const declarations = rules.filter(applies).flatMap((rule) => rule.declarations)
  if (own !== undefined) declarations.push(...declarationsOf(own))
  if (rules.length > 0) given.delete('class')
  given.delete('style')
  for (const [property, value] of declarations) given.set(property, value)
  return [...given].map(([key, value]) => ` ${key}="${value}"`).join('')
}
