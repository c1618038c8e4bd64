import { createElement } from 'react'
import { expect, test } from 'vitest'
import { collections, type PageFields } from '../../src/programs/content/collections.ts'
import { Page as ContentPage } from '../../src/programs/content/member/ContentPage.tsx'
import { ContentView } from '../../src/programs/content/member/embed/ContentView.tsx'
import { OfferCards } from '../../src/programs/content/member/embed/OfferCards.tsx'
import { contentQuery } from '../../src/programs/content/member/embed/use-content.ts'
import { Meta } from '../../src/programs/partners/member/embed/Meta.tsx'
import { type PartOptions, renderHtml } from '../support/render-part.tsx'

const support = (href: string) => ({
  phone: { href: 'tel:1800', formatted: '1-800' },
  email: { href, display: 'help@example.com' },
})
const config = {
  programName: 'Miles & <More>',
  routeMeta: { '/': { title: 'Home title', description: 'About the program', keywords: 'dining' } },
  customerSupport: support('help@example.com'),
} as unknown as NonNullable<PartOptions['config']>

interface Visitor extends Pick<PartOptions, 'member' | 'known'> {
  config?: object
  actions?: Record<string, () => void>
}

/** Renders a page of content as a visitor sees it. */
function render(fields: object, { member = null, known = null, config: over = {}, actions }: Visitor = {}): string {
  const parsed = collections.home.entries['*'].parse(fields) as PageFields
  const part = createElement(ContentView, { fields: parsed, ...(actions && { actions }) })
  return renderHtml(part, {
    partner: 'gallonaire',
    path: '/earn',
    member,
    known,
    config: { ...config, ...over },
  }).replaceAll('<!-- -->', '')
}

const title = (text: string) => ({ type: 'title', text })
const bannerTitle = { type: 'title', text_desktop: 'Earn miles' }
const banner = { enable_banner: true, image: '/images/hero.svg', include_welcome_message: true }
const headings = (html: string) =>
  [...html.matchAll(/<(h[1-4])[^>]*>(.*?)<\/\1>/g)].map(([, tag, text]) => `${tag} ${text}`)
const metaOf = (html: string, name: string) => new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(html)?.[1]

test('a page has one main heading: that of its banner, with or without an image, else its first title', () => {
  const main_column = [title('First'), title('Second')]
  const side_column = [title('Aside')]
  expect(headings(render({ main_column, side_column }))).toEqual(['h1 First', 'h2 Second', 'h2 Aside'])
  expect(headings(render({ main_column, banner_text: [bannerTitle] }))).toEqual([
    'h1 Earn miles',
    'h2 First',
    'h2 Second',
  ])
  expect(headings(render({ main_column, banner_text: [bannerTitle], banner }))).toEqual([
    'h1 Earn miles',
    'h2 First',
    'h2 Second',
  ])
  // Of several titles of a banner, only the first is a heading.
  const second = { type: 'title', text_desktop: 'Twice' }
  expect(headings(render({ banner_text: [bannerTitle, second], banner }))).toEqual(['h1 Earn miles'])
  // A banner without texts is none.
  expect(render({ main_column, banner })).not.toContain('hero.svg')
})

test('a banner greets who is known by the first name, where the page says so', () => {
  const page = { banner_text: [bannerTitle], banner }
  const greets = (fields: object, visitor: Visitor) => /class="[^"]*"[^>]*>[^<]*Ada/.test(render(fields, visitor))
  const member = { memberType: 'EnrolledCardMember', tierLevel: 'OptedIn', firstName: 'Ada' }
  const known = { firstName: 'Ada', tierLevel: 'NonActivated', publicId: 'x' } as const
  expect([greets(page, { member }), greets(page, { known }), greets(page, {})]).toEqual([true, true, false])
  expect(greets({ ...page, banner: { ...banner, include_welcome_message: false } }, { member })).toBe(false)
})

test('the email form is for visitors of programs that they can join themselves', () => {
  const page = {
    banner_text: [bannerTitle],
    banner: { ...banner, include_prospect_email: true },
    prospect_form: { label: 'Email', button_label: 'Join' },
  }
  // The form is loaded later: the server renders its place, unless an earlier page has loaded it.
  const invites = (fields: object, visitor: Visitor = {}) => /<template|<form/.test(render(fields, visitor))
  const member = { memberType: 'NonCardMember', tierLevel: 'OptedIn', firstName: 'Ada' }
  expect([invites(page), invites(page, { member })]).toEqual([true, false])
  for (const enrollmentType of ['sso', 'none']) expect(invites(page, { config: { enrollmentType } })).toBe(false)
  expect(invites({ ...page, banner })).toBe(false)
  expect(invites({ ...page, prospect_form: undefined })).toBe(false)
})

test('the short text of a banner and its image are those for phones', () => {
  const html = render({
    banner_text: [{ ...bannerTitle, text_mobile: 'Earn' }],
    banner: { ...banner, image_mobile: '/images/small.svg', image_mobile_alt_text: 'A table' },
  })
  expect(html).toMatch(/<h1><span[^>]*>Earn miles<\/span><span[^>]*>Earn<\/span><\/h1>/)
  expect(html).toMatch(/<source media="\(min-width: 661px\)" srcSet="\/images\/hero\.svg"/)
  expect(html).toMatch(/<img[^>]* src="\/images\/small\.svg" alt="A table"/)
})

