import { interpolate } from '../platform/interpolate.ts'

// Not part of the messages that every page of a program loads: only the staging tools use them.
const messages = {
  'states.title': 'Program states',
  'states.back': 'Staging tools',
  'states.switches': 'Switches',
  'states.partner': 'Program',
  'states.partner_code': 'Program code',
  'states.partner_open': 'Open this program',
  'states.clock': 'Clock',
  'states.clock_lead':
    'Sets the time of this process for all programs: rewards, reviews, reservations and offers follow it. Sessions, mails and codes keep the real time.',
  'states.clock_set': 'The clock is set: {now}',
  'states.clock_real': 'Real time: {now}',
  'states.clock_at': 'New time (UTC)',
  'states.clock_submit': 'Set the clock',
  'states.clock_step': '+{days} days',
  'states.clock_reset': 'Real time',
  'states.members': 'Members',
  'states.member_state': 'State',
  'states.member_make': 'Make a member',
  'states.member_made': 'Made: {email}, password “{password}”',
  'states.member_made_without': 'Made: {email}, without a password',
  'states.member_become': 'Sign in as this member',
  'states.member_invite': 'Open the activation link',
  'states.member_facts': '{type}, {tier}, active: {active}, web profile: {profile}',
  'states.yes': 'yes',
  'states.no': 'no',
  'states.member_withoutCard': 'Joined, no card yet',
  'states.member_withCard': 'Card member, opted in to emails',
  'states.member_optedOut': 'Card member, opted out of emails',
  'states.member_vip': 'VIP',
  'states.member_maximumCards': 'Card member with every card place taken',
  'states.member_mustFixEmail': 'Must give a new email address',
  'states.member_closed': 'Closed account',
  'states.member_notActivated': 'Enrolled by the partner, not activated',
  'states.member_withoutWebProfile': 'Activated, no web profile',
  'states.member_inactive': 'Not active, with a web profile',
  'states.activations': 'Members enrolled by the partner',
  'states.activations_lead':
    'A CSV or NDJSON file with email, firstName, lastName, zipCode, partnerNumber and emailOptIn; lastName and the last two may be left out.',
  'states.activations_file': 'File',
  'states.activations_problem': 'Line {line}: {problem}',
  'states.faults': 'Failing requests',
  'states.fault_lead':
    'Lets requests of this browser fail, after a page has loaded: nothing else changes, and nobody else notices.',
  'states.fault_off': 'Nothing fails.',
  'states.fault_now': 'Now: {fault}, for requests that begin with {prefix}',
  'states.fault': 'What happens',
  'states.fault_never': 'Nothing fails',
  'states.fault_400': '400, not valid',
  'states.fault_401': '401, signed out',
  'states.fault_403': '403, not allowed',
  'states.fault_404': '404, not found',
  'states.fault_429': '429, too many requests',
  'states.fault_500': '500, server error',
  'states.fault_503': '503, busy',
  'states.fault_none': 'No answer, as without a connection',
  'states.fault_late': 'The answer comes after 40 seconds',
  'states.fault_prefix': 'Requests that begin with',
  'states.fault_prefix_hint':
    'For example /api/ for all calls, /api/CSRF for the security token, /api/SignIn for signing in, /assets/ for parts of pages.',
  'states.fault_submit': 'Apply',
  'states.flag': '{kind}: {name}',
} as const

type MessageKey = keyof typeof messages

/** Returns a message of the staging tools. */
export function stagingText(
  key: MessageKey | `states.${string}`,
  values: Record<string, string | number> = {},
): string {
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  return interpolate(messages[key as MessageKey], given)
}
