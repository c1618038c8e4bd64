import { minutesOf } from '../../kit/time.ts'

/** `17:30` as it is said: `5:30 PM`, and `17:00` as `5 PM`; 24:00 and later are the small hours of the next day. */
export function clockText(time: string): string {
  const minutes = minutesOf(time)
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60]
  const suffix = hour % 24 < 12 ? 'AM' : 'PM'
  return `${hour % 12 || 12}${minute ? `:${String(minute).padStart(2, '0')}` : ''} ${suffix}`
}
