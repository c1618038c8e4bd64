import { useHydrated } from './use-hydrated.ts'

const styles = {
  day: { dateStyle: 'medium' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/**
 * Returns a function that formats an instant (ISO 8601) as a day, or a day with its time, in the visitor's time zone. The
 * server does not know this zone: its HTML contains UTC.
 */
export function useLocalTime(style: keyof typeof styles): (instant: string) => string {
  const isHydrated = useHydrated()
  const format = new Intl.DateTimeFormat('en-US', { ...styles[style], ...(!isHydrated && { timeZone: 'UTC' }) })
  const zone = isHydrated || style === 'day' ? '' : ' UTC'
  return (instant) => `${format.format(new Date(instant))}${zone}`
}
