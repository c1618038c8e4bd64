import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../../platform/html.ts'

interface ManifestChunk {
  file: string
  isEntry?: boolean
  css?: string[]
  imports?: string[]
}

/** The files of the console's browser code that a page loads first. */
export interface ConsoleBundle {
  entry: string
  preload: readonly string[]
  styles: readonly string[]
}

/** Reads which files the build of the console wrote to `dist/console`. Throws when there is no build. */
export function loadConsoleBundle(dist: string): ConsoleBundle {
  const manifest: Record<string, ManifestChunk> = JSON.parse(
    readFileSync(join(dist, 'console/.vite/manifest.json'), 'utf8'),
  )
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) throw new Error(`${dist}/console has no entry: build again`)
  const preload = (entry.imports ?? []).flatMap((name) => manifest[name]?.file ?? [])
  const chunks = [entry, ...(entry.imports ?? []).flatMap((name) => manifest[name] ?? [])]
  const styles = new Set(chunks.flatMap(({ css = [] }) => css))
  return {
    entry: `/${entry.file}`,
    preload: preload.map((file) => `/${file}`),
    styles: [...styles].map((f) => `/${f}`),
  }
}

/**
 * Returns the document of every page of the console; its script shows the page of the address. The nonce allows the style
 * elements that the script adds. With the chosen color scheme, the page is not light for a moment before the script runs.
 */
export function consoleDocument(
  { entry, preload, styles }: ConsoleBundle,
  nonce: string,
  scheme: 'light' | 'dark' | null = null,
): string {
  return `<!doctype html>
<html lang="en"${scheme === null ? '' : ` data-mantine-color-scheme="${scheme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme ?? 'light dark'}">
<meta name="csp-nonce" nonce="${escapeHtml(nonce)}">
<title>Dineback console</title>
<link rel="icon" href="data:,">
${styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`).join('\n')}
${preload.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}">`).join('\n')}
<script type="module" src="${escapeHtml(entry)}"></script>
</head>
<body>
<div id="root"></div>
<noscript><p>The console needs JavaScript. Content can also be edited without it: <a href="/programs">programs</a>.</p></noscript>
</body>
</html>
`
}
