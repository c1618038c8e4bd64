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
  TN: { westOf: -300, zone: 'America/Chicago' },
  IN: { westOf: -87.1, zone: 'America/Chicago' },
  ND: { westOf: -101, zone: 'America/Denver' },
  SD: { westOf: -100.5, zone: 'America/Denver' },
  NE: { westOf: -101, zone: 'America/Denver' },
  KS: { westOf: -101.4, zone: 'America/Denver' },
  TX: { westOf: -105, zone: 'America/Denver' },
  ID: { westOf: -300, zone: 'America/Denver' },
}

/** Returns the IANA time zone of a place by state and longitude; correct for all but a few counties at the borders. */
export function timeZoneOf(state: string, longitude: number): string {
  if (state === 'TN' && longitude > -85.2) return 'America/New_York'
  const other = split[state]
  if (other && longitude < other.westOf) return other.zone
  return byState.get(state) ?? 'America/New_York'
}
