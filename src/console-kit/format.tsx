import { Text, Tooltip } from '@mantine/core'
import { formatCents } from '../platform/money.ts'
import { useOptionalProgram } from './session.tsx'
import { timeText } from './time-text.ts'

const utc = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Returns a day (`YYYY-MM-DD`) as text: `Nov 27, 2026`. */
export const dayText = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`))

/** A day (`YYYY-MM-DD`), which has no time zone. */
export function Day({ of }: { of: string }) {
  return <time dateTime={of}>{dayText(of)}</time>
}

/** A time in the zone of the program, with UTC on hover and focus. */
export function Time({ at }: { at: string }) {
  const timeZone = useOptionalProgram()?.timeZone ?? 'UTC'
  return (
    <Tooltip label={`${utc.format(new Date(at))} UTC`}>
      <time dateTime={at}>{timeText(at, timeZone)}</time>
    </Tooltip>
  )
}

const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
const HOUR = 3_600_000

/** How far away a time is: `in 2 days`. A deadline that is over is red. */
export function Deadline({ at, now = Date.now() }: { at: string; now?: number }) {
  const hours = (Date.parse(at) - now) / HOUR
  const text =
    Math.abs(hours) < 48 ? relative.format(Math.round(hours), 'hour') : relative.format(Math.round(hours / 24), 'day')
  return (
    <Text
      component="span"
      size="sm"
      c={hours < 0 ? 'red' : hours < 24 ? 'orange' : undefined}
      fw={hours < 24 ? 600 : 400}
    >
      <Time at={at} /> ({hours < 0 ? `late, ${text}` : text})
    </Text>
  )
}

/** An amount of money in cents. */
export function Money({ cents }: { cents: number }) {
  return <span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatCents(cents)}</span>
}
