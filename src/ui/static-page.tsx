import type { ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

interface StaticPageProps {
  title: string
  /** More elements of `head`. */
  head?: ReactNode
  className?: string
  /** A color scheme other than the system's. */
  scheme?: 'light' | 'dark' | null
  children: ReactNode
}

/** A document without scripts of the app, rendered on the server only. */
export function StaticPage({ title, head, className, scheme, children }: StaticPageProps) {
  return (
    <html lang="en-US" data-scheme={scheme ?? undefined}>
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

/** Returns a page of paragraphs without styles and scripts; a link in it leads the whole window, out of a frame. */
export function renderPlainPage(
  title: string,
  texts: readonly string[],
  link?: { text: string; href: string },
): string {
  return renderDocument(
    <StaticPage title={title}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {link && (
        <p>
          <a href={link.href} target="_top">
            {link.text}
          </a>
        </p>
      )}
    </StaticPage>,
  )
}
