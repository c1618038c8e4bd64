import { useEffect } from 'react'
import { useQueryCache } from '../../../../platform/browser/use-query.ts'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { streamActivity } from '../../contract.ts'
import { invalidateActivity } from './activity-query.ts'

/** Refreshes the shown activity when the server reports a change. */
export function useLiveActivity(): void {
  const cache = useQueryCache()
  const { apiBase, operator } = useProgram()
  useEffect(() => {
    // A stream cannot identify itself as part of an impersonation, which loads the activity once.
    if (operator) return
    const source = new EventSource(apiBase + streamActivity.path)
    const refresh = () => void invalidateActivity(cache)
    source.addEventListener('activity', refresh)
    // Reload what changed while the connection was down.
    source.addEventListener('open', refresh)
    return () => source.close()
  }, [apiBase, cache, operator])
}
