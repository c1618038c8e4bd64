import type { ReactNode } from 'react'
import { renderDocument, StaticPage } from '../../ui/static-page.tsx'

export interface ConsoleFrame {
  title: string
  /** The heading, when it differs from the title. */
  heading?: string
  /** The signed-in operator; null on the sign-in page. */
  operator: { name: string; csrfToken: string } | null
  /** The chosen color scheme; null: that of the system. */
  scheme?: 'light' | 'dark' | null
  /** Breadcrumbs, outermost page first. */
  breadcrumbs?: readonly { label: string; href: string }[]
}

/** Returns a console page as a document: `Page` with its props, inside the layout. */
export function renderConsolePage<P extends object>(
  frame: ConsoleFrame,
  Page: (props: P) => ReactNode,
  props: NoInfer<P>,
): string {
  return renderDocument(
    <Layout {...frame}>
      <Page {...props} />
    </Layout>,
  )
}

/** The layout of all console pages: one stylesheet, English only. */
function Layout({
  title,
  heading = title,
  operator,
  scheme = null,
  breadcrumbs = [],
  children,
}: ConsoleFrame & { children: ReactNode }) {
  return (
    <StaticPage
      title={`${title} · Dineback console`}
      head={<link rel="stylesheet" href="/console.css" />}
      scheme={scheme}
    >
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header>
        <a className="home" href="/">
          Dineback console
        </a>
        {operator && (
          <form method="post" action="/sign-out">
            <CsrfField token={operator.csrfToken} />
            <a href="/security">{operator.name}</a>{' '}
            <button type="submit" className="quiet">
              Sign out
            </button>
          </form>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {breadcrumbs.length > 0 && (
          <nav aria-label="Breadcrumb">
            <ol>
              {breadcrumbs.map(({ label, href }) => (
                <li key={href}>
                  <a href={href}>{label}</a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1>{heading}</h1>
        {children}
      </main>
    </StaticPage>
  )
}

/** The result of an action, at the top of the page. Renders nothing without text. */
export function Notice({ kind, text }: { kind: 'done' | 'wrong'; text: string | null }) {
  if (text === null) return null
  return (
    <p
      className={`notice ${kind}`}
      role={kind === 'done' ? 'status' : 'alert'}
      {...(kind === 'wrong' && { id: problemId })}
    >
      {text}
    </p>
  )
}

const problemId = 'problem'

/**
 * Returns the attributes of a field that the notice is about. Alerts that are present at page load are not announced:
 * the focused field refers to the notice instead.
 */
export const wrongField = (isWrong: boolean) =>
  isWrong ? { autoFocus: true, 'aria-invalid': true, 'aria-describedby': problemId } : {}

/** The CSRF field of every form of the console. */
export function CsrfField({ token }: { token: string }) {
  return <input type="hidden" name="csrf" value={token} />
}

/** A page with a message only, for errors. */
export function MessagePage({ text }: { text: string }) {
  return (
    <>
      <p>{text}</p>
      <p>
        <a href="/">Home</a>
      </p>
    </>
  )
}

/** A table that may be wider than the screen. It scrolls, also with the keyboard. */
export function WideTable(props: { children: ReactNode } & ({ label: string } | { labelledBy: string })) {
  const name = 'label' in props ? { 'aria-label': props.label } : { 'aria-labelledby': props.labelledBy }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="wide full-width" {...name} tabIndex={0}>
      <table>{props.children}</table>
    </section>
  )
}
