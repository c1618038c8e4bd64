import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const directory = 'db/migrations'

// An installation that has applied a file does not start with another version of it, not even with another comment. A
// new migration adds its line here, and no other line ever changes.
const released = {
  '0001-platform.sql': 'c45743b3d955',
  '0002-programs.sql': '00c69e089590',
  '0003-merchants.sql': '0e0cc313d2ba',
  '0004-identity.sql': 'e8d558ab6adc',
  '0005-cards.sql': '4a170fe7892c',
  '0006-messages.sql': 'af3109ec836f',
  '0007-reservations.sql': 'a4890510a380',
  '0008-rewards.sql': 'd8e66c5acb29',
  '0009-claims-and-reviews.sql': '05ee103d5f39',
  '0010-console.sql': 'e178dcbeacc4',
  '0011-vault.sql': 'b250d665b362',
  '0012-forms.sql': '5ffb9e36e852',
  '0013-job-queue.sql': 'e3dfa3df6411',
  '0014-jobs.sql': 'a2fb228086d8',
  '0015-merchant-stamps.sql': '13fa1f73f4d6',
  '0016-utc.sql': '04a978093d49',
  '0017-review-callbacks.sql': 'e4771f085035',
  '0018-restaurants-of-postings.sql': 'f7ab6cf926e9',
  '0019-left-on.sql': '8a3f6464426d',
  '0020-impersonation-rights.sql': '9f6d65baf861',
  '0021-withdrawn-move-requests.sql': '71d8a848ae8f',
  '0022-preview-rights.sql': '8b860a382884',
  '0023-replaced-cards.sql': '757c8f746129',
  '0024-longer-retries.sql': 'b40098b42cdd',
  '0025-verified-addresses.sql': '6c70c0399735',
  '0026-limits.sql': '1042d02e01fe',
  '0027-debts.sql': '8e100025c605',
  '0028-meals-of-two-programs.sql': '8f16e0acdfbd',
  '0029-open-payouts.sql': '204aeaceeeed',
  '0030-undone-bookings.sql': 'ec3a74c4fb3a',
  '0031-local-days.sql': '2c64ae4117e8',
  '0032-codes-of-messages.sql': 'ebf38a256f22',
  '0034-one-meal-for-one.sql': 'bd7564962905',
  '0035-moments-of-network-ids.sql': 'd4dab05a0c28',
  '0036-repeated-reviews.sql': 'b24632a3470d',
  '0037-authentication-times.sql': 'd35486af87cf',
  '0038-push-devices-of-sessions.sql': '4aeca1a79115',
  '0039-recipients-of-recoveries.sql': '14852766dc03',
  '0040-whole-passwords.sql': 'ae93150e61ca',
  '0041-partner-texts.sql': '0a6e078c6e80',
  '0042-rows-of-plain-owners.sql': '96fab25a148a',
  '0043-sessions-of-plain-owners.sql': '1c15ae975874',
  '0045-rests-of-closed-accounts.sql': '9c311b082746',
  '0052-queues-on-demand.sql': '1c9c166d2d11',
  '0054-operator-acts.sql': '033164eb16a1',
  '0055-members-of-operators.sql': '1b945979a833',
  '0056-approvals.sql': '09ea0df1916b',
  '0057-transactions-in-the-console.sql': 'a68f5de31b1e',
  '0058-reservations-in-the-console.sql': 'ac384dce69b3',
  '0059-audit-log.sql': '86795b12ad94',
  '0060-grants.sql': 'ec4aacc241ad',
  '0061-codes-in-capitals.sql': 'dd514e830608',
  '0062-what-operators-did-alone.sql': '62599bb2539b',
  '0065-statement-credits-in-the-console.sql': '5d69778cf188',
  '0066-journal-in-the-console.sql': 'bd9176db2a35',
  '0067-closed-months.sql': 'a08ae136eb8b',
  '0069-jobs-in-the-console.sql': '8fc894f1b094',
  '0070-emails-in-the-console.sql': 'c5a2cb45fa3e',
  '0071-operations-in-the-console.sql': 'a268e111678f',
  '0072-report-figures.sql': '91887213e632',
  '0073-report-cohorts.sql': '1b0049519fc0',
  '0075-search-in-the-console.sql': 'dbff6b906ad1',
  '0078-audit-log-words.sql': '6986d58d838d',
  '0079-cards-by-linking.sql': '6ad8fe80ed92',
  '0085-restaurants-by-words.sql': '21da69468261',
  '0086-invoices-of-restaurants.sql': 'a10bb17c3691',
  '0087-limits-of-one-operator.sql': '6b9f57e194ed',
  '0080-merged-accounts.sql': 'b25ff6c95629',
  '0081-tiers-until-a-day.sql': '4883e25fd33e',
}

test('no migration has changed since it was released', () => {
  const checksumOf = (name: string) => {
    const sql = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
    return createHash('sha256').update(sql).digest('hex').slice(0, 12)
  }
  expect(Object.fromEntries(readdirSync(directory).map((name) => [name, checksumOf(name)]))).toEqual(released)
})
