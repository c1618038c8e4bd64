interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown
}

/**
 * Lets libraries write the text of their style elements: the policy of the page (Trusted Types) refuses every text that is
 * written as HTML. A text without `<` contains no element.
 */
export function allowStyles(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('HTML is not written as text')
      return text
    },
  })
}
