import { TrustedHtml } from '../../../../ui/TrustedHtml.tsx'
import { useFillHtml } from './use-copy.tsx'

/** HTML sanitized by the server; token values are escaped before insertion. */
export function Html({ text, className }: { text: string; className?: string | undefined }) {
  const fillHtml = useFillHtml()
  return <TrustedHtml className={className} html={fillHtml(text)} />
}
