import { TrustedHtml } from '../../../ui/TrustedHtml.tsx'
import { useFillHtml } from './use-copy.tsx'

/** HTML that the server has sanitised; what its tokens stand for is escaped before it goes in. */
export function Html({ text, className }: { text: string; className?: string | undefined }) {
  const fillHtml = useFillHtml()
  return <TrustedHtml className={className} html={fillHtml(text)} />
}
