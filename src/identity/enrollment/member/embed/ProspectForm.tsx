import { onBlurThen } from '../../../../platform/browser/form.ts'
import { useApiFetch } from '../../../../platform/browser/query.ts'
import { useNavigate } from '../../../../platform/browser/router/RouterProvider.tsx'
import type { PageFields } from '../../../../programs/content/collections.ts'
import { MemberFormBanner } from '../../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy, useFill } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../../programs/content/member/embed/use-member-form.ts'
import { marketingValues } from '../../../../programs/tracking/member/embed/marketing.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ScriptForm } from '../../../../ui/ScriptForm.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { registerProspect, validateEmail } from '../../contract.ts'
import { ProspectForm as Prospect } from '../../forms.ts'
import styles from './ProspectForm.module.css'

/**
 * An email field that starts joining: a new address continues to enrollment, a known one to sign-in. Its texts come
 * from the content.
 */
export function ProspectForm({ fields }: { fields: NonNullable<PageFields['prospect_form']> }) {
  const t = useCopy()
  const fill = useFill()
  const fetchApi = useApiFetch()
  const navigate = useNavigate()
  const state = useMemberForm(Prospect, { email: '' }, { post: 'prospect' })
  const { form, field, submitting } = state

  /** Returns true when the address can join; results are cached per address. */
  async function check(email: string): Promise<boolean> {
    return (await fetchApi(validateEmail, { query: { email } }, { staleTime: Number.POSITIVE_INFINITY })).isValid
  }

  // Checks before submission; submitting checks again if this one failed.
  const checkEarly = (value: string) => {
    if (value.trim() !== '' && !form.getError('email')) void check(value.trim()).catch(() => {})
  }

  const submit = submitting(async ({ email }, send) => {
    const isNew = await check(email)
    // Errors are ignored: joining does not depend on the stored prospect.
    if (isNew) await send(registerProspect, { body: { email, ...marketingValues() } }).catch(() => {})
    await navigate(isNew ? '/join' : '/login', { state: { email } })
  })

  return (
    <ScriptForm native onSubmit={submit} className={styles.form}>
      <MemberFormBanner state={state} />
      <div className={styles.row}>
        <TextField
          type="email"
          label={fill(fields.label)}
          placeholder={fill(fields.placeholder)}
          autoComplete="email"
          inputMode="email"
          {...onBlurThen(field('email'), checkEarly)}
        />
        <Button type="submit" busy={state.isSubmitting ? t('form.busy') : false}>
          {fill(fields.button_label)}
        </Button>
      </div>
    </ScriptForm>
  )
}
