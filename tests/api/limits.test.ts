import { expect, test } from 'vitest'
import { Tracking } from '../../forms/response-values.ts'
import { ReviewedTransaction } from '../../forms/reviews.ts'
import { callGroups } from '../../src/app/server/openapi/call-groups.ts'
import { MerchantRecord } from '../../src/dining/merchants/catalog/record.ts'
import { EnrolledMember } from '../../src/identity/activation/load-members.ts'
import { Claims } from '../../src/identity/session/sso/finish.ts'
import { Settings } from '../../src/platform/config/settings.ts'
import { collections } from '../../src/programs/content/collections.ts'
import { FormDefinition } from '../../src/programs/partners/form-definition.ts'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { PartnerCardLoad } from '../../src/rewards/cards/partner-cards.ts'
import { LoadedCard, SealedCard } from '../../vault/sealed-card.ts'
import * as vault from '../../vault/server.ts'
import { limitsOf } from '../support/limits-of.ts'

/** Returns a section of the list: a title, and its indented lines. */
const section = (title: string, lines: string[]) => [title, ...lines.map((line) => `  ${line}`)]

test('the limits of all inputs and responses of the API are exactly those listed', async () => {
  const calls = callGroups.flatMap(({ examples }) => examples.map(({ call }) => call))
  const lines = calls.flatMap((call) => {
    const parts = (['params', 'query', 'headers', 'body', 'reply'] as const).flatMap((part) => {
      const schema = call[part]
      return schema ? limitsOf(schema).map((line) => `${part} ${line}`) : []
    })
    const rate = call.perMinute ? [`${call.perMinute} requests per minute`] : []
    return section(`${call.method} ${call.path}`, [...rate, ...parts])
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('limits-of-calls.txt')
})

test('the limits of the vault, the form service, identity providers and loaded files are exactly those listed', async () => {
  const lines = [
    ...section('vault: intent', limitsOf(vault.IntentRequest)),
    ...section('vault: token', limitsOf(vault.TokenRequest)),
    ...section('vault: loaded card', limitsOf(vault.LoadRequest)),
    ...section('vault: deletion of cards', limitsOf(vault.DeleteCardsRequest)),
    ...section('vault: comparison of expiry dates', limitsOf(vault.ExpiryRequest)),
    ...section('vault: card sealed by a member', limitsOf(SealedCard)),
    ...section('vault: card sealed for a partner', limitsOf(LoadedCard)),
    ...section('form service: tracking', limitsOf(Tracking)),
    ...section('form service: review', limitsOf(ReviewedTransaction)),
    ...section('identity provider: claims', limitsOf(Claims)),
    ...section('loaded card', limitsOf(PartnerCardLoad)),
    ...section('loaded member', limitsOf(EnrolledMember)),
  ]
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('limits-of-services.txt')
})

test('the limits of content, programs, forms, settings and imported restaurants are exactly those listed', async () => {
  const content = Object.entries(collections).flatMap(([name, { entries }]) =>
    Object.entries(entries).flatMap(([slug, schema]) => section(`content ${name}/${slug}`, limitsOf(schema))),
  )
  const lines = [
    ...content,
    ...section('program.json', limitsOf(ProgramConfig)),
    ...section('forms.json', limitsOf(FormDefinition)),
    ...section('settings', limitsOf(Settings)),
    ...section('imported restaurant', limitsOf(MerchantRecord)),
  ]
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('limits-of-files.txt')
})
