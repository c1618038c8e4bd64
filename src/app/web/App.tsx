import { type DehydratedState, HydrationBoundary, type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import type { Api } from '../../platform/browser/api.ts'
import { ApiContext } from '../../platform/browser/query.ts'
import { WordingContext } from '../../programs/content/member/embed/use-copy.tsx'
import { word } from '../../programs/content/rules.ts'
import { BootContext } from '../../programs/partners/member/embed/use-program.ts'
import { ToastProvider } from '../../ui/Toasts.tsx'
import type { Boot } from './boot.ts'
import { Document } from './Document.tsx'

export interface AppProps {
  boot: Boot
  api: Api
  cache: QueryClient
  dehydrated?: DehydratedState
  /** The router of the server or of the browser. */
  children: ReactNode
}

/** Providers around the router; the same tree on the server and in the browser. */
export function App({ boot, api, cache, dehydrated, children }: AppProps) {
  return (
    <StrictMode>
      <BootContext value={boot}>
        <WordingContext value={boot.wording}>
          <ApiContext value={api}>
            <QueryClientProvider client={cache}>
              <HydrationBoundary state={dehydrated}>
                <Document boot={boot}>
                  <ToastProvider
                    regionLabel={word(boot.wording, 'toast.region')}
                    dismissLabel={word(boot.wording, 'toast.dismiss')}
                  >
                    {children}
                  </ToastProvider>
                </Document>
              </HydrationBoundary>
            </QueryClientProvider>
          </ApiContext>
        </WordingContext>
      </BootContext>
    </StrictMode>
  )
}
