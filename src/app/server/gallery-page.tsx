import type { Program } from '../../programs/partners/context.ts'
import { type HostRules, originOf } from '../../programs/partners/hosts.ts'
import { renderDocument, StaticPage } from '../../ui/static-page.tsx'

export interface GalleryView {
  programs: readonly Program[]
  rules: HostRules
  stagingTools: boolean
  /** Stylesheets. */
  styles: readonly string[]
}

const rewardSummaries: Record<string, string> = {
  Mile: 'Miles for every meal',
  Point: 'Points for every stay at the table',
  Dollar: 'Savings on the next fill-up',
  Credit: 'Credit back on the statement',
}
const enrollmentSummaries: Record<string, string> = {
  direct: 'Members join here',
  sso: 'Members sign in with their bank',
  none: 'Browse only',
}

/** Renders the page of all sample programs. */
export function renderGallery({ programs, rules, stagingTools, styles }: GalleryView): string {
  const head = (
    <>
      <meta name="description" content="Open-source, card-linked dining rewards under any brand." />
      {styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
    </>
  )
  return renderDocument(
    <StaticPage title="Dineback: one platform, five programs" className="gallery" head={head}>
      <header>
        <p className="brand">Dineback</p>
        <h1>
          One platform. <em>Any brand at the table.</em>
        </h1>
        <p className="lead">
          Five sample programs run in this one process. Each has its own look, its own money and its own way in. Open
          one, find a table, link a test card and watch a meal turn into a reward.
        </p>
      </header>
      <main>
        <ul className="programs">
          {programs.map((program) => (
            <Card
              key={program.config.code}
              program={program}
              origin={originOf(program.config.code, rules)}
              stagingTools={stagingTools}
            />
          ))}
        </ul>
      </main>
      <footer>
        <p>
          Words and pages are edited at the <a href={originOf('console', rules)}>console</a>.
        </p>
        <p>Restaurants, members and companies shown here are invented.</p>
      </footer>
    </StaticPage>,
  )
}

function Card({ program, origin, stagingTools }: { program: Program; origin: string; stagingTools: boolean }) {
  const { config, logo } = program
  const isGuide = config.enrollmentType === 'none'
  const what = isGuide ? 'A guide to the city’s tables' : rewardSummaries[config.currencyType]
  return (
    <li className={`program program-${config.code}`}>
      <a className="link" href={`${origin}/`}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the logo file of the program */}
        <span className="logo" aria-hidden="true" dangerouslySetInnerHTML={{ __html: logo }} />
        <strong>{config.programName}</strong>
        <span className="what">{config.tagline || what}</span>
      </a>
      <p className="facts">
        <span>{what}</span>
        <span>{enrollmentSummaries[config.enrollmentType]}</span>
      </p>
      {stagingTools && !isGuide && (
        <a className="tools" href={`${origin}/staging-tools`}>
          Staging tools
        </a>
      )}
    </li>
  )
}
