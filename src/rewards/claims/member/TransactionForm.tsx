import { useRef, useState } from 'react'
import { type NamedMerchant, useNamedMerchants } from '../../../dining/merchants/member/embed/use-named-merchants.ts'
import { useApiFetch } from '../../../platform/browser/query.ts'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { isDay, localMoment } from '../../../platform/time.ts'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Combobox } from '../../../ui/Combobox.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { memberCardsQuery } from '../../cards/member/embed/member-cards-query.ts'
import { type Explanation, explainMissing } from '../contract.ts'
import { MissingTransaction } from '../forms.ts'
import styles from './MissingTransactionPage.module.css'

interface Props {
  onExplained: (transaction: MissingTransaction, explanation: Explanation) => void
  /** The explanation no longer matches the form. */
  onChange: () => void
}

/** Date, restaurant and amount of a missing transaction. */
export function TransactionForm({ onExplained, onChange }: Props) {
  const t = useCopy()
  const fetchApi = useApiFetch()
  const cards = memberCardsQuery.use()
  const [typedName, setTypedName] = useState('')
  const merchants = useNamedMerchants(typedName)
  const changes = useRef(0)
  // The server doesn't know the member's day.
  const lastDay = useHydrated() ? today() : undefined
  const form = useMemberForm(
    MissingTransaction,
    { date: '', merchantName: '', amount: '', cardId: '' },
    { problems: ({ date }) => (isPastDay(date) ? [] : [{ field: 'date', message: 'claims.date_wrong' }]) },
  )
  const merchant = form.field('merchantName')
  const required = { required: true, requiredText: t('form.required_reader') }

  const submit = form.submitting(async ({ cardId, ...typed }) => {
    const found = findChosen(merchants, typed.merchantName)
    const transaction = {
      ...typed,
      ...(found && { merchantName: found.name, merchantId: found.id }),
      ...(cardId && { cardId }),
    }
    const before = changes.current
    const explanation = await fetchApi(explainMissing, { body: transaction })
    // The member may have changed the form meanwhile: a claim would be about values that it no longer shows.
    if (changes.current === before) onExplained(transaction, explanation)
  })

  function change(): void {
    changes.current++
    onChange()
  }

  return (
    <MemberForm state={form} onSubmit={submit} onChange={change} className={styles.form}>
      <TextField label={t('claims.date')} type="date" max={lastDay} {...required} {...form.field('date')} />
      <Combobox
        label={t('claims.merchant')}
        requiredText={required.requiredText}
        name={merchant.name}
        registered={merchant}
        value={typedName}
        options={[...new Set(merchants.map(({ text }) => text))]}
        listLabel={t('claims.merchants')}
        countText={(count) => (count === 1 ? t('claims.merchants_count_one') : t('claims.merchants_count', { count }))}
        error={merchant.error}
        onType={setTypedName}
        onChoose={(text) => {
          setTypedName(text)
          form.form.setValue('merchantName', text, { validate: true })
          change()
        }}
      />
      <TextField label={t('claims.amount')} inputMode="decimal" {...required} {...form.field('amount')} />
      <SelectField label={t('claims.card')} {...form.field('cardId')}>
        <option value="">{t('claims.card_any')}</option>
        {cards.map(({ id, description, lastFour }) => (
          <option key={id} value={id}>
            {description} {t('cards.ending_in', { lastFour })}
          </option>
        ))}
      </SelectField>
      <p>
        <Button type="submit" busy={form.isSubmitting ? t('claims.checking') : false}>
          {t('claims.check')}
        </Button>
      </p>
    </MemberForm>
  )
}

/** Returns the day where the member is. */
const today = () => localMoment(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone).date

const isPastDay = (day: string) => isDay(day) && day <= today()

/** Returns the chosen restaurant, or the only one nearby with exactly this name. */
function findChosen(merchants: readonly NamedMerchant[], typed: string): NamedMerchant | undefined {
  const named = merchants.filter(({ name }) => name.toLowerCase() === typed.toLowerCase())
  return merchants.find(({ text }) => text === typed) ?? (named.length === 1 ? named[0] : undefined)
}
