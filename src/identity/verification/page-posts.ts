import type { PagePost } from '../../programs/partners/page-post.ts'
import { sendVerification, verifyEmail } from './contract.ts'
import { VerifyPageForm } from './forms.ts'
import { verifyProblems } from './rules.ts'

const path = '/account/verify_email'

export const verifyEmailPost: PagePost<typeof VerifyPageForm> = {
  name: 'verifyEmail',
  paths: [path],
  fields: VerifyPageForm,
  secrets: ['code', 'again'],
  isOffered: ({ enrollmentType }) => enrollmentType === 'direct',
  problems: verifyProblems,
  fieldErrors: { verificationCodeInvalid: { field: 'code', message: 'verification.code_invalid' } },
  async submit({ code, again }, { call }) {
    if (again) {
      await call(sendVerification, {})
      return { to: path, state: { isSent: true } }
    }
    await call(verifyEmail, { body: { code } })
    return { to: path }
  },
}
