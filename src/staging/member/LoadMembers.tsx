import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { apiQueryKey, useApi } from '../../platform/browser/query.ts'
import type { ReplyOf } from '../../platform/call.ts'
import { useFailureText } from '../../programs/content/member/embed/use-failure-text.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { listStagingMembers, loadMembers } from '../contract.ts'
import { stagingText } from '../copy.ts'

/** Loads a partner's file of enrolled members, as `npm run load:members` does. */
export function LoadMembers() {
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const [loaded, setLoaded] = useState<ReplyOf<typeof loadMembers> | null>(null)
  async function load({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    if (!file) return
    try {
      setLoaded(await api.call(loadMembers, { body: { lines: await file.text() } }))
      await cache.invalidateQueries({ queryKey: apiQueryKey(listStagingMembers) })
    } catch (error) {
      toasts.show({ kind: 'error', message: failureText(error) })
    }
  }
  return (
    <>
      <p>{stagingText('states.activations_lead')}</p>
      <TextField label={stagingText('states.activations_file')} type="file" accept=".ndjson,.jsonl" onChange={load} />
      {loaded && (
        <ul role="status">
          {loaded.members.map(({ email, publicId }) => (
            <li key={publicId}>
              <a href={`/activate?publicId=${publicId}`}>{email}</a>
            </li>
          ))}
          {loaded.problems.map(({ line, problem }) => (
            <li key={line}>{stagingText('states.activations_problem', { line, problem })}</li>
          ))}
        </ul>
      )}
    </>
  )
}
