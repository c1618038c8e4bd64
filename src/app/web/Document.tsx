import type { ReactNode } from 'react'
import { useHydrated } from '../../platform/browser/use-hydrated.ts'
import type { Boot } from './boot.ts'

/**
 * The whole HTML document. Pages render their titles and descriptions, and React hoists them here. `data-scripted` is
 * set after hydration, when buttons work.
 */
export function Document({ boot, children }: { boot: Boot; children: ReactNode }) {
  const isHydrated = useHydrated()
  return (
    <html
      lang="en-US"
      data-partner={boot.config.code}
      data-mode={boot.mode ?? undefined}
      data-scripted={isHydrated || undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={boot.themeColor.light} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={boot.themeColor.dark} />
        <link rel="icon" type="image/svg+xml" href="/mark.svg" />
        <link rel="apple-touch-icon" href="/icons/180.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <meta name="apple-mobile-web-app-title" content={boot.config.name} />
        {boot.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
}
