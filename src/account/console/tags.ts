/** What a tag is made of: `vip-care`. */
export const tagPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const maxTagLength = 40
export const maxTags = 20

/** Returns a typed text as a tag: `VIP Care` is `vip-care`. */
export const toTag = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, '-')

/** Returns what is wrong with a tag that is added to others; null when nothing is. */
export function tagProblem(tag: string, others: readonly string[]): string | null {
  if (others.includes(tag)) return `“${tag}” is there already.`
  if (tag.length > maxTagLength)
    return `A tag may have at most ${maxTagLength} characters; “${tag.slice(0, 12)}…” has ${tag.length}.`
  if (!tagPattern.test(tag)) return `“${tag}” has other characters than lower-case letters, digits and single hyphens.`
  if (others.length >= maxTags) return `A member may have at most ${maxTags} tags.`
  return null
}
