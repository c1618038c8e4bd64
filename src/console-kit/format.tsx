import { Badge, Text, Tooltip } from '@mantine/core'
import { formatCents } from '../platform/money.ts'
import { useOptionalProgram, useSession } from './session.tsx'
import { dayText, timeText } from './times.ts'

const utc = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** A day (`YYYY-MM-DD`), which has no time zone. */
export function Day({ of }: { of: string }) {
  return <time dateTime={of}>{dayText(of)}</time>
}

/**
 * A time in the zone of a program, which it names, with UTC on hover and touch: of the program of the address, or of the
 * given one. What belongs to no program is in UTC.
 */
export function Time({ at, program: code }: { at: string; program?: string | null }) {
  const { programs } = useSession()
  const own = useOptionalProgram()
  const program = code == null ? own : programs.find((each) => each.code === code)
  return (
    <Tooltip label={`${utc.format(new Date(at))} UTC`} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at}>{timeText(at, program?.timeZone ?? 'UTC')}</time>
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

/** The state of something, in its word and color. */
export const StateBadge = ({ of: { label, color } }: { of: { label: string; color: string } }) => (
  <Badge color={color}>{label}</Badge>
)

/** An amount of money in cents. */
export function Money({ cents }: { cents: number }) {
  return <span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatCents(cents)}</span>
}
