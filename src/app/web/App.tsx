import { StrictMode } from 'react'
import type { Api } from '../../platform/browser/api.ts'
import type { QueryCache } from '../../platform/browser/query-cache.ts'
import { RouterProvider } from '../../platform/browser/router/RouterProvider.tsx'
import type { Router } from '../../platform/browser/router/router.ts'
import { QueryCacheContext } from '../../platform/browser/use-query.ts'
import { ApiContext } from '../../platform/browser/write-api.ts'
import { MessagesContext } from '../../programs/content/member/embed/use-copy.tsx'
import { translate } from '../../programs/content/messages.ts'
import { BootContext } from '../../programs/partners/member/embed/use-program.ts'
import { AnnouncerProvider } from '../../ui/Announcer.tsx'
import { ToastProvider } from '../../ui/Toasts.tsx'
import { Shell } from '../shell/member/Shell.tsx'
import type { Boot } from './boot.ts'
import { Document } from './Document.tsx'
import type { LoadedPage } from './page.ts'
import { ShownPage } from './ShownPage.tsx'

export interface AppProps {
  boot: Boot
  api: Api
  cache: QueryCache
  router: Router<LoadedPage>
}

/** The whole app; the same tree on the server and in the browser. */
export function App({ boot, api, cache, router }: AppProps) {
  return (
    <StrictMode>
      <BootContext value={boot}>
        <MessagesContext value={boot.messages}>
          <ApiContext value={api}>
            <QueryCacheContext value={cache}>
              <Document boot={boot}>
                <ToastProvider
                  regionLabel={translate(boot.messages, 'toast.region')}
                  dismissLabel={translate(boot.messages, 'toast.dismiss')}
                >
                  <RouterProvider router={router}>
                    <AnnouncerProvider>
                      <Shell>
                        <ShownPage />
                      </Shell>
                    </AnnouncerProvider>
                  </RouterProvider>
                </ToastProvider>
              </Document>
            </QueryCacheContext>
          </ApiContext>
        </MessagesContext>
      </BootContext>
    </StrictMode>
  )
}
