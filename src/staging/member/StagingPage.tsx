import { useState } from 'react'
import { searchMerchants } from '../../dining/merchants/contract.ts'
import { ApiCallError } from '../../platform/browser/api.ts'
import { apiQuery, apiQueryKey, type PageArgs, useApiSuspenseQuery } from '../../platform/browser/query.ts'
import { Link } from '../../platform/browser/router/Link.tsx'
import { useSearchParams } from '../../platform/browser/router/RouterProvider.tsx'
import { useQueryCache } from '../../platform/browser/use-query.ts'
import { useApiMutation } from '../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { listStagingCards, loadPartnerCards, sendDine } from '../contract.ts'
import { stagingText } from '../copy.ts'
import { FeatureFlags } from './FeatureFlags.tsx'
import styles from './StagingPage.module.css'

const nearby = { query: { location: '10001', pageSize: 50 } } as const

export async function load({ api, cache }: PageArgs): Promise<void> {
  await Promise.all([
    cache.fetch({ ...apiQuery(api, listStagingCards, {}), staleTime: 0 }),
    cache.ensure(apiQuery(api, searchMerchants, nearby)),
  ])
}

/** Sends signed card-network events, to simulate transactions. */
export function Page() {
  const t = useCopy()
  const { cards } = useApiSuspenseQuery(listStagingCards, {})
  return (
    <div className={styles.page}>
      <Meta title={t('staging.title')} />
      <h1>{t('staging.title')}</h1>
      <p>{t('staging.lead')}</p>
      <h2>{t('staging.dine')}</h2>
      {cards.length === 0 ? (
        <EmptyState level={3} title={t('staging.no_cards')} tagline="" />
      ) : (
        <DineForm cards={cards} />
      )}
      <SampleCards />
      <h2>{t('staging.switches')}</h2>
      <FeatureFlags />
      <p>
        <Link to="/staging-tools/states">{stagingText('states.title')}</Link> ·{' '}
        <Link to="/staging-tools/outbox">{t('mail.outbox')}</Link> ·{' '}
        <Link to="/staging-tools/native">{t('staging.native')}</Link>
      </p>
    </div>
  )
}

/** In programs with partner-loaded cards: loads sample cards for the signed-in member. */
function SampleCards() {
  const t = useCopy()
  const toasts = useToasts()
  const { config } = useProgram()
  const { run } = useApiMutation(loadPartnerCards, {
    // The page is for visitors too: the message says that a member is needed.
    staysOn401: true,
    onSuccess: () => toasts.show({ kind: 'success', message: t('staging.cards_loaded') }),
    onFailure: (message) => toasts.show({ kind: 'error', message }),
  })
  if (!config.hasPartnerLoadedCards) return null
  return (
    <>
      <h2>{t('staging.partner_cards')}</h2>
      <p>{t('staging.partner_cards_lead')}</p>
      <Button type="button" variant="secondary" onClick={() => run({})}>
        {t('staging.load_cards')}
      </Button>
    </>
  )
}

const fieldOf = (data: FormData, name: string) => String(data.get(name) ?? '')

function DineForm({ cards }: { cards: { id: string; member: string; lastFour: string }[] }) {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const search = useSearchParams()
  const { merchants } = useApiSuspenseQuery(searchMerchants, nearby)
  const [transactionId, setTransactionId] = useState<string | undefined>(undefined)
  const { run, isPending } = useApiMutation(sendDine, {
    failureText(error) {
      const message = error instanceof ApiCallError ? (error.fields[0]?.message ?? error.title) : t('errors.offline')
      return message || t('errors.general')
    },
    async onSuccess(sent) {
      setTransactionId(sent.transactionId)
      toasts.show({ kind: 'success', message: t('staging.sent', { outcome: sent.outcome }) })
      await cache.invalidate(apiQueryKey(listStagingCards))
    },
    onFailure: (message) => toasts.show({ kind: 'error', message }),
  })

  function submit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const kind = fieldOf(data, 'event') as 'auth' | 'clearing' | 'refund'
    void run({
      body: {
        cardId: fieldOf(data, 'card'),
        merchantId: fieldOf(data, 'merchant').trim(),
        amount: fieldOf(data, 'amount'),
        event: kind,
        // A clearing or refund belongs to the last authorized transaction.
        ...(kind !== 'auth' && transactionId && { transactionId }),
      },
    })
  }

  return (
    <ScriptForm onSubmit={submit} className={styles.form}>
      <SelectField label={t('staging.card')} name="card">
        {cards.map(({ id, member, lastFour }) => (
          <option key={id} value={id}>
            {lastFour} · {member}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('staging.merchant')}
        name="merchant"
        list="staging-merchants"
        required
        defaultValue={search.get('merchant') ?? merchants[0]?.id ?? ''}
      />
      <datalist id="staging-merchants">
        {merchants.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <TextField label={t('staging.amount')} name="amount" inputMode="decimal" required defaultValue="42.10" />
      <SelectField label={t('staging.event')} name="event">
        {(['auth', 'clearing', 'refund'] as const).map((event) => (
          <option key={event} value={event}>
            {t(`staging.event_${event}`)}
          </option>
        ))}
      </SelectField>
      <Button type="submit" busy={isPending ? t('form.busy') : false}>
        {t('staging.send')}
      </Button>
    </ScriptForm>
  )
}
