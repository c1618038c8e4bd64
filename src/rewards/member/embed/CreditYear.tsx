import { useSuspenseQuery } from '@tanstack/react-query'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { formatCents } from '../../../kit/money.ts'
import { ask, type PageArgs, useApi } from '../../../kit/web/query.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { getDineSummary } from '../../contract.ts'

export async function loadCreditYear({ api, cache, config }: PageArgs): Promise<void> {
  if (config.currencyType === 'Credit') await cache.ensureQueryData(ask(api, getDineSummary, {}))
}

/** The rewards of this year where they are credit. */
export function CreditYear({ className }: { className?: string | undefined }) {
  const t = useCopy()
  const { config } = useProgram()
  const { currentYearBenefits } = useSuspenseQuery(ask(useApi(), getDineSummary, {})).data
  return (
    <>
      <p className={className}>{formatCents(Math.round(currentYearBenefits * 100))}</p>
      <p>{t('overview.year_to_date', { unit: config.currencyName, year: new Date().getUTCFullYear() })}</p>
    </>
  )
}
