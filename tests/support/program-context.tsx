import type { ReactNode } from 'react'
import { defaultMessages } from '../../src/default-messages.ts'
import type { Api } from '../../src/platform/browser/api.ts'
import type { QueryCache } from '../../src/platform/browser/query-cache.ts'
import { RouterProvider } from '../../src/platform/browser/router/RouterProvider.tsx'
import type { Router } from '../../src/platform/browser/router/router.ts'
import { QueryCacheContext } from '../../src/platform/browser/use-query.ts'
import { ApiContext } from '../../src/platform/browser/write-api.ts'
import { MessagesContext } from '../../src/programs/content/member/embed/use-copy.tsx'
import { BootContext } from '../../src/programs/partners/member/embed/use-program.ts'

interface Props {
  /** The facts of the program that the components read. */
  program: object
  /** Messages in place of the default ones. */
  messages?: Readonly<Record<string, string>> | undefined
  /** Values of the tokens in messages. */
  tokens?: Readonly<Record<string, string>>
  api: Api
  cache: QueryCache
  router: Router
  children: ReactNode
}

/** Provides components with everything that the app provides around its pages. */
export function ProgramContext({ program, messages = {}, tokens = {}, api, cache, router, children }: Props) {
  return (
    <BootContext value={program as never}>
      <MessagesContext value={{ messages: { ...defaultMessages, ...messages }, tokens }}>
        <ApiContext value={api}>
          <QueryCacheContext value={cache}>
            <RouterProvider router={router}>{children}</RouterProvider>
          </QueryCacheContext>
        </ApiContext>
      </MessagesContext>
    </BootContext>
  )
}
