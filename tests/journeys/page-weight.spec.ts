import type { Request } from '@playwright/test'
import { at, expect, findMerchant, test } from '../support/journey.ts'

interface Weight {
  files: number
  /** Bytes as transferred, compressed. */
  bytes: number
}

/**
 * What one page may load until it is idle, on a phone. Scripts are allowed one percent more than they have: the names
 * of files inside of them change with every build, and the compressed sizes with the names.
 */
const limits: Record<string, { document: Weight; script: Weight; stylesheet: Weight; font: Weight }> = {
  '/': page(11, 100_000, 31_800),
  '/search?location=10001': page(10, 97_800, 51_500),
  '/merchants/:id': page(11, 102_000, 47_500),
  '/login': page(9, 95_000, 27_500),
  '/join': page(9, 95_900, 28_500),
}

/** `plain` is the size of the document before compression, which browsers parse. */
function page(files: number, bytes: number, plain: number) {
  return {
    document: { files: 1, bytes: plain },
    script: { files, bytes },
    stylesheet: { files: 3, bytes: 15_000 },
    font: { files: 1, bytes: 24_000 },
  }
}

test.use({ viewport: { width: 375, height: 700 } })

for (const [path, limit] of Object.entries(limits)) {
  test(`the page ${path} loads few and light files`, async ({ page, context }) => {
    await page.goto(at('skyharbor', '/api/health'))
    const { id } = await findMerchant(page, 'location=10001&reservations=true')
    const cold = await context.newPage()
    const loaded: Record<string, Weight> = {}
    const order: string[] = []
    cold.on('request', (request) => order.push(request.resourceType()))
    cold.on('load', () => order.push('load'))
    const measured: Promise<void>[] = []
    cold.on('requestfinished', (request) => void measured.push(measure(request)))
    async function measure(request: Request): Promise<void> {
      const type = request.resourceType()
      const { responseBodySize: sent } = await request.sizes()
      // What comes from the memory of the browser is reported as its headers, with a minus.
      const size = type === 'document' ? ((await (await request.response())?.body())?.length ?? 0) : Math.max(0, sent)
      const { files, bytes } = loaded[type] ?? { files: 0, bytes: 0 }
      loaded[type] = { files: files + 1, bytes: bytes + size }
    }
    await cold.goto(at('skyharbor', path.replace(':id', id)), { waitUntil: 'networkidle' })
    await Promise.all(measured)
    // Fonts and images of the first screen do not share the bandwidth with scripts.
    expect(order.slice(0, order.indexOf('load'))).toEqual(expect.arrayContaining(['document', 'font']))
    expect(order.slice(0, order.indexOf('load'))).not.toContain('script')
    for (const [type, most] of Object.entries(limit)) {
      const { files, bytes } = loaded[type] ?? { files: 0, bytes: 0 }
      // Counterpart: something was counted.
      expect([type, files > 0, bytes > 1000]).toEqual([type, true, true])
      const sum = `${type}: ${files} files, ${bytes} bytes`
      expect([sum, files <= most.files, bytes <= most.bytes]).toEqual([sum, true, true])
    }
  })
}
