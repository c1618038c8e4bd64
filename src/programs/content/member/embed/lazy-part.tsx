import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import action from '../../../../ui/Action.module.css'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { useCopy } from './use-copy.tsx'

/**
 * Returns a component whose code is loaded when it is shown. Without a network, or after a deployment removed the file,
 * a message with a button is in its place; the rest of the page stays.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P & { fallback?: ReactNode }> {
  const Loaded = lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: NotLoaded as ComponentType<P> }),
    ),
  )
  return ({ fallback, ...props }) => (
    <Suspense fallback={fallback}>
      <Loaded {...(props as unknown as P)} />
    </Suspense>
  )
}

// A document does not request a file twice, and a deployment has other files: a new document loads them. Without a network
// there is none.
const reload = () => navigator.onLine && window.location.reload()

/** Stands for a part of a page that could not be loaded. */
export function NotLoaded({ onRetry = reload }: { onRetry?: () => void }) {
  const t = useCopy()
  return (
    <div role="alert">
      <EmptyState
        level={3}
        title={t('errors.offline')}
        tagline=""
        action={
          <button type="button" className={action.action} onClick={onRetry}>
            {t('offline.retry')}
          </button>
        }
      />
    </div>
  )
}
