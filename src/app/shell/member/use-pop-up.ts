import { useEffect, useState } from 'react'
import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { useLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { getItem, setItem } from '../../../platform/browser/storage.ts'
import { storageKeys } from '../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { useUpdateNeeded } from '../../../programs/pwa/member/embed/use-update-needed.ts'
import { marketingValues } from '../../../programs/tracking/member/embed/marketing.ts'
import { type PopUp, popUpOf } from '../rules.ts'

const keys = { announcement: storageKeys.announcement, sso: storageKeys.ssoModal, general: storageKeys.generalPopup }

const instantOf = (text: string | null) => (text === null || Number.isNaN(Number(text)) ? null : Number(text))
const typesOf = (text: string | null) => text?.split(',') ?? []

/** Set in this tab once a pop-up was closed. */
const closedKey = 'RN_POP_UP_CLOSED'

/** Returns the pop-up of this page and how to close it. After one was closed, none follows in the same visit. */
export function usePopUp(): { popUp: PopUp | null; close: () => void } {
  const { config, nativeApp, operator } = useProgram()
  const needsUpdate = useUpdateNeeded()
  const { pathname } = useLocation()
  const member = useMember()
  const popups = useEntries('popup')
  const inBrowser = useHydrated()
  const isBusy = useBusyPage(pathname)
  const [wasClosed, setWasClosed] = useState(readWasClosed)
  const popUp =
    inBrowser && (!wasClosed || needsUpdate)
      ? popUpOf({
          config,
          pathname,
          memberType: member?.memberType ?? null,
          isNativeApp: nativeApp !== null,
          isOperator: operator !== null,
          needsUpdate,
          isBusy,
          general: popups.find(({ slug }) => slug === config.generalModalType)?.fields ?? null,
          source: marketingValues().source,
          dismissals: {
            announcement: instantOf(getItem(keys.announcement)),
            sso: instantOf(getItem(keys.sso)),
            general: typesOf(getItem(keys.general)),
          },
          now: Date.now(),
        })
      : null
  const close = () => {
    setWasClosed(true)
    storeWasClosed()
    if (popUp === 'general') {
      setItem(keys.general, [...typesOf(getItem(keys.general)), config.generalModalType].join(','))
    } else if (popUp === 'announcement' || popUp === 'sso') setItem(keys[popUp], String(Date.now()))
  }
  return { popUp, close }
}

function readWasClosed(): boolean {
  try {
    return sessionStorage.getItem(closedKey) !== null
  } catch {
    return false
  }
}

function storeWasClosed(): void {
  try {
    sessionStorage.setItem(closedKey, '1')
  } catch {
    // Storage is unavailable: the visit ends with the document.
  }
}

/** What a pop-up would cover: an open dialog or menu, an empty or error state, a form for the visitor's email address. */
const busyParts = 'dialog[open], :popover-open, #main [data-page], #main [data-form]'

/**
 * Returns whether pop-ups are disabled on this page: it has one of the parts above, or the visitor was in a field, when it
 * appeared. True until this is known.
 */
function useBusyPage(pathname: string): boolean {
  const [calmPath, setCalmPath] = useState<string | null>(null)
  useEffect(() => {
    const isTyping = document.activeElement?.matches('input, select, textarea, iframe') ?? false
    setCalmPath(isTyping || document.querySelector(busyParts) !== null ? null : pathname)
  }, [pathname])
  return calmPath !== pathname
}
