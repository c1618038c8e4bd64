import { useCopy } from './use-copy.tsx'

/** Shown to browsers without script, next to what they cannot use. */
export function NeedsScript() {
  const t = useCopy()
  return (
    <noscript>
      <p>{t('form.needs_script')}</p>
    </noscript>
  )
}
