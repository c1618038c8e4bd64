import { ApiCallError } from '../../platform/browser/api.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import type { PagePost } from '../../programs/partners/page-post.ts'
import { newPasswordProblems } from '../session/rules.ts'
import { returnPathIn, withReturn } from '../session/sso/return-path.ts'
import { confirmRecovery, requestRecovery, updateRecovery } from './contract.ts'
import { CodeForm, NewPassword, RecoverForm } from './forms.ts'
import { recoverProblems } from './rules.ts'

const isOffered = ({ enrollmentType }: PublicConfig) => enrollmentType === 'direct'

export const requestRecoveryPost: PagePost<typeof RecoverForm> = {
  name: 'requestRecovery',
  paths: ['/recover'],
  fields: RecoverForm,
  secrets: [],
  emailField: 'userName',
  isOffered,
  problems: recoverProblems,
  async submit(values, { call, search }) {
    const returnTo = returnPathIn(search)
    await call(requestRecovery, { body: { ...values, returnTo } })
    return { to: withReturn('/recover/confirm', returnTo) }
  },
}

export const confirmRecoveryPost: PagePost<typeof CodeForm> = {
  name: 'confirmRecovery',
  paths: ['/recover/confirm'],
  fields: CodeForm,
  secrets: ['code'],
  isOffered,
  fieldErrors: { codeInvalid: { field: 'code', message: 'recovery.code_invalid' } },
  async submit(values, { call, search }) {
    const { resetToken } = await call(confirmRecovery, { body: values })
    return { to: withReturn('/recover/update', returnPathIn(search)), state: { resetToken } }
  },
}

export const updateRecoveryPost: PagePost<typeof NewPassword> = {
  name: 'updateRecovery',
  paths: ['/recover/update'],
  fields: NewPassword,
  secrets: ['password', 'passwordConfirm'],
  isOffered,
  problems: newPasswordProblems,
  async submit({ password }, { call, search, passed: { resetToken } }) {
    if (typeof resetToken !== 'string') throw new ApiCallError(410, { code: 'recoveryOver' })
    const recovered = await call(updateRecovery, { body: { resetToken, password, passwordConfirm: password } })
    const returnTo = returnPathIn(search) || recovered.returnTo
    return { to: withReturn('/recover/success', returnTo), state: { isDone: true, ...recovered } }
  },
}
