import { useLocation, useNavigate } from '../../../platform/browser/router/RouterProvider.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { MerchantDetail } from '../contract.ts'
import styles from './OrderOnline.module.css'

/** Lists links to order by, in a dialog with its own address, so that links can open it. */
export function OrderOnline({ merchant }: { merchant: Pick<MerchantDetail, 'id' | 'ordering'> }) {
  const t = useCopy()
  const navigate = useNavigate()
  const open = useLocation().pathname.endsWith('/order-online')
  if (!open) return null
  const { ordering } = merchant
  return (
    <Dialog
      open
      onClose={() => navigate(`/merchants/${merchant.id}`, { replace: true, preventScrollReset: true })}
      title={t('merchant.order_online')}
      closeLabel={t('merchant.close')}
    >
      {ordering.length === 0 && <p>{t('merchant.no_ordering')}</p>}
      {ordering.length > 0 && (
        <>
          <ul className={styles.links}>
            {ordering.map(({ name, url }) => (
              <li key={url}>
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {name}
                </a>
              </li>
            ))}
          </ul>
          <p>{t('merchant.order_hint')}</p>
        </>
      )}
    </Dialog>
  )
}
