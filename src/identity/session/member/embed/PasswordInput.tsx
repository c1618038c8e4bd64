import type { ComponentProps } from 'react'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { PasswordField } from '../../../../ui/PasswordField.tsx'

type Props = Omit<ComponentProps<typeof PasswordField>, 'showText' | 'hideText' | 'lockTexts' | 'requiredText'>

/** A required password field with the program's texts. */
export function PasswordInput(props: Props) {
  const t = useCopy()
  return (
    <PasswordField
      required
      requiredText={t('form.required_reader')}
      showText={t('form.show_password')}
      hideText={t('form.hide_password')}
      lockTexts={{ caps: t('form.caps_lock'), num: t('form.num_lock'), both: t('form.caps_num_lock') }}
      {...props}
    />
  )
}
