import type { ChangeEvent } from 'react'
import { apiQueryKey } from '../../platform/browser/query.ts'
import { useQueryCache } from '../../platform/browser/use-query.ts'
import { useApiMutation } from '../../programs/content/member/embed/use-api-mutation.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { listStagingMembers, loadMembers } from '../contract.ts'
import { stagingText } from '../copy.ts'

/** Loads a partner's file of enrolled members, as `npm run load:members` does. */
export function LoadMembers() {
  const cache = useQueryCache()
  const toasts = useToasts()
  const { run, data: loaded } = useApiMutation(
    async (send, file: File) => send(loadMembers, { body: { lines: await file.text() } }),
    {
      onSuccess: () => cache.invalidate(apiQueryKey(listStagingMembers)),
      onFailure: (message) => toasts.show({ kind: 'error', message }),
    },
  )
  function load({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    if (file) void run(file)
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
