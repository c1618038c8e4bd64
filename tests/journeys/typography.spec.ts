import { at, expect, further, test } from '../support/journey.ts'

test('SHELL-037 the registered sign is raised and small in every program', async ({ page }) => {
  for (const partner of ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern']) {
    await page.goto(at(partner, '/how-it-works'))
    // The area that a line of only this character covers, rendered large.
    const share = await page.evaluate(async () => {
      const family = getComputedStyle(document.body).fontFamily
      // Fallback fonts that this machine does not have may fail to load.
      const families = family.split(', ')
      await Promise.allSettled(families.map((each) => document.fonts.load(`100px ${each}`, '®H')))
      const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      context.font = `100px ${family}`
      const [mark, capital] = [context.measureText('®'), context.measureText('H')]
      return {
        bottom: -mark.actualBoundingBoxDescent / capital.actualBoundingBoxAscent,
        height: (mark.actualBoundingBoxAscent + mark.actualBoundingBoxDescent) / capital.actualBoundingBoxAscent,
      }
    })
    expect([partner, share.bottom > 0.3, share.height < 0.7]).toEqual([partner, true, true])
  }
})

test('every program shows its own fonts, from small files', further, async ({ page }) => {
  for (const partner of ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern']) {
    await page.goto(at(partner, '/how-it-works'))
    const shown = await page.evaluate(async () => {
      await document.fonts.ready
      // A raised sign comes first where a family has a large one.
      const familyOf = (element: Element | null) =>
        getComputedStyle(element as Element)
          .fontFamily.replace('"Raised Sign", ', '')
          .split(', ')[0]
      const loaded = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => `"${family}"`)
      const bytes = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.woff2'))
        .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize)
      return {
        missing: [document.body, document.querySelector('h1')]
          .map(familyOf)
          .filter((family) => !loaded.includes(`"${family?.replaceAll('"', '')}"`)),
        isSmall: bytes.length > 0 && bytes.reduce((sum, size) => sum + size) <= 37_000,
        // Requested only for such a letter.
        withoutLetters: await Promise.all(
          [document.body, document.querySelector('h1') as Element].map(async (element) => {
            const { fontWeight } = getComputedStyle(element)
            const font = `${fontWeight} 16px ${familyOf(element)}`
            return (await document.fonts.load(font, 'żłő')).length === 1 ? [] : [font]
          }),
        ).then((missing) => missing.flat()),
      }
    })
    expect([partner, shown]).toEqual([partner, { missing: [], isSmall: true, withoutLetters: [] }])
  }
})
