import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bonusWindowMs } from '../../src/dining/reservations/rules.ts'
import { hasConsent } from '../../src/identity/members/consent-topics.ts'
import { HOUR } from '../../src/platform/time.ts'
import type { ProgramConfig, TierLevel } from '../../src/programs/partners/contract.ts'
import { fillConfig, fillDeep } from '../../src/programs/partners/fill-program.ts'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { formatReward } from '../../src/programs/partners/rates.ts'
import { copyTokens } from '../../src/programs/partners/rules.ts'
import { benefitOf } from '../../src/rewards/activity/plan-goals.ts'
import { matchingDays } from '../../src/rewards/awards/pending.ts'
import { postsWithinDays } from '../../src/rewards/claims/rules.ts'
import { reviewDays } from '../../src/rewards/earning/explain.ts'

/** Compares the promises in a program's pages with its engine: every sentence of every sample program. */
const codes = ['skyharbor', 'beacon', 'gallonaire', 'orchard', 'lantern'] as const
type Code = (typeof codes)[number]

const programs = loadPrograms('programs')

interface ProgramTexts {
  code: Code
  config: ProgramConfig
  /** Content, messages and page descriptions, without markup. */
  texts: readonly string[]
  /** The texts of the banner of a bonus. */
  bannerOf: (bonus: string) => string
}

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

interface Banner {
  code?: string
}

function readProgramTexts(code: Code): ProgramTexts {
  const { config: raw } = programs.get(code) as { config: ProgramConfig }
  const config = fillConfig(raw)
  const tokens = copyTokens(config)
  const content = fillDeep(json(`programs/${code}/content.json`), tokens) as Record<string, { fields: object }[]>
  const messages = fillDeep(json(`programs/${code}/copy.json`), tokens)
  const { tagline, routeMeta, reservationBonus, bonuses } = config
  const plain = (text: string) => text.replace(/<\/(p|li|h\d)>/g, ' ').replace(/<[^>]+>/g, '')
  const banners = (content['*'] ?? []).flatMap(({ fields }) =>
    'banners' in fields ? (fields.banners as Banner[]) : [],
  )
  return {
    code,
    config,
    texts: textsIn([content, messages, tagline, routeMeta, reservationBonus?.condition, bonuses]).map(plain),
    bannerOf: (bonus) =>
      textsIn(banners.filter((banner) => banner.code === bonus))
        .map(plain)
        .join(' '),
  }
}

const all = codes.map(readProgramTexts)
const of = (code: Code) => all.find((each) => each.code === code) as ProgramTexts

/** Returns every match of a pattern in the texts of a program. */
const found = ({ texts }: ProgramTexts, pattern: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(new RegExp(pattern, 'gi'))])
/** Returns the award for a bill at a restaurant with the normal rate. */
const pays = ({ config }: ProgramTexts, tier: TierLevel, dollars: number) => benefitOf(config, tier, dollars * 100)

const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const numberOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : numbers.indexOf(text.toLowerCase()))

