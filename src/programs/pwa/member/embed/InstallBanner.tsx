import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { getItem, setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { installBannerOf, isIosSafari } from '../../rules.ts'
import { installPrompt } from './install-prompt.ts'

// Loaded where the program can be installed.
const InstallOffer = lazy(() => import('./InstallOffer.tsx').then((module) => ({ default: module.InstallOffer })))

/** Offers to install the program on the home screen, from time to time, below everything else. */
export function InstallBanner() {
  const inBrowser = useHydrated()
  return inBrowser ? <Banner /> : null
}

function Banner() {
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
    <Suspense>
      <InstallOffer kind={kind} onClose={close} />
    </Suspense>
  )
}