test('a button with an action is shown where the page can do it, and one with an address everywhere', () => {
  const main_column = [
    { type: 'button', text: 'Activate', action: 'activate' },
    { type: 'button', text: 'Search', url: '/search' },
  ]
  const shown = (actions?: Record<string, () => void>) =>
    ['Activate', 'Search'].filter((text) =>
      render({ main_column }, { ...(actions && { actions }) }).includes(`>${text}<`),
    )
  expect([shown(), shown({ activate: () => {} })]).toEqual([['Search'], ['Activate', 'Search']])
})

test('tokens in HTML are text; the support address is a link, except within one', () => {
  const text = '<p>{programName}: {supportEmail}, <a href="/help">{supportEmail}</a></p>'
  const html = render({ main_column: [{ type: 'body_text', text }] })
  expect(html).toContain(
    '<p>Miles &amp; &lt;More&gt;: <a href="mailto:help@example.com">help@<wbr>example.com</a>, <a href="/help">help@example.com</a></p>',
  )
  // A page of the partner is no email address.
  const config = { customerSupport: support('https://example.com/help') }
  expect(render({ main_column: [{ type: 'body_text', text }] }, { config })).not.toContain('mailto:')
})

test('ROUTE-030 a page is described by its own text, else by the program', () => {
  const body = { type: 'body_text', text: '<p>Dine and earn.</p>' }
  expect(metaOf(render({ main_column: [body] }), 'description')).toBe('Dine and earn.')
  const lead = { type: 'text', text_desktop: '<p>The lead.</p>' }
  expect(metaOf(render({ main_column: [body], banner_text: [lead] }), 'description')).toBe('The lead.')
  expect(metaOf(render({ main_column: [title('Only')] }), 'description')).toBe('About the program')
  expect(metaOf(render({}), 'keywords')).toBe('dining')
  const own = { routeMeta: { '/earn': { title: 'Own title', description: 'Own text' } } }
  expect(metaOf(render({ main_column: [body] }, { config: own }), 'description')).toBe('Own text')
  const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1]
  expect(titleOf(render({ browser_title: 'Earn at {programName}' }, { config: own }))).toBe(
    'Earn at Miles &amp; &lt;More&gt;',
  )
  expect([titleOf(render({}, { config: own })), titleOf(render({}))]).toEqual(['Own title', 'Home title'])
})

test('a column at the side and a disclaimer are there only with content', () => {
  const full = render({ side_column: [title('Aside')], disclaimer: '<p>Small print</p>' })
  expect([full.includes('<aside'), full.includes('Small print')]).toEqual([true, true])
  expect(render({})).not.toContain('<aside')
})

test('a button of an offer leads to its own address, else to that of the offer', () => {
  const item = { type: 'button' as const, desktop: 'Take part', mobile: 'Take part', url: '' }
  const offer = {
    type: 'earn' as const,
    code: 'A',
    url: '/earn/offer',
    image: '',
    daysToDisplay: undefined as never,
    appOnly: false,
    appText: '',
    items: [item, { ...item, url: '/earn/own' }, { ...item, type: 'link' as const, url: '/earn/link' }],
  }
  const linksOf = (url: string) => {
    const html = renderHtml(createElement(OfferCards, { offers: [{ ...offer, url }] }), { config })
    return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  }
  expect(linksOf('/earn/offer')).toEqual(['/earn/offer', '/earn/own', '/earn/link'])
  expect(linksOf('')).toEqual(['/earn/own', '/earn/link'])
})

test('the page of special offers lists those for members and those for joining, and other pages list none', () => {
  const banner = (type: string) => ({
    type,
    code: type,
    order: 1,
    image: '',
    user_states: [],
    banner_text: [{ type: 'title', text_desktop: `Offer ${type}` }],
  })
  const source = { api: {}, config: { cmsRoute: '/api/cms' }, preview: false } as never
  const earn = { banners: ['enrollment', 'bonus', 'earn'].map(banner) }
  const page = { url: '', main_column: [], banner_text: [] }
  const render = (path: string) =>
    renderHtml(createElement(ContentPage), {
      path,
      config: { ...config, cmsRoute: '/api/cms' },
      loaded: [
        [contentQuery(source, 'earn_details').key, { data: [{ slug: 'page', fields: { ...page, url: path } }] }],
        [contentQuery(source, '*').key, { data: [{ slug: 'earn', fields: earn }] }],
      ],
    })
  const offers = (path: string) => [...render(path).matchAll(/Offer (\w+)/g)].map(([, type]) => type)
  expect(offers('/earn/special-offers')).toEqual(['earn', 'enrollment'])
  expect(offers('/earn/vip-upgrade')).toEqual([])
})

test('the preview image of a page is its own with its description, else that of the program', () => {
  const render = (page: object) => renderHtml(createElement(Meta, page), { config })
  const own = render({ image: '/social/a.png', imageAlt: 'Corner Bistro' })
  expect(own).toContain('content="https://dining.example/social/a.png"')
  expect(own).toContain('content="Corner Bistro"')
  const other = render({})
  expect(other).toContain('content="https://dining.example/social/program.png"')
  expect(other).toContain('"og:image:alt" content="Miles &amp; &lt;More&gt;"')
})
