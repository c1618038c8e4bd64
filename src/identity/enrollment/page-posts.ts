import type { PagePost } from '../../programs/partners/page-post.ts'
import { marketingOfVisit } from '../../programs/tracking/rules.ts'
import { returnPathIn, withReturn } from '../session/sso/return-path.ts'
import { join, registerProspect, validateEmail } from './contract.ts'
import { JoinForm, ProspectForm } from './forms.ts'
import { joinFormProblems, toSend } from './rules.ts'

export const joinPost: PagePost<typeof JoinForm> = {
  name: 'join',
  paths: ['/join'],
  fields: JoinForm,
  secrets: ['password', 'passwordConfirm'],
  emailField: 'email',
  isOffered: ({ enrollmentType }) => enrollmentType !== 'none',
  maintenance: 'joinMaintenance',
  problems: joinFormProblems,
  async submit(values, { call, config, search, cookies }) {
    await call(join, { body: { ...toSend(values, config), ...marketingOfVisit(search, cookies) } })
    return { to: withReturn('/add_card', returnPathIn(search)) }
  },
}

/** The form of a page's banner: pages of their own content, which are the front pages. */
export const prospectPost: PagePost<typeof ProspectForm> = {
  name: 'prospect',
  paths: ['/', '/discover'],
  fields: ProspectForm,
  secrets: [],
  isOffered: ({ enrollmentType, hasDiscoverPage }, path) =>
    enrollmentType === 'direct' && (path === '/' || hasDiscoverPage),
  async submit({ email }, { call, search, cookies }) {
    const { isValid } = await call(validateEmail, { query: { email } })
    if (!isValid) return { to: '/login', state: { email }, alsoFor: ['/join', '/recover'] }
    // Errors are ignored: joining does not depend on the stored prospect.
    const body = { email, ...marketingOfVisit(search, cookies) }
    await call(registerProspect, { body }).catch(() => {})
    return { to: '/join', state: { email }, alsoFor: ['/login', '/recover'] }
  },
}
