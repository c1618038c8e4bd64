import Share from 'lucide-react/icons/share'
import { Button } from '../../../../ui/Button.tsx'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import styles from './InstallBanner.module.css'
import { installPrompt } from './install-prompt.ts'

/** How to install the program: by the browser's prompt, or by the menu of iOS. */
export function InstallOffer({ kind, onClose }: { kind: 'prompt' | 'ios'; onClose: () => void }) {
  const t = useCopy()
  return (
    <aside className={styles.banner} aria-label={t('install.title')}>
      <img className={styles.icon} src="/icons/192.png" width={48} height={48} alt="" />
      <div className={styles.text}>
        <strong>{t('install.title')}</strong>
        <p>
          {kind === 'ios' && <Share aria-hidden="true" size={18} className={styles.share} />}
          {t(kind === 'ios' ? 'install.ios' : 'install.lead')}
        </p>
      </div>
      <div className={styles.actions}>
        {kind === 'prompt' && <Button onClick={() => void installPrompt.show()}>{t('install.action')}</Button>}
        <Button variant="secondary" onClick={onClose}>
          {t('install.later')}
        </Button>
      </div>
    </aside>
  )
}
