const link = String.raw`href="https?:\/\/[^"<>]*"`
const attribute = '(?:class|title|rel|target|aria-[a-z]+|xmlns|width|height|viewBox|fill|d|adj)="[^"<>]*"'

/**
 * Source of a regular expression for HTML that runs nothing and loads nothing: text, links and drawings. The map library
 * writes such HTML (`v:shape` is its test for an old browser).
 */
export const harmlessHtml = String.raw`^(?:[^<]|<\/?(?:a|b|span|svg|path|v:shape)(?: (?:${link}|${attribute}))* ?\/?>)*$`
