import { z } from 'zod'
import { defaultMessages } from '../../default-messages.ts'
import { PopUpAudience } from '../partners/schemas.ts'
import { sanitize } from './sanitize.ts'

/** A single line without markup. */
const line = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^\P{Cc}*$/u, 'must be one line')
const required = (maxLength: number) => line(maxLength).min(1, 'is required')
/** HTML reduced to the allow-list, both when saved and when read. */
const html = (maxLength = 20_000) => z.string().max(maxLength).transform(sanitize).meta({ format: 'html' })

/** Target of a content link: a path of this site, https, mailto, tel, or a fragment. */
export const Address = z
  .string()
  .max(500)
  .regex(/^(\/(?![/\\])[^\s\\]*|https:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?|mailto:[^\s<>"]+|tel:[+\d().-]+|#[\w-]*)$/, {
    message: 'must be a path such as /search, or begin with https://, mailto: or tel:',
  })
const image = z
  .string()
  .max(200)
  .regex(/^(\/images\/[\w-]+(\.[\w-]+)*)?$/, 'must be a picture of the program such as /images/hero.svg')
const across = z
  .string()
  .regex(/^(\d{1,3}%|left|center|right|top|bottom)$/, 'must be a place such as 50% or left')
  .default('50%')
const sitePath = z
  .string()
  .max(200)
  .regex(/^\/[\w/*.-]*$/, 'must be a path such as /account/*')

export const userStates = [
  'anonymous',
  'known',
  'tier0',
  'tier1',
  'tier2',
  'tier3',
  'nonCard',
  'closed',
  'default',
] as const
const States = z.array(z.enum(userStates)).max(userStates.length)

const Title = z.strictObject({ type: z.literal('title'), text: required(200) })
const BodyText = z.strictObject({ type: z.enum(['body_text', 'text']), text: html() })
const Button = z.strictObject({
  type: z.literal('button'),
  text: required(80),
  url: Address.optional(),
  /** Action of the button, in place of a link. */
  action: z.enum(['activate']).optional(),
})
const StandaloneLink = z.strictObject({
  type: z.enum(['standalone_link', 'link']),
  text: required(120),
  url: Address,
})
const MerchantCarousel = z.strictObject({
  type: z.literal('merchant_carousel'),
  headline: required(120),
  body: line(300).default(''),
  /** Query of `/search` that selects the restaurants. */
  query: z
    .string()
    .max(300)
    .regex(/^[\w=&%.+,-]*$/, 'must be the query of a search, such as mealsServed=brunch'),
})
const Block = z
  .discriminatedUnion('type', [Title, BodyText, Button, StandaloneLink, MerchantCarousel])
  .refine((block) => block.type !== 'button' || Boolean(block.url ?? block.action), {
    path: ['url'],
    message: 'is required',
  })
const Column = z.array(Block).max(60).default([])

const bothTexts = { text_desktop: required(200), text_mobile: line(200).default('') }
const BannerItem = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('title'), ...bothTexts }),
  z.strictObject({ type: z.enum(['body_text', 'text']), text_desktop: html(), text_mobile: html().default('') }),
  z.strictObject({ type: z.literal('button'), ...bothTexts, url: Address.optional() }),
  z.strictObject({ type: z.enum(['standalone_link', 'link']), ...bothTexts, url: Address }),
])
const BannerText = z.array(BannerItem).max(12).default([])

const Banner = z.strictObject({
  enable_banner: z.boolean().default(false),
  image: image.default(''),
  image_mobile: image.default(''),
  image_mobile_alt_text: line(200).default(''),
  image_x_position: across,
  image_y_position: across,
  include_welcome_message: z.boolean().default(false),
  include_prospect_email: z.boolean().default(false),
})

const page = {
  browser_title: line(120).default(''),
  banner_text: BannerText,
  main_column: Column,
  side_column: Column,
  disclaimer: html(8_000).default(''),
}
const ProspectForm = z.strictObject({
  label: required(120),
  button_label: required(60),
  placeholder: line(60).default(''),
})
const Links = z
  .array(z.strictObject({ text: required(80), url: Address }))
  .max(30)
  .default([])

const FrontPage = z.strictObject({
  user_states: States.default(['default']),
  ...page,
  banner: Banner.optional(),
  prospect_form: ProspectForm.optional(),
})

/** A banner of an offer; its type determines where it appears. */
const OfferBanner = z.strictObject({
  type: z.enum(['bonus', 'earn', 'enrollment']),
  code: z.string().regex(/^[\w-]{1,40}$/),
  order: z.number().int().min(0).max(999).default(0),
  user_states: States.default([]),
  /** Days; anything that is not a whole number means "always". */
  days_to_display: z.union([z.number(), line(20)]).nullish(),
  banner_text: BannerText,
  url: Address.optional(),
  image: image.default(''),
  app_only_bonus: z.boolean().default(false),
  app_text: line(300).default(''),
})

const Survey = z.strictObject({
  id: z.string().regex(/^[\w-]{1,60}$/),
  text: required(160),
  delay_timeout: z.number().min(0).max(3600).default(0),
  cookie_timeout: z.number().min(0).max(3650).default(90),
  url_allow_list: z
    .array(z.strictObject({ url_allowed: sitePath }))
    .max(50)
    .default([]),
  url_disallow_list: z
    .array(z.strictObject({ url_disallowed: sitePath }))
    .max(50)
    .default([]),
})

