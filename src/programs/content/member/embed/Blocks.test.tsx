import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { memberQuery } from '../../../../identity/members/member/embed/use-member.ts'
import { QueryCache } from '../../../../platform/browser/query-cache.ts'
import { RouterProvider } from '../../../../platform/browser/router/RouterProvider.tsx'
import { createStaticRouter } from '../../../../platform/browser/router/router.ts'
import { QueryCacheContext } from '../../../../platform/browser/use-query.ts'
import { ApiContext } from '../../../../platform/browser/write-api.ts'
import { BootContext } from '../../../partners/member/embed/use-program.ts'
import { Blocks } from './Blocks.tsx'

const api = { call: () => Promise.reject(new Error('not called')) }

/** Returns the texts of two buttons, to join and to search, that a visitor or a member of a type sees. */
function buttonsFor(memberType: string | null): string[] {
  const cache = new QueryCache()
  cache.set(memberQuery(api).key, memberType === null ? null : ({ publicId: 'x', memberType } as never))
  const html = renderToString(
    <BootContext value={{ known: null } as never}>
      <ApiContext value={api}>
        <QueryCacheContext value={cache}>
          <RouterProvider router={createStaticRouter(new URL('http://skyharbor.localhost/earn'), { params: {} })}>
            <Blocks
              level={2}
              blocks={[
                { type: 'button', text: 'Join free', url: '/join' },
                { type: 'button', text: 'Find a restaurant', url: '/search' },
              ]}
            />
          </RouterProvider>
        </QueryCacheContext>
      </ApiContext>
    </BootContext>,
  )
  return [...html.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, text]) => text ?? '')
}

test('the button to join is for visitors and for members without a card', () => {
  for (const joins of [null, 'NonCardMember']) expect(buttonsFor(joins)).toEqual(['Join free', 'Find a restaurant'])
  for (const hasJoined of ['EnrolledCardMember', 'ClosedAccountMember'])
    expect(buttonsFor(hasJoined)).toEqual(['Find a restaurant'])
})
