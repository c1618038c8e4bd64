import { apiQuery, type PageArgs, useApi } from '../../../../platform/browser/query.ts'
import { useSuspenseQuery } from '../../../../platform/browser/use-query.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { rewardParts, smallestUnits } from '../../../../programs/partners/rates.ts'
import { yearOf } from '../../../../programs/partners/rules.ts'
import { getDineSummary } from '../../contract.ts'

export async function loadCreditYear({ api, cache, config }: PageArgs): Promise<void> {
  if (config.currencyType === 'Credit') await cache.ensure(apiQuery(api, getDineSummary, {}))
}

/** The rewards of this year in programs with statement credits. */
export function CreditYear({ className }: { className?: string | undefined }) {
  const t = useCopy()
  const { config } = useProgram()
  const { currentYearBenefits } = useSuspenseQuery(apiQuery(useApi(), getDineSummary, {}))
  const { number, unit } = rewardParts(config, smallestUnits(config, currentYearBenefits))
  return (
    <>
      <p className={className}>{number}</p>
      <p>{t('overview.year_to_date', { unit, year: yearOf(config, new Date()) })}</p>
    </>
  )
}
