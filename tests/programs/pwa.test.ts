import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Program } from '../../src/programs/partners/context.ts'
import { drawPreviewImage } from '../../src/programs/pwa/preview-image.ts'
import { pwaRoutes } from '../../src/programs/pwa/routes.ts'
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
  const marks = new Set<string>()
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
    // Its address stays when the mark changes.
    expect(touch.headers['cache-control']).toBe('public, max-age=3600')
    marks.add(touch.rawPayload.toString('base64'))
    expect((await visitor.get('/icons/181.png')).status).toBe(404)
  }
  expect([names.size, marks.size]).toEqual([5, 5])
})

test('PWA-012 an installed app has the colors of its program, and its description', async () => {
  const manifestOf = async (partner: string) => {
    const { background_color, theme_color, description } = (
      await visit(app, partner).get('/manifest.webmanifest')
    ).json()
    return { background_color, theme_color, description }
  }
  expect(await manifestOf('skyharbor')).toEqual({
    background_color: '#f4f8fc',
    theme_color: '#0b2450',
    description:
      'Link a credit or debit card once and earn Skyharbor miles every time you dine at a participating restaurant.',
  })
  // A dark theme, and a program without a description of its home page.
  expect(await manifestOf('lantern')).toEqual({
    background_color: '#121014',
    theme_color: '#0c0a0e',
    description:
      'The after-dark guide to the city’s tables: where the light is low, the kitchen is open and the card pays back.',
  })
})

test('PWA-012 browsers check the service worker for a new version each time', async () => {
  const open = async (workerFile: string | null) => {
    const server = Fastify()
    pwaRoutes(server, { pages: null, workerFile, styles: () => ({ links: [], fonts: '' }) })
    const { statusCode, headers } = await server.inject('/sw.js')
    await server.close()
    return [statusCode, headers['cache-control'], headers['content-type']]
  }
  expect(await open('src/programs/pwa/worker/sw.ts')).toEqual([200, 'no-cache', 'text/javascript; charset=utf-8'])
  expect((await Promise.all([open(null), open('no-such-file.js')])).map(([status]) => status)).toEqual([404, 404])
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
