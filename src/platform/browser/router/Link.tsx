import { type ComponentProps, type MouseEvent, useEffect } from 'react'
import { isPlainClick } from './is-plain-click.ts'
import { useLocation, useNavigate, useRouter } from './RouterProvider.tsx'
import { addressOf, type NavigateOptions, resolveAddress } from './router.ts'

interface Props extends Omit<ComponentProps<'a'>, 'href'>, Omit<NavigateOptions, 'state'> {
  /** A path of this program, or `?query` or `#fragment` of the current page. */
  to: string
  /** What the link passes to its page; a function is called when the link is followed. */
  state?: unknown
}

/** A link to another page of the program, without loading a document. Works as a plain link before hydration. */
export function Link({ to, replace, state, preventScrollReset, onClick, ...rest }: Props) {
  const navigate = useNavigate()
  const location = useLocation()
  const { target, download } = rest

  function go(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event) || download !== undefined) return
    if (target !== undefined && target !== '_self') return
    event.preventDefault()
    void navigate(to, {
      state: typeof state === 'function' ? state() : state,
      ...(replace !== undefined && { replace }),
      ...(preventScrollReset && { preventScrollReset }),
    })
  }

  return <a {...rest} href={to.startsWith('/') ? to : addressOf(resolveAddress(to, location))} onClick={go} />
}

/**
 * Goes to another page as soon as it is rendered; the current history entry is replaced. Does nothing on a page that the
 * router has left already: what made it redirect, such as the end of the session, may have followed that navigation.
 */
export function Navigate({ to }: { to: string }) {
  const { navigate, state } = useRouter()
  const { key } = useLocation()
  useEffect(() => {
    if (state().location.key === key) void navigate(to, { replace: true })
  }, [navigate, state, key, to])
  return null
}
