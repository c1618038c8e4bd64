import { TrustedHtml } from '../../../../ui/TrustedHtml.tsx'
import { type Logo, logoId } from '../../logo.ts'

/** The logo of the program, in the colors of its surroundings. Its link or neighbor names it. */
export function ProgramLogo({ logo, className }: { logo: Logo; className?: string }) {
  if (logo.kind === 'inline') return <TrustedHtml as="span" className={className} aria-hidden html={logo.svg} />
  return (
    <span className={className} aria-hidden>
      <svg viewBox={logo.viewBox} aria-hidden="true">
        <use href={`${logo.href}#${logoId}`} />
      </svg>
    </span>
  )
}
