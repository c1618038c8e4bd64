import { checkFields } from './check.ts'
import type { SeedEntry } from './seed-content.ts'

const steps = [
  { type: 'title', text: 'How it works' },
  {
    type: 'body_text',
    text: '<p><strong>Join.</strong> It is free.</p><p><strong>Link a card.</strong> A credit or debit card that you already have.</p><p><strong>Dine.</strong> Pay with it at a participating restaurant, and earn {currencyName}.</p>',
  },
]
const help = [
  { type: 'title', text: 'Questions?' },
  { type: 'body_text', text: '<p>{supportPhone}</p><p>{supportEmail}</p>' },
]
const links = [
  { text: 'Restaurants', url: '/search' },
  { text: 'How it works', url: '/how-it-works' },
]
const frontPage = {
  user_states: ['default'],
  browser_title: '{programName}',
  main_column: [
    ...steps,
    {
      type: 'merchant_carousel',
      headline: 'Restaurants',
      query: '',
    },
  ],
  side_column: help,
}

const entries: readonly SeedEntry[] = [
  {
    collection: '*',
    slug: 'navbar',
    fields: { links: links.map(({ text, url }) => ({ text_desktop: text, text_mobile: text, url })) },
  },
  { collection: '*', slug: 'footer', fields: { primary_links: links } },
  { collection: 'home', slug: 'home', fields: frontPage },
  { collection: 'discover', slug: 'discover', fields: frontPage },
  {
    collection: 'earn_details',
    slug: 'how-it-works',
    fields: {
      url: '/how-it-works',
      browser_title: 'How it works | {partnerName}',
      main_column: steps,
      side_column: help,
    },
  },
]

/**
 * The pages and menus of a program that has none of its own yet, so that its front page and the links of its menus lead
 * somewhere. They say nothing about rates, which differ between programs.
 */
export const defaultContent: readonly SeedEntry[] = entries.map(({ collection, slug, fields }) => ({
  collection,
  slug,
  fields: checkFields(collection, slug, fields),
}))
