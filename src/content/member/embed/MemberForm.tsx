import type { ComponentProps, ReactNode } from 'react'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { RequiredNote } from '../../../ui/RequiredNote.tsx'
import { ScriptForm } from '../../../ui/ScriptForm.tsx'
import { useCopy } from './use-copy.tsx'
import { useFieldText } from './use-field-text.ts'
import type { MemberFormState } from './use-member-form.ts'

interface Props extends ComponentProps<'form'> {
  state: MemberFormState
  /** What helps when the form has failed: a link. */
  help?: ReactNode
  /** A long form says at its end what is wrong, beside the button. */
  bannerLast?: boolean
}

/** A form with required fields: says so, and what is wrong with it as a whole. */
export function MemberForm({ state, help, bannerLast, children, ...form }: Props) {
  const t = useCopy()
  const banner = <MemberFormBanner state={state} help={help} />
  return (
    <ScriptForm {...form}>
      <RequiredNote text={t('form.required_note')} />
      {!bannerLast && banner}
      {children}
      {bannerLast && banner}
    </ScriptForm>
  )
}

/** The failure of a form, and links to its invalid fields when there are several. */
export function MemberFormBanner({ state: { failure, invalid }, help }: Pick<Props, 'state' | 'help'>) {
  const t = useCopy()
  const text = useFieldText()
  const list = invalid.length > 1 ? invalid : []
  if (failure === null && list.length === 0) return null
  return (
    <FormBanner
      type="error"
      title={t('form.error_title')}
      message={failure ?? t('form.check_fields')}
      {...(list.length > 0 && {
        list: list.map(({ message, control }) => ({ text: text(message) ?? '', control: control?.id })),
      })}
    >
      {help}
    </FormBanner>
  )
}
