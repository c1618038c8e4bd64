import { useCopy } from '../../content/member/embed/use-copy.tsx'
import type { ReplyOf } from '../../kit/call.ts'
import { formatCents } from '../../kit/money.ts'
import type { getMerchant } from '../contract.ts'
import styles from './MerchantExtras.module.css'

type Detail = ReplyOf<typeof getMerchant>
const weekdays = [0, 1, 2, 3, 4, 5, 6] as const

/** About, hours, menu, events and online ordering; what is not known is not shown. */
export function MerchantExtras({ merchant }: { merchant: Detail }) {
  const t = useCopy()
  return (
    <div className={styles.columns}>
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
                  <strong>{event.title}</strong> <time dateTime={event.date}>{event.date}</time>
                  <p>{event.text}</p>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <div>
        {merchant.hours && <Hours hours={merchant.hours} />}
        {merchant.ordering.length > 0 && (
          <section>
            <h2>{t('merchant.order_online')}</h2>
            <ul className={styles.plain}>
              {merchant.ordering.map(({ name, url }) => (
                <li key={url}>
                  <a href={url} target="_blank" rel="noopener noreferrer">
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  )
}

function Hours({ hours }: { hours: NonNullable<Detail['hours']> }) {
  const t = useCopy()
  return (
    <section>
      <h2>{t('merchant.hours')}</h2>
      <dl className={styles.hours}>
        {weekdays.map((day) => {
          const spans = hours[String(day) as keyof typeof hours] ?? []
          return (
            <div key={day}>
              <dt>{t(`merchant.day_${day}`)}</dt>
              <dd>
                {spans.length === 0
                  ? t('merchant.closed')
                  : spans.map(([from, to]) => `${clock(from)} – ${clock(to)}`).join(', ')}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

// `17:30` as a US reader says it: `5:30 PM`; 24:00 and later are the small hours of the next day.
function clock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const suffix = hour % 24 < 12 ? 'AM' : 'PM'
  return `${hour % 12 || 12}${minute ? `:${String(minute).padStart(2, '0')}` : ''} ${suffix}`
}

function Menu({ merchant }: { merchant: Detail }) {
  const t = useCopy()
  if (merchant.menus.length === 0 && !merchant.menuUrl) return null
  return (
    <section>
      <h2>{t('merchant.menu')}</h2>
      {merchant.menus.map(({ section, dishes }) => (
        <details key={section} className={styles.menu} open={section === merchant.menus[0]?.section}>
          <summary>{section}</summary>
          <ul className={styles.dishes}>
            {dishes.map((dish) => (
              <li key={dish.name}>
                <span>{dish.name}</span>
                <span>{formatCents(dish.priceCents)}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {merchant.menuUrl && (
        <p>
          <a href={merchant.menuUrl} target="_blank" rel="noopener noreferrer">
            {t('merchant.menu_link')}
          </a>
        </p>
      )}
    </section>
  )
}
