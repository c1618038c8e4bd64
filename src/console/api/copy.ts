import { membersConsoleCopy } from '../../account/console/copy.ts'
import { approvalsCopy } from '../../console-kit/approvals/copy.ts'
import { reservationsConsoleCopy } from '../../dining/reservations/console/copy.ts'
import { transactionsConsoleCopy } from '../../rewards/activity/console/copy.ts'
import { claimsConsoleCopy } from '../../rewards/claims/console/copy.ts'
import { feedConsoleCopy } from '../../rewards/feed/console/copy.ts'
import { invoicesConsoleCopy } from '../../rewards/invoices/console/copy.ts'
import { ledgerConsoleCopy } from '../../rewards/ledger/console/copy.ts'
import { payoutsConsoleCopy } from '../../rewards/payouts/console/copy.ts'
import { settlementConsoleCopy } from '../../rewards/settlement/console/copy.ts'
import { teamCopy } from '../team/copy.ts'

/** What the console says about a failed call, by key. */
const copy: Readonly<Record<string, string>> = {
  'error.notFound': 'This does not exist, or no longer does.',
  'error.notPermitted': 'You don’t have the permission for this. An administrator can give it to you.',
  'error.passkeyRequired': 'Add a passkey first: open “Passkeys and sessions” in the menu on the top right.',
  'error.conflict': 'Someone else changed this meanwhile. Nothing of yours was stored.',
  'validation.required': 'Please fill this in.',
  'validation.check': 'Please check this.',
  'console.reason': 'Please say why, in 3 to 200 characters.',
  'validation.characters': 'This has a line break or an invisible character. Please type it again.',
  ...approvalsCopy,
  ...membersConsoleCopy,
  ...transactionsConsoleCopy,
  ...claimsConsoleCopy,
  ...feedConsoleCopy,
  ...reservationsConsoleCopy,
  ...ledgerConsoleCopy,
  ...payoutsConsoleCopy,
  ...settlementConsoleCopy,
  ...invoicesConsoleCopy,
  ...teamCopy,
}

/** Returns the console's text of a key; undefined when it has none. */
export const consoleText = (key: string): string | undefined => copy[key]
