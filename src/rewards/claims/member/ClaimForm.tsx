import { useRef, useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { focusShown } from '../../../platform/browser/focus-shown.ts'
import { apiQueryKey } from '../../../platform/browser/query.ts'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { readForm } from '../../../platform/form-fields.ts'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useFieldText } from '../../../programs/content/member/embed/use-field-text.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { ScriptForm } from '../../../ui/ScriptForm.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { listClaims, openClaim } from '../contract.ts'
import { ClaimNote, type MissingTransaction } from '../forms.ts'
import { maxReceiptBytes, type ReceiptType, receiptTypes } from '../rules.ts'
import styles from './MissingTransactionPage.module.css'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

interface Props {
  transaction: MissingTransaction
  /** The member says that it is none of the meals in the history and in earlier claims. */
  isAnother: boolean
  onOpened: () => void
}

/** Form for a claim about an unexplained transaction: a note and a receipt, for an operator. */
export function ClaimForm({ transaction, isAnother, onOpened }: Props) {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const [receiptError, setReceiptError] = useState<string | undefined>(undefined)
  const receipt = useRef<HTMLInputElement>(null)
  const [noteError, setNoteError] = useState<string | undefined>(undefined)
  const note = useRef<HTMLInputElement>(null)
  const fieldText = useFieldText()
  const { run, isPending, problem, error } = useApiMutation(
    async (send, { note, file }: { note: string; file: File | null }) => {
      const attached = file && (await readFile(file))
      const another = isAnother && { anotherMeal: true }
      return send(openClaim, { body: { ...transaction, note, ...another, ...(attached && { receipt: attached }) } })
    },
    {
      async onSuccess({ answerBy }) {
        await cache.invalidate(apiQueryKey(listClaims))
        toasts.show({ kind: 'success', message: t('claims.opened', { by: day.format(new Date(answerBy)) }) })
        onOpened()
      },
      onFailure: (_message, failure) => showReceiptError(receiptErrorIn(failure)),
    },
  )

  function showReceiptError(message: string | undefined) {
    setReceiptError(message)
    if (message) focusShown(receipt.current)
  }

  function readNote(note: string) {
    const read = readForm(ClaimNote, { note })
    setNoteError(read.errors.note)
    return read
  }

  function submit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const given = data.get('receipt')
    const file = given instanceof File && given.size > 0 ? given : null
    const wrong = file && problemOf(file)
    showReceiptError(wrong ? t(wrong) : undefined)
    const typed = readNote(String(data.get('note') ?? ''))
    if (typed.errors.note) return focusShown(note.current)
    if (!wrong) void run({ ...typed.values, file })
  }

  return (
    <ScriptForm onSubmit={submit} className={styles.form}>
      <h3>{t('claims.open_title')}</h3>
      <p>{t('claims.open_lead_days')}</p>
      {problem && !receiptErrorIn(error) && <FormBanner type="error" title={t('form.error_title')} message={problem} />}
      <TextField
        ref={note}
        label={t('claims.note')}
        name="note"
        error={fieldText(noteError)}
        onBlur={(event) => readNote(event.target.value)}
      />
      <TextField
        ref={receipt}
        label={t('claims.receipt')}
        name="receipt"
        type="file"
        accept={receiptTypes.join(',')}
        error={receiptError}
      />
      <p>
        <Button type="submit" busy={isPending ? t('claims.opening') : false}>
          {t('claims.open')}
        </Button>
      </p>
    </ScriptForm>
  )
}

/** Returns the server's error about the receipt. */
function receiptErrorIn(error: unknown): string | undefined {
  if (!(error instanceof ApiCallError)) return undefined
  return error.fields.find(({ field }) => field.startsWith('receipt'))?.message
}

const isReceiptType = (type: string): type is ReceiptType => receiptTypes.some((known) => known === type)

function problemOf({ size, type }: File): string | null {
  if (!isReceiptType(type)) return 'claims.receipt_wrong'
  return size > maxReceiptBytes ? 'claims.receipt_large' : null
}

async function readFile(file: File): Promise<{ name: string; type: ReceiptType; content: string }> {
  const content = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return { name: file.name.slice(-120), type: file.type as ReceiptType, content }
}
