import type { Pools } from '../../platform/database/db.ts'
import { anonymousActor, type Ctx } from '../../platform/http/context.ts'
import { translate } from '../../programs/content/messages.ts'
import type { ContentCache } from '../../programs/content/service.ts'
import type { Program } from '../../programs/partners/context.ts'
import { withOverrides } from '../../programs/partners/rules.ts'
import type { FlagCache } from '../../programs/partners/service.ts'

export interface PartnerContextDeps {
  pools: Pools
  programs: ReadonlyMap<string, Program>
  content: ContentCache
  flags: FlagCache
  returningKey: Buffer
  now: () => Date
}

/** Creates the context of work for a partner: of a request, a background job or a command. Loads no HTTP server. */
export function createPartnerContext(
  deps: PartnerContextDeps,
  partnerId: string,
  work: Pick<Ctx, 'requestId' | 'address' | 'userAgent' | 'log' | 'mayPreview' | 'hasPreviewPass'>,
): Ctx {
  const program = deps.programs.get(partnerId) as Program
  const flags = deps.flags.of(partnerId)
  const [live, drafts] = [deps.content.of(partnerId), deps.content.drafts(partnerId)]
  const shown = work.mayPreview ? drafts : live
  return {
    ...work,
    partnerId,
    program: currentProgram(program, flags),
    flags,
    content: { live, drafts, shown },
    db: deps.pools.forPartner(partnerId),
    actor: anonymousActor,
    returningKey: deps.returningKey,
    t: (key) => translate(shown.catalog, key),
    now: deps.now,
  }
}

const currentPrograms = new WeakMap<Ctx['flags'], Program>()

/** Returns the program with the overrides of its flags; computed once per state, because every request reads it. */
function currentProgram(program: Program, flags: Ctx['flags']): Program {
  const known = currentPrograms.get(flags)
  if (known) return known
  const current = { ...program, config: withOverrides(program.config, flags.partnerFeatureFlags) }
  currentPrograms.set(flags, current)
  return current
}
