import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FoundMember } from '../../identity/impersonation/service.ts'
import { ImpersonationPage } from './pages.tsx'

const joinedAt = new Date('2026-02-28T23:59:00Z')
const found = (over: Partial<FoundMember> = {}) =>
  ({
    id: 1,
    publicId: 'an-id',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    joinedAt,
    memberType: 'NonCardMember',
    tierLevel: 'OptedIn',
    ...over,
  }) as FoundMember

test('the frame of a member says whose view it is, reveals no address of the console, and ends with its own id', () => {
  const frame = { name: 'emulation', origin: 'https://dining.example', src: 'https://dining.example/Emulate?token=a' }
  const page = renderToStaticMarkup(
    <ImpersonationPage partnerId="beacon" member={found()} impersonationId="its-id" csrf="a-token" frame={frame} />,
  )
  expect(/<iframe[^>]*>/.exec(page)?.[0]).toBe(
    `<iframe class="look" name="emulation" title="The app as Ada Lovelace sees it" src="${frame.src}" referrerPolicy="no-referrer">`,
  )
  expect(/<form.*<\/form>/.exec(page)?.[0]).toBe(
    '<form id="end" data-origin="https://dining.example" action="/beacon/members/an-id/end" method="post">' +
      '<input type="hidden" name="csrf" value="a-token"/><input type="hidden" name="emulationId" value="its-id"/>' +
      '<button type="submit">End</button></form>',
  )
  expect(page).toContain('<script src="/emulation.js"></script>')
})
