import { useEffect, useRef, useState } from 'react'
import { cardsOfMember } from '../../cards/member/embed/cards-of-member.ts'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../content/member/embed/use-failure-text.ts'
import { ApiError } from '../../kit/web/api.ts'
import { useApi } from '../../kit/web/query.ts'
import { leftForSignIn } from '../../kit/web/redirects.ts'
import { type NamedMerchant, useNamedMerchants } from '../../merchants/member/embed/use-named-merchants.ts'
import { Button } from '../../ui/Button.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type Explanation, explainMissing, type MissingMeal } from '../contract.ts'
import styles from './MissingMealPage.module.css'

interface Props {
  onExplained: (meal: MissingMeal, explanation: Explanation) => void
  /** What was explained is no longer what stands in the form. */
  onChange: () => void
}

/** When, where and how much: what one remembers of a meal. */
export function MealForm({ onExplained, onChange }: Props) {
  const t = useCopy()
  const api = useApi()
  const failureText = useFailureText()
  const cards = cardsOfMember.use()
  const [place, setPlace] = useState('')
  const places = useNamedMerchants(place)
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  async function submit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const field = (name: string) => String(data.get(name) ?? '').trim()
    const found = chosenOf(places, place.trim())
    const meal = {
      date: field('date'),
      merchantName: found?.name ?? place.trim(),
      amount: field('amount'),
      ...(found && { merchantId: found.id }),
      ...(field('card') !== '' && { cardId: field('card') }),
    }
    setBusy(true)
    setProblem(null)
    setErrors({})
    try {
      onExplained(meal, await api.call(explainMissing, { body: meal }))
    } catch (error) {
      if (leftForSignIn(error)) return
      const fields = error instanceof ApiError ? error.fields : []
      setErrors(
        Object.fromEntries(
          fields.map(({ field: name, message }) => [name, name === 'date' ? t('claims.date_wrong') : message]),
        ),
      )
      if (fields.length === 0) setProblem(failureText(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <ScriptForm ref={form} onSubmit={submit} onChange={onChange} className={styles.form}>
      {problem && <FormBanner type="error" title={t('form.error_title')} message={problem} />}
      <TextField
        label={t('claims.date')}
        name="date"
        type="date"
        max={new Date().toISOString().slice(0, 10)}
        error={errors.date}
      />
      <Combobox
        label={t('claims.merchant')}
        name="merchant"
        value={place}
        options={places.map(({ text }) => text)}
        listLabel={t('claims.merchants')}
        countText={(count) => t('claims.merchants_count', { count })}
        error={errors.merchantName}
        maxLength={120}
        onType={setPlace}
        onChoose={(text) => {
          setPlace(text)
          onChange()
        }}
      />
      <TextField label={t('claims.amount')} name="amount" inputMode="decimal" error={errors.amount} />
      <SelectField label={t('claims.card')} name="card">
        <option value="">{t('claims.card_any')}</option>
        {cards.map(({ id, description, lastFour }) => (
          <option key={id} value={id}>
            {description} {t('cards.ending_in', { lastFour })}
          </option>
        ))}
      </SelectField>
      <p>
        <Button type="submit" busy={busy ? t('claims.asking') : false}>
          {t('claims.ask')}
        </Button>
      </p>
    </ScriptForm>
  )
}

/** The one that was picked, or the only one nearby of just this name. */
function chosenOf(places: readonly NamedMerchant[], typed: string): NamedMerchant | undefined {
  const named = places.filter(({ name }) => name.toLowerCase() === typed.toLowerCase())
  return places.find(({ text }) => text === typed) ?? (named.length === 1 ? named[0] : undefined)
}
