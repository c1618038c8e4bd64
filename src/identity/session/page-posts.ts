import type { PagePost } from '../../programs/partners/page-post.ts'
import { signIn } from './contract.ts'
import { SignInForm } from './forms.ts'
import { pathAfterSignIn, signInProblems } from './rules.ts'
import { returnPathIn } from './sso/return-path.ts'

export const signInPost: PagePost<typeof SignInForm> = {
  name: 'signIn',
  paths: ['/login'],
  fields: SignInForm,
  secrets: ['password'],
  emailField: 'userName',
  isOffered: ({ enrollmentType }) => enrollmentType === 'direct',
  maintenance: 'loginMaintenance',
  problems: signInProblems,
  async submit(values, { call, search }) {
    const signedIn = await call(signIn, { body: values })
    return { to: pathAfterSignIn(signedIn, returnPathIn(search)) }
  },
}
