import type { ComponentProps, ReactNode } from 'react'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import { RequiredNote } from '../../../../ui/RequiredNote.tsx'
import { ScriptForm } from '../../../../ui/ScriptForm.tsx'
import { NeedsScript } from './NeedsScript.tsx'
import { useCopy } from './use-copy.tsx'
import { useFieldText } from './use-field-text.ts'
import type { MemberFormState } from './use-member-form.ts'

interface Props extends ComponentProps<'form'> {
  state: MemberFormState
  /** Help for a failed form: a link. */
  help?: ReactNode
  /** Shows the error banner at the end of a long form, next to the button; it then names also a single invalid field. */
  bannerLast?: boolean
}

/** A form with required fields: shows the required note and the form's error banner. */
export function MemberForm({ state, help, bannerLast, children, ...form }: Props) {
  const t = useCopy()
  const banner = <MemberFormBanner state={state} help={help} namesOne={bannerLast} />
  return (
    <ScriptForm native={state.post !== undefined} {...form}>
      {state.post === undefined && <NeedsScript />}
      <RequiredNote text={t('form.required_note')} />
      {!bannerLast && banner}
      {children}
      {bannerLast && banner}
    </ScriptForm>
  )
}

/** Returns an error with the name of its field before it, unless it has the words of the name itself. */
function named(error: string, name = ''): string {
  const words = name.toLowerCase().split(' ')
  return words.every((word) => error.toLowerCase().includes(word)) ? error : `${name}: ${error}`
}

interface BannerProps extends Pick<Props, 'state' | 'help'> {
  /** Whether a single invalid field is named, too. */
  namesOne?: boolean | undefined
}

/** The error of a form, with links to its invalid fields when there are several. */
export function MemberFormBanner({ state: { failure, invalid }, help, namesOne }: BannerProps) {
  const t = useCopy()
  const text = useFieldText()
  const list = invalid.length > 1 || namesOne ? invalid : []
  if (failure === null && list.length === 0) return null
  return (
    <FormBanner
      type="error"
      title={t('form.error_title')}
      message={failure ?? t(list.length === 1 ? 'form.check_field' : 'form.check_fields')}
      {...(list.length > 0 && {
        list: list.map(({ label, message, control, id }) => ({
          text: named(text(message) ?? '', label && t(label)),
          control: control?.id ?? id,
        })),
      })}
    >
      {help}
    </FormBanner>
  )
}
