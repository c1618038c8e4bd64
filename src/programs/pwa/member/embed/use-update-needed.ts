import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { needsUpdate } from '../../rules.ts'

/** Returns whether the native app around this page is too old for the program. */
export function useUpdateNeeded(): boolean {
  const { nativeApp, config } = useProgram()
  return needsUpdate(nativeApp, config.minimumAppVersion)
}
