import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { memberQuery } from '../../../../identity/members/member/embed/use-member.ts'
import { QueryCache } from '../../../../platform/browser/query-cache.ts'
import { QueryCacheContext } from '../../../../platform/browser/use-query.ts'
import { ApiContext } from '../../../../platform/browser/write-api.ts'
import { BootContext } from '../../../partners/member/embed/use-program.ts'
import { useActivationLink } from './use-activation-link.ts'

function Shown({ url }: { url: string }) {
  return useActivationLink()(url)
}

/** Returns what a link becomes for a visitor with an invitation, a signed-in member, both, or none. */
function linkFor(url: string, { invited, member }: { invited: string | null; member: string | null }): string {
  const api = { call: () => Promise.reject(new Error('not called')) }
  const cache = new QueryCache()
  cache.set(memberQuery(api).key, member === null ? null : ({ publicId: member } as never))
  return renderToString(
    <BootContext value={{ known: invited === null ? null : { publicId: invited } } as never}>
      <ApiContext value={api}>
        <QueryCacheContext value={cache}>
          <Shown url={url} />
        </QueryCacheContext>
      </ApiContext>
    </BootContext>,
  )
}

test('a link to the activation is that of the signed-in member, else of the invitation, and no other link changes', () => {
  for (const [invited, member, expected] of [
    [null, null, '/activate'],
    ['invited', null, '/activate?publicId=invited'],
    [null, 'signed-in', '/activate?publicId=signed-in'],
    // A member signed in on a page that another's invitation had opened.
    ['invited', 'signed-in', '/activate?publicId=signed-in'],
  ] as const) {
    expect([invited, member, linkFor('/activate', { invited, member })]).toEqual([invited, member, expected])
    expect(linkFor('/activated', { invited, member })).toBe('/activated')
  }
})