describe('earn rates', () => {
  const groups = [
    { who: 'for VIP members', tiers: ['VIP'] },
    { who: 'for members who (?:receive|get our emails)', tiers: ['OptedIn'] },
    { who: 'for (?:everyone else|all other members|every other guest)', tiers: ['OptedOut', 'NonActivated'] },
  ] as const

  test.each(['skyharbor', 'orchard', 'beacon'] as const)('%s gives each group the rate that its pages list', (code) => {
    for (const { who, tiers } of groups) {
      const lines = found(of(code), new RegExp(`(\\d+)(?: (?:miles|points))?(?: per dollar|%) ${who}`))
      expect(lines.length).toBeGreaterThan(0)
      for (const [line, amount] of lines) {
        for (const tier of tiers)
          expect([line, tier, pays(of(code), tier, 100)]).toEqual([line, tier, Number(amount) * 100])
      }
    }
  })

  test('members of a tier see their own rate', () => {
    const rates: [Code, RegExp, TierLevel][] = [
      ['skyharbor', /You earn (\d) miles per dollar/, 'OptedIn'],
      ['skyharbor', /our emails and every dollar earns (\d)/, 'OptedIn'],
      ['skyharbor', /(Five) miles on every dollar/, 'VIP'],
      ['orchard', /Every dollar brings you (\d) points/, 'OptedIn'],
      ['orchard', /every dollar brings (\d) points/, 'VIP'],
      ['orchard', /(Five) points on every dollar/, 'VIP'],
      ['orchard', /Guests who get our emails[^.]*, earn (\d)/, 'OptedIn'],
      ['beacon', /(?:Members who receive program e-?mails earn|You earn) (3)%/, 'OptedIn'],
      ['beacon', /You earn (5)%/, 'VIP'],
      ['beacon', /You earn (1)%/, 'OptedOut'],
      ['lantern', /(?:paid|Between) (1)%/, 'OptedOut'],
      ['lantern', /(?:to|and) (3)%/, 'VIP'],
    ]
    for (const [code, pattern, tier] of rates) {
      // "From then on" refers to another tier than the sentence before it.
      const lines = found(of(code), pattern).filter(
        ([line]) => tier !== 'VIP' || code !== 'orchard' || !line.includes('you'),
      )
      expect([pattern, lines.length > 0]).toEqual([pattern, true])
      for (const [line, amount = ''] of lines)
        expect([line, pays(of(code), tier, 100)]).toEqual([line, numberOf(amount) * 100])
    }
  })

  test('the fuel program gives the cents of every example and counts whole steps', () => {
    const fuel = of('gallonaire')
    for (const tier of ['OptedOut', 'NonActivated', 'OptedIn', 'VIP'] as const) expect(pays(fuel, tier, 50)).toBe(10)
    const examples = found(fuel, /\$(\d+) of [\w ]+ = (\d+)¢/)
    expect(examples.length).toBeGreaterThan(2)
    for (const [line, dollars, cents] of examples)
      expect([line, pays(fuel, 'OptedIn', Number(dollars))]).toEqual([line, Number(cents)])
    const steps = found(fuel, /(10|ten)(?: cents|¢)[^.]*?\$(\d+)|\$(\d+)[^.$]*?(10|ten)(?: cents|¢)/)
    expect(steps.length).toBeGreaterThan(10)
    for (const [line, , dollars, other] of steps)
      expect([line, pays(fuel, 'OptedIn', Number(dollars ?? other))]).toEqual([line, 10])
    expect(pays(fuel, 'OptedIn', 99)).toBe(10)
    // "Two date nights of $75, a family lunch of $150 and a booked table" make a dollar.
    const stack =
      2 * pays(fuel, 'OptedIn', 75) + pays(fuel, 'OptedIn', 150) + (fuel.config.reservationBonus?.amount ?? 0)
    expect(found(fuel, /a dollar off every gallon/).length > 0 && stack).toBe(100)
  })

  test('CARDM-014 CARDM-016 every rate that depends on emails can be reached', () => {
    for (const { code, config } of all) {
      const depends = config.earnRates.OptedIn !== config.earnRates.OptedOut && config.enrollmentType !== 'none'
      expect([code, depends && !hasConsent(config, 'email')]).toEqual([code, false])
    }
    for (const program of all.filter(({ config }) => config.hideEmailOptIn))
      expect(found(program, /get our emails, under Privacy/).length).toBeGreaterThan(0)
  })
})

describe('VIP', () => {
  test.each(codes)('%s requires as many dines or dollars as it says, or has no VIP', (code) => {
    const { config } = of(code)
    const dines = found(
      of(code),
      /(?:(\w+) (?:dines|dinners) (?:in a (?:calendar )?year|to VIP))|Dine (?:with us )?(\w+) times/,
    )
    const dollars = found(of(code), /Spend \$(\d+) at participating restaurants/)
    for (const [line, a, b] of dines)
      expect([line, numberOf(a ?? b ?? '')]).toEqual([line, config.hasVIP ? config.vipDinesRequired : 'none'])
    for (const [line, amount] of dollars) expect([line, Number(amount)]).toEqual([line, config.vipDollarsRequired])
    const counts = config.vipDollarsRequired === undefined ? dines : dollars
    expect(counts.length > 0).toBe(config.hasVIP)
  })

  test('a page that promises VIP says when it begins, that emails are not needed, and what counts as a dine', () => {
    for (const program of all.filter(({ config }) => config.hasVIP)) {
      const says = (pattern: RegExp) => found(program, pattern).length > 0
      expect([program.code, says(/from the next day on/)]).toEqual([program.code, true])
      expect([program.code, says(/(need not receive|don’t need) our emails/)]).toEqual([program.code, true])
      const countsDines = program.config.vipDollarsRequired === undefined
      expect([program.code, says(/Two visits to one restaurant on one day count as one/)]).toEqual([
        program.code,
        countsDines,
      ])
    }
  })
})

