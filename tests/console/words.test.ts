import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { typeNames } from '../../src/account/console/member-words.ts'
import {
  beginnings,
  channelNames,
  consentSources,
  networkNames,
  notificationStates,
  topicNames,
} from '../../src/account/console/record-names.ts'
import { events, titleOf } from '../../src/account/console/timeline-titles.ts'
import { approvalStates } from '../../src/console-kit/approvals/state-names.ts'
import { emailStates } from '../../src/console-kit/email-states.ts'
import { reservationStates } from '../../src/console-kit/reservation-states.ts'
import { tierNamesOf } from '../../src/console-kit/tier-names.ts'
import { providerNames, requestNames } from '../../src/dining/reservations/console/provider-names.ts'
import { emailState, stateOptions } from '../../src/identity/email/console/words.ts'
import { topics } from '../../src/identity/notifications/rules.ts'
import { inputNames, stageNames, statusNames, unitNames } from '../../src/rewards/activity/console/names.ts'
import { eventNames, outcomeNames } from '../../src/rewards/feed/console/names.ts'
import { FeedEvent } from '../../src/rewards/feed/schemas.ts'
import { accountNames, kindNames } from '../../src/rewards/ledger/console/journal-names.ts'
import { asOwner } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()

/** The columns with a list of possible values that screens show, and their words. */
const shown: readonly [column: string, words: object][] = [
  ['transactions.award_status', statusNames],
  ['transactions.stage', stageNames],
  ['journal_entries.kind', kindNames],
  ['postings.account', accountNames],
  ['postings.unit', unitNames],
  ['feed_messages.outcome', outcomeNames],
  ['merchant_offers.type', inputNames],
  ['merchants.reservation_provider', providerNames],
  ['reservation_messages.request', requestNames],
  ['reservations.status', reservationStates],
  ['consents.channel', channelNames],
  ['emails.status', emailStates],
  ['notifications.channel', channelNames],
  ['notifications.status', notificationStates],
  ['members.tier_level', tierNamesOf({ t: (key) => key })],
  ['members.member_type', typeNames],
  ['cards.card_type', networkNames],
  ['sessions.started_with', beginnings],
  ['console.approvals.state', approvalStates],
]

test('CON-704 every value of the database that a screen shows has words', async () => {
  const checks = await asOwner<{ table: string; rule: string }>(
    app,
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'c'`,
  )
  for (const [name, words] of shown) {
    const [column = '', ...table] = name.split('.').toReversed()
    const rules = checks.filter(
      ({ table: of, rule }) =>
        of === table.toReversed().join('.') && new RegExp(`\\(${column} = ANY \\(ARRAY\\[`).test(rule),
    )
    const values = rules.flatMap(({ rule }) => [...rule.matchAll(/'([^']+)'::text/g)].map(([, value]) => value ?? ''))
    expect([name, values.length > 0]).toEqual([name, true])
    expect([name, values.filter((value) => !Object.hasOwn(words, value))]).toEqual([name, []])
  }
})

test('CON-704 every event, topic and source that a screen shows has words', () => {
  const sources = globSync('src/**/*.ts').filter((path) => !/test|examples/.test(path))
  const code = sources.map((path) => readFileSync(path, 'utf8')).join('\n')
  const found = (pattern: RegExp) => [...new Set([...code.matchAll(pattern)].map(([, value]) => value ?? ''))]
  const actions = found(/\baction: '([a-z-]+\.[a-z-]+)'/g)
  expect(actions.length).toBeGreaterThan(20)
  expect(actions.filter((action) => !Object.hasOwn(events, action))).toEqual([])
  expect(topics.filter((topic) => !Object.hasOwn(topicNames, topic))).toEqual([])
  expect(FeedEvent.shape.event.options.filter((event) => !Object.hasOwn(eventNames, event))).toEqual([])
  expect(['join', 'profile', 'support', 'consents', 'link-card'].filter((of) => !(of in consentSources))).toEqual([])
})

test('CON-737 the state of an email has the same words in the list, on its page and in the timeline', () => {
  for (const status of ['waiting', 'sent', 'stored', 'failed', 'withheld'] as const) {
    const { label } = emailStates[status]
    const title = titleOf({ kind: 'email', what: status, detail: '', facts: null }, { bonusName: () => '' })
    expect([emailState({ status }).label, title]).toEqual([label, `Email ${label.toLowerCase()}`])
    expect(stateOptions).toContainEqual({ value: status, label })
  }
})
