import {
  type ComponentType,
  createContext,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useRef,
  useState,
  useTransition,
} from 'react'
import action from '../../../../ui/Action.module.css'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { useCopy } from './use-copy.tsx'

type Load<P> = () => Promise<ComponentType<P>>

/** The code of a part, as it was loaded last. */
interface Code<P> {
  load: Load<P>
  hasFailed: boolean
  current: LazyExoticComponent<ComponentType<P>>
}

/**
 * Returns a component whose code is loaded when it is shown. Without a network, or after a deployment removed the file,
 * a message with a button is in its place; the rest of the page stays.
 */
export function lazyPart<P extends object>(load: Load<P>): ComponentType<P & { fallback?: ReactNode }> {
  const code = { load, hasFailed: false } as Code<P>
  loadCode(code, false)
  return ({ fallback, ...props }) => <Part code={code} props={props as unknown as P} fallback={fallback} />
}

function loadCode<P>(code: Code<P>, isRepeated: boolean): Code<P>['current'] {
  code.current = lazy(async () => {
    try {
      const part = await code.load()
      code.hasFailed = false
      return { default: part }
    } catch {
      // A document does not request a file twice, and a deployment has other files: a new document loads them.
      if (isRepeated && navigator.onLine) window.location.reload()
      code.hasFailed = true
      return { default: NotLoaded }
    }
  })
  return code.current
}

interface PartProps<P> {
  code: Code<P>
  props: P
  fallback: ReactNode
}

function Part<P extends object>({ code, props, fallback }: PartProps<P>) {
  const [Shown, setShown] = useState(() => (code.hasFailed ? loadCode(code, false) : code.current))
  const [isRepeated, setIsRepeated] = useState(false)
  const [isPending, startTransition] = useTransition()
  const repeat = () =>
    startTransition(() => {
      setShown(loadCode(code, true))
      setIsRepeated(true)
    })
  return (
    <RetryContext value={{ repeat, isPending, isRepeated }}>
      <Suspense fallback={fallback}>
        <Shown {...props} />
      </Suspense>
    </RetryContext>
  )
}

const RetryContext = createContext({ repeat() {}, isPending: false, isRepeated: false })

function NotLoaded() {
  const t = useCopy()
  const { repeat, isPending, isRepeated } = use(RetryContext)
  const button = useRef<HTMLButtonElement>(null)
  // The button that was pressed has been replaced by this one.
  useEffect(() => {
    if (isRepeated) button.current?.focus()
  }, [isRepeated])
  return (
    <div role="alert">
      <EmptyState
        level={3}
        title={t('errors.offline')}
        tagline=""
        action={
          <button type="button" ref={button} className={action.action} onClick={() => !isPending && repeat()}>
            {t('offline.retry')}
          </button>
        }
      />
    </div>
  )
}
