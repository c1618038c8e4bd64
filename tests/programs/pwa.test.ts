import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, visit } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** Returns the width and height from a PNG header. */
function sizeOf(png: Buffer): [number, number] {
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('PWA-012 every program has its own manifest with valid icons', async () => {
  const names = new Set<string>()
  for (const partner of ['skyharbor', 'gallonaire', 'beacon', 'orchard', 'lantern']) {
    const visitor = visit(app, partner)
    const response = await visitor.get('/manifest.webmanifest')
    expect(response.headers['content-type']).toContain('application/manifest+json')
    const manifest = response.json()
    expect(manifest).toMatchObject({ display: 'standalone', scope: '/' })
    expect(manifest.start_url).toMatch(/^\//)
    expect(manifest.theme_color).toMatch(/^#[0-9a-f]{6}$/i)
    names.add(manifest.name)
    expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['any', 'any', 'maskable'])
    for (const { src, sizes } of manifest.icons) {
      const icon = await app.partnerApp.inject({ url: src, headers: { host: visitor.host } })
      expect(icon.headers['cache-control']).toContain('immutable')
      expect(sizeOf(icon.rawPayload).join('x')).toBe(sizes)
    }
    const touch = await app.partnerApp.inject({ url: '/icons/180.png', headers: { host: visitor.host } })
    expect(sizeOf(touch.rawPayload)).toEqual([180, 180])
    expect((await visitor.get('/icons/181.png')).status).toBe(404)
  }
  expect(names.size).toBe(5)
})