describe('bonuses', () => {
  test.each(codes)('%s gives for each of them the amount of its banner', (code) => {
    const { config, bannerOf } = of(code)
    for (const { code: bonus, amount, description, dines } of config.bonuses) {
      const matches = `${description} ${bannerOf(bonus)}`
      expect(bannerOf(bonus)).not.toBe('')
      // "Your bonus of the app" names no amount: the app's text is not part of the program.
      if (bonus === 'GAL-APP') continue
      const [plain, inCents] = [formatReward(config, amount).replace(/\.00$/, ''), `${amount} cents`]
      expect([bonus, matches.includes(plain) || matches.includes(inCents)]).toEqual([bonus, true])
      if (dines > 1)
        expect([bonus, new RegExp(`\\b(${dines}|${numbers[dines]})\\b`, 'i').test(matches)]).toEqual([bonus, true])
    }
  })

  test('a page names no minimum amount other than that of a bonus or a credit', () => {
    for (const program of all) {
      const { bonuses, statementCreditFromCents = 0 } = program.config
      const thresholds = new Set([
        statementCreditFromCents / 100,
        ...bonuses.map(({ minimumCents }) => minimumCents / 100),
      ])
      for (const [line, dollars] of found(program, /\$(\d+) or more/))
        expect([line, thresholds.has(Number(dollars))]).toEqual([line, true])
    }
  })

  test('a page promises new members a bonus only in programs that have one', () => {
    for (const program of all) {
      const has = program.config.bonuses.some(({ newMembers, injectedOnly }) => newMembers && !injectedOnly)
      const matches = found(program, /bonuses for new members|your first din(?:e|ner) (?:is worth|brings a gift)/)
      expect([program.code, matches.length > 0 && !has]).toEqual([program.code, false])
    }
  })

  test('RESV-003 every condition of the reservation bonus says two hours, as the engine applies', () => {
    expect(bonusWindowMs).toBe(2 * HOUR)
    for (const program of all) {
      const { config, code } = program
      if (!config.hasReservationBonus) {
        expect([code, found(program, /within two hours of the booked/)]).toEqual([code, []])
        continue
      }
      const { amount, condition } = config.reservationBonus as { amount: number; condition: string }
      expect([code, condition]).toEqual([code, expect.stringMatching(/within two hours/)])
      const page = found(
        program,
        /within two hours of the (?:booked time|time we agreed): your card is charged at most/,
      )
      expect([code, page.length]).toEqual([code, 1])
      const unit = config.currencyType === 'Dollar' ? 'cents' : config.currencyName
      const matches = found(program, new RegExp(`(?:Book|Reserve)[^.]*?(\\d+) (?:bonus )?${unit}`))
      expect([code, matches.length > 0]).toEqual([code, true])
      for (const [line, number] of matches) expect([line, Number(number)]).toEqual([line, amount])
    }
  })
})

describe('cards, credits and periods', () => {
  test('the pages name the number of cards and the brands that can be linked', () => {
    for (const program of all) {
      for (const [line, many = ''] of found(program, /\bup to (twelve|12)\b/))
        expect([line, numberOf(many)]).toEqual([line, program.config.maximumCards])
    }
    expect(found(of('beacon'), /Visa (?:and|or) Mastercard/).length).toBeGreaterThan(0)
    expect(of('beacon').config.cardTypesAccepted).toEqual(['VISA', 'MAST'])
  })

  test('no page says that only cards of some issuer can be linked, because the issuer is not checked', () => {
    for (const program of all) {
      const { name } = program.config
      const matches = found(
        program,
        new RegExp(`cards? issued by|(?:linked|eligible|the|your) ${name} (?:card|visa|mastercard)`),
      )
      // A brand's own cards may be loaded for its members.
      const others = matches.filter(([line]) => !(program.config.hasPartnerLoadedCards && /your /i.test(line)))
      expect([program.code, others.map(([line]) => line)]).toEqual([program.code, []])
    }
  })

  test('PART-038 statement credits are sent from the amount that the pages name', () => {
    const amounts =
      /\$(\d+) or more (?:are|is) sent|\$(\d+) at which a statement|balance of \$(\d+)|credit from \$(\d+)/
    const lines = found(of('beacon'), amounts)
    expect(lines.length).toBeGreaterThan(5)
    for (const [line, ...dollars] of lines)
      expect([line, Number(dollars.find(Boolean)) * 100]).toEqual([line, of('beacon').config.statementCreditFromCents])
  })

  test('only a program that requires reviews mentions them and their period', () => {
    for (const program of all) {
      const lines = found(program, /within (\d+) days/).filter(({ input }) => /review/i.test(input ?? ''))
      expect([program.code, lines.length > 0]).toEqual([program.code, program.config.awardsNeedReview])
      for (const [line, days] of lines) expect([line, Number(days)]).toEqual([line, reviewDays])
    }
  })

  test('HIST-024 HIST-025 a missing transaction can be reported after ten days, and matching ends after two weeks, as the pages say', () => {
    for (const program of all) {
      for (const [line, days = ''] of found(program, /after (ten|\w+teen|\d+) days/))
        expect([line, numberOf(days)]).toEqual([line, postsWithinDays])
      for (const [line, weeks = ''] of found(program, /up to (\w+) weeks/))
        expect([line, numberOf(weeks) * 7]).toEqual([line, matchingDays])
    }
  })
})
