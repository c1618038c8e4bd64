import { Share } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { getItem, setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { installBannerOf, isIosSafari } from '../../rules.ts'
import styles from './InstallBanner.module.css'
import { installPrompt } from './install-prompt.ts'

/** Offers to install the program on the home screen, from time to time, below everything else. */
export function InstallBanner() {
  const inBrowser = useHydrated()
  return inBrowser ? <Banner /> : null
}

function Banner() {
  const t = useCopy()
  const { config, nativeApp } = useProgram()
  const prompt = useSyncExternalStore(installPrompt.subscribe, installPrompt.current)
  const [closed, setClosed] = useState(false)
  const later = getItem(storageKeys.installLater)
  const kind = installBannerOf({
    enabled: config.hasPWAInstallBanner,
    isStandalone: matchMedia('(display-mode: standalone)').matches,
    isNativeApp: nativeApp !== null,
    hasPrompt: prompt !== null,
    isIosSafari: isIosSafari(navigator.userAgent, navigator.maxTouchPoints),
    laterAt: later === null ? null : Number(later),
    now: Date.now(),
  })
  if (closed || kind === null) return null
  const close = () => {
    setItem(storageKeys.installLater, String(Date.now()))
    setClosed(true)
  }
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
        <Button variant="secondary" onClick={close}>
          {t('install.later')}
        </Button>
      </div>
    </aside>
  )
}
