import type { ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

interface StaticPageProps {
  title: string
  /** More elements of `head`. */
  head?: ReactNode
  className?: string
  children: ReactNode
}

/** A document without scripts of the app, rendered on the server only. */
export function StaticPage({ title, head, className, children }: StaticPageProps) {
  return (
    <html lang="en-US">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {head}
      </head>
      <body className={className}>{children}</body>
    </html>
  )
}

export const renderDocument = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`

/** Returns a page of paragraphs without styles and scripts. */
export function renderPlainPage(title: string, texts: readonly string[]): string {
  return renderDocument(
    <StaticPage title={title}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </StaticPage>,
  )
}
