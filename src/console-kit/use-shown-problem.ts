import { useEffect, useRef } from 'react'

/**
 * Brings a problem into view, wherever the form was scrolled to: the first field that is marked as wrong gets the focus, or
 * else what says the problem. Returns the references of the form and of what says it.
 */
export function useShownProblem(problem: unknown) {
  const form = useRef<HTMLFormElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!problem) return
    // The fields are marked by the state of the act, which follows in a turn of its own.
    const turn = setTimeout(() =>
      (form.current?.querySelector<HTMLElement>('[aria-invalid=true]') ?? alert.current)?.focus(),
    )
    return () => clearTimeout(turn)
  }, [problem])
  return { form, alert }
}