const AccountCenter = z.strictObject({
  /** Disclaimer below the activity list. */
  activity_disclaimer: html(4_000).default(''),
  referral_link: z.strictObject({
    is_enabled: z.boolean().default(false),
    title: line(120).default(''),
    description: html(4_000).default(''),
  }),
  link_groups: z
    .array(z.strictObject({ title: required(80), links: Links }))
    .max(12)
    .default([]),
})

const AnnouncementBanner = z.strictObject({
  banner_copy: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('text'), copy: required(300) }),
        z.strictObject({
          type: z.literal('link'),
          copy: required(120),
          url: Address,
          new_tab: z.boolean().default(false),
        }),
      ]),
    )
    .max(8),
  tooltip_copy: line(400).default(''),
})

/** The partner's overrides of messages, by key. */
const MessageOverrides = z.record(z.string(), z.string().max(4_000)).superRefine((messages, issue) => {
  for (const key of Object.keys(messages)) {
    if (!Object.hasOwn(defaultMessages, key)) issue.addIssue({ code: 'custom', path: [key], message: 'is no copy key' })
  }
})

interface Collection {
  /** Title shown to editors. */
  title: string
  /** Allowed entries with the schema of their fields; `*` matches any other slug. */
  entries: Readonly<Record<string, z.ZodType<Record<string, unknown>>>>
}

const Footer = z.strictObject({ primary_links: Links, secondary_links: Links, disclaimer: html(8_000).default('') })
const Navbar = z.strictObject({
  links: z
    .array(z.strictObject({ text_desktop: required(80), text_mobile: line(80).default(''), url: Address }))
    .max(20),
})

/** Every collection of content; the only definition of what a field may contain. */
export const collections = {
  '*': {
    title: 'Everywhere',
    entries: {
      navbar: Navbar,
      footer: Footer,
      earn: z.strictObject({ banners: z.array(OfferBanner).max(60).default([]) }),
    },
  },
  home: { title: 'Home', entries: { '*': FrontPage } },
  discover: { title: 'Discover', entries: { '*': FrontPage } },
  earn_details: {
    title: 'Pages',
    entries: {
      '*': z.strictObject({
        url: z.string().regex(/^\/[a-z0-9/_-]{1,100}$/, 'must be a path such as /earn/offers'),
        ...page,
      }),
    },
  },
  earn_banner: { title: 'Ways to earn', entries: { earn_banner: z.strictObject({ text: line(300) }) } },
  tier_1_activation: {
    title: 'Activation',
    entries: { '*': z.strictObject({ stage: z.enum(['activation', 'activated']), ...page }) },
  },
  account_center: { title: 'Account center', entries: { account_center: AccountCenter } },
  announcement_banner: { title: 'Announcement', entries: { announcement: AnnouncementBanner } },
  popup: {
    title: 'Pop-up',
    entries: {
      '*': z.strictObject({
        title: required(120),
        body_text: html(4_000).default(''),
        url: Address.optional(),
        audience: PopUpAudience.optional(),
        /** Shown only to visitors referred by this marketing source. */
        source: line(100).optional(),
      }),
    },
  },
  sidebar: { title: 'Side text', entries: { '*': z.strictObject({ page_text: html(4_000).default('') }) } },
  surveys: { title: 'Surveys', entries: { '*': Survey } },
  copy: { title: 'Words', entries: { messages: MessageOverrides } },
} as const satisfies Readonly<Record<string, Collection>>

type Collections = typeof collections
type EntriesOf<N extends keyof Collections> = Collections[N]['entries']

/** An entry of a collection as the API returns it: validated, with defaults. Its slug determines the type of its fields. */
export type ContentEntry<N extends keyof Collections> = {
  [S in keyof EntriesOf<N>]: {
    slug: S extends '*' ? string : S
    fields: z.output<Extract<EntriesOf<N>[S], z.ZodType>>
  }
}[keyof EntriesOf<N>]

/** The fields of a collection in which all entries have the same. */
export type ContentFields<N extends keyof Collections> = ContentEntry<N>['fields']
/** The fields of a page: a front page has more of them than others. */
export type PageFields = Omit<ContentFields<'home'>, 'user_states'>
export type Block = z.output<typeof Block>
export type BannerText = z.output<typeof BannerText>
export type BannerFields = z.output<typeof Banner>
export type OfferFields = z.output<typeof OfferBanner>
export type LinkFields = z.output<typeof Links>[number] | z.output<typeof Navbar>['links'][number]

/** Returns the schema of an entry's fields, or undefined when no such entry is allowed. */
export function schemaOf(collection: string, slug: string): z.ZodType<Record<string, unknown>> | undefined {
  const known: Readonly<Record<string, Collection>> = collections
  const entries = Object.hasOwn(known, collection) ? known[collection]?.entries : undefined
  if (!entries) return undefined
  return Object.hasOwn(entries, slug) ? entries[slug] : entries['*']
}
