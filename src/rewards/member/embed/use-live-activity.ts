import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { streamActivity } from '../../contract.ts'
import { forgetActivity } from './ask-activity.ts'

/** Keeps the shown activity true: the server says when something changed, and the page asks again. */
export function useLiveActivity(): void {
  const cache = useQueryClient()
  useEffect(() => {
    const source = new EventSource(streamActivity.path)
    const refresh = () => void forgetActivity(cache)
    source.addEventListener('activity', refresh)
    // What changed while the line was down is asked for when it is back.
    source.addEventListener('open', refresh)
    return () => source.close()
  }, [cache])
}
