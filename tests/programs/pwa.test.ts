import { expect, test } from 'vitest'
import type { Program } from '../../src/programs/partners/context.ts'
import { drawPreviewImage } from '../../src/programs/pwa/preview-image.ts'
import { visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()

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

test('PWA-012 the installed app has a shortcut to the account where members can sign in', async () => {
  const shortcuts: Record<string, string[]> = {}
  for (const partner of ['skyharbor', 'beacon', 'lantern']) {
    const manifest = (await visit(app, partner).get('/manifest.webmanifest')).json()
    shortcuts[partner] = manifest.shortcuts.map(({ url }: { url: string }) => url)
  }
  const both = ['/search', '/account/overview']
  expect(shortcuts).toEqual({ skyharbor: both, beacon: both, lantern: ['/search'] })
})

test('MERCH-016 every program has an image for link previews, whose address changes with it', async () => {
  const hrefs = new Set<string>()
  for (const [partner, { previewImage }] of app.programs) {
    const { host } = visit(app, partner)
    const image = await app.partnerApp.inject({ url: previewImage.href, headers: { host } })
    expect([partner, image.statusCode, sizeOf(image.rawPayload)]).toEqual([partner, 200, [1200, 630]])
    expect(image.headers['cache-control']).toContain('immutable')
    // The bands that replace an image are smaller.
    expect(image.rawPayload.length).toBeGreaterThan(3_000)
    hrefs.add(previewImage.href)
    expect((await app.partnerApp.inject({ url: '/social/other.png', headers: { host } })).statusCode).toBe(404)
  }
  expect(hrefs.size).toBe(5)
})

test('Case 83 bands in the colors of the program replace a mark that cannot be drawn', async () => {
  const image = {
    ...(app.programs.get('beacon') as Program).previewImage,
    // A layer outside of the image makes the renderer panic.
    svg: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 90h40" stroke="#000" opacity=".5"/></svg>',
  }
  expect(sizeOf(Buffer.from(await drawPreviewImage(image)))).toEqual([1200, 630])
})
