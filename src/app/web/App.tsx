import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import type { Api } from '../../platform/browser/api.ts'
import { ApiContext } from '../../platform/browser/write-api.ts'
import { MessagesContext } from '../../programs/content/member/embed/use-copy.tsx'
import { translate } from '../../programs/content/messages.ts'
import { BootContext } from '../../programs/partners/member/embed/use-program.ts'
import { ToastProvider } from '../../ui/Toasts.tsx'
import type { Boot } from './boot.ts'
import { Document } from './Document.tsx'

export interface AppProps {
  boot: Boot
  api: Api
  cache: QueryClient
  /** The router of the server or of the browser. */
  children: ReactNode
}

/** Providers around the router; the same tree on the server and in the browser. */
export function App({ boot, api, cache, children }: AppProps) {
  return (
    <StrictMode>
      <BootContext value={boot}>
        <MessagesContext value={boot.messages}>
          <ApiContext value={api}>
            <QueryClientProvider client={cache}>
              <Document boot={boot}>
                <ToastProvider
                  regionLabel={translate(boot.messages, 'toast.region')}
                  dismissLabel={translate(boot.messages, 'toast.dismiss')}
                >
                  {children}
                </ToastProvider>
              </Document>
            </QueryClientProvider>
          </ApiContext>
        </MessagesContext>
      </BootContext>
    </StrictMode>
  )
}
