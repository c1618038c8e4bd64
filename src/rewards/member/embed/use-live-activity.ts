import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { streamActivity } from '../../contract.ts'
import { forgetActivity } from './ask-activity.ts'

/** Keeps the shown activity true: the server says when something changed, and the page asks again. */
export function useLiveActivity(): void {
  const cache = useQueryClient()
  const { operator } = useProgram()
  useEffect(() => {
    // A stream cannot say that it comes from the frame of support, which looks once.
    if (operator) return
    const source = new EventSource(streamActivity.path)
    const refresh = () => void forgetActivity(cache)
    source.addEventListener('activity', refresh)
    // What changed while the line was down is asked for when it is back.
    source.addEventListener('open', refresh)
    return () => source.close()
  }, [cache, operator])
}
