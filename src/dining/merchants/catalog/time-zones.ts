import type { Point } from '../../../programs/places/contract.ts'

const zones: Record<string, string> = {
  'America/New_York': 'CT DE DC GA MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV FL KY IN',
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO MT NM UT WY ID',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR VI',
  'Pacific/Guam': 'GU MP',
  'Pacific/Pago_Pago': 'AS',
}
const byState = new Map(
  Object.entries(zones).flatMap(([zone, states]) => states.split(' ').map((state) => [state, zone])),
)

// States with two time zones, and the longitude west of which the second one applies.
const split: Record<string, { westOf: number; zone: string }> = {
  FL: { westOf: -85, zone: 'America/Chicago' },
  KY: { westOf: -86, zone: 'America/Chicago' },
  IN: { westOf: -87.1, zone: 'America/Chicago' },
  ND: { westOf: -101, zone: 'America/Denver' },
  SD: { westOf: -100.5, zone: 'America/Denver' },
  NE: { westOf: -101, zone: 'America/Denver' },
  KS: { westOf: -101.4, zone: 'America/Denver' },
  TX: { westOf: -105, zone: 'America/Denver' },
}

/** Returns the IANA time zone of a place by state and position; correct for all but a few counties at the borders. */
export function timeZoneOf(state: string, { latitude, longitude }: Point): string {
  if (state === 'TN' && isInEastTennessee({ latitude, longitude })) return 'America/New_York'
  // North of the Salmon River.
  if (state === 'ID' && latitude > 45.5) return 'America/Los_Angeles'
  const other = split[state]
  if (other && longitude < other.westOf) return other.zone
  return byState.get(state) ?? 'America/New_York'
}

/** Returns whether a place in Tennessee has Eastern time. In the south the border is farther west, past Chattanooga. */
function isInEastTennessee({ latitude, longitude }: Point): boolean {
  return longitude > (latitude < 35.3 ? -85.47 : latitude < 35.75 ? -85.1 : -84.85)
}
