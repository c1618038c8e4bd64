import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { formatClock, localMoment } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import type { MerchantDetail } from '../contract.ts'
import { Menu } from './Menu.tsx'
import styles from './MerchantExtras.module.css'
import { OpenNow } from './OpenNow.tsx'

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
const eventDay = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'long', day: 'numeric', timeZone: 'UTC' })

/** About, hours, menu and events; unknown parts are not shown. */
export function MerchantExtras({ merchant }: { merchant: MerchantDetail }) {
  const t = useCopy()
  const isShort = merchant.menus.length === 0 && merchant.events.length === 0
  return (
    <div className={styles.columns} data-short={isShort || undefined}>
      <div>
        {merchant.description && (
          <section>
            <h2>{t('merchant.about')}</h2>
            <p>{merchant.description}</p>
          </section>
        )}
        <Menu merchant={merchant} />
        {merchant.events.length > 0 && (
          <section>
            <h2>{t('merchant.events')}</h2>
            <ul className={styles.plain}>
              {merchant.events.map((event) => (
                <li key={`${event.date}-${event.title}`}>
                  <strong>{event.title}</strong>,{' '}
                  <time dateTime={event.date}>{eventDay.format(new Date(`${event.date}T00:00:00Z`))}</time>
                  <p>{event.text}</p>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <div>{merchant.hours && <Hours hours={merchant.hours} timeZone={merchant.timeZone} />}</div>
    </div>
  )
}

type HoursProps = { hours: NonNullable<MerchantDetail['hours']>; timeZone: string }

function Hours({ hours, timeZone }: HoursProps) {
  const t = useCopy()
  const today = useHydrated() ? localMoment(new Date(), timeZone).weekday : null
  return (
    <section>
      <h2>{t('merchant.hours')}</h2>
      <OpenNow hours={hours} timeZone={timeZone} />
      <dl className={styles.hours}>
        {weekdays.map((day) => {
          const spans = hours[String(day)] ?? []
          return (
            <div key={day} data-today={day === today || undefined}>
              <dt>{t(`merchant.day_${day}`)}</dt>
              <dd>
                {spans.length === 0
                  ? t('merchant.closed')
                  : spans.map(([from, to]) => `${formatClock(from)} – ${formatClock(to)}`).join(', ')}
              </dd>
            </div>
          )
        })}
      </dl>
      <p className={styles.zone}>{t('merchant.local_time', { zone: zoneName(timeZone) })}</p>
    </section>
  )
}

const zoneNames = new Map<string, string>()

/** Returns a name such as `Eastern Time`, cached because the lookup takes milliseconds. */
function zoneName(timeZone: string): string {
  const known = zoneNames.get(timeZone)
  if (known !== undefined) return known
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(0)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  zoneNames.set(timeZone, name)
  return name
}
