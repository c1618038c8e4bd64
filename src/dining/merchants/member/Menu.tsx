import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { formatCents } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { MerchantDetail } from '../contract.ts'
import styles from './Menu.module.css'

/** The menu as images and text, with a link to the restaurant's own menu. */
export function Menu({ merchant }: { merchant: MerchantDetail }) {
  const t = useCopy()
  const { menus, menuUrl, menuImages } = merchant
  if (menus.length === 0 && !menuUrl && menuImages.length === 0) return null
  return (
    <section>
      <h2>{t('merchant.menu')}</h2>
      {menuImages.length > 0 && <MenuImages images={menuImages} />}
      {menus.map(({ section, dishes }) => (
        <details key={section} className={styles.menu} open={section === menus[0]?.section}>
          <summary>
            <ChevronDown aria-hidden="true" size={18} />
            {section}
          </summary>
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
      {menuUrl && (
        <p>
          <a href={menuUrl} target="_blank" rel="noopener noreferrer">
            {t('merchant.menu_link')}
          </a>
        </p>
      )}
    </section>
  )
}

function MenuImages({ images }: { images: MerchantDetail['menuImages'] }) {
  const t = useCopy()
  const [shown, setShown] = useState<MerchantDetail['menuImages'][number] | null>(null)
  const label = (section: string) => t('merchant.menu_image', { section })
  return (
    <>
      <ul className={styles.images} aria-label={t('merchant.menu_images')}>
        {images.map((image) => (
          <li key={image.url}>
            <button type="button" onClick={() => setShown(image)}>
              <img src={image.url} width={150} height={200} alt={label(image.section)} loading="lazy" />
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog open onClose={() => setShown(null)} title={label(shown.section)} closeLabel={t('merchant.close')}>
          <img className={styles.large} src={shown.url} width={600} height={800} alt={label(shown.section)} />
        </Dialog>
      )}
    </>
  )
}
