import type { Ctx } from '../../platform/http/context.ts'
import { renderDocument, StaticPage } from '../../ui/static-page.tsx'

export interface PageStyles {
  /** Stylesheets to link. */
  links: readonly string[]
  /** Font faces. The files are those of the program's other pages, which the service worker has stored. */
  fonts: string
}

/**
 * Renders the fallback page for unavailable pages. The service worker stores it and shows it under any URL, so it is a
 * separate document: the app would load the page of that URL.
 */
export function renderOfflinePage(
  { program, t }: Pick<Ctx, 'program' | 't'>,
  { links, fonts }: PageStyles,
  nonce: string,
): string {
  const head = (
    <>
      {[...links, program.themeHref].map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rules of our own stylesheets */}
      <style nonce={nonce} dangerouslySetInnerHTML={{ __html: fonts + ownStyles }} />
    </>
  )
  return renderDocument(
    <StaticPage title={`${t('offline.title')} · ${program.config.programName}`} head={head}>
      <main>
        <img src="/mark.svg" width="64" height="64" alt="" />
        <h1>{t('offline.title')}</h1>
        <p id="cached" data-some={t('offline.text')}>
          {t('offline.empty')}
        </p>
        <ul id="pages" />
        <p>
          {/* biome-ignore lint/a11y/useValidAnchor: reloads the page, whatever its URL is */}
          <a href="">{t('offline.retry')}</a>
        </p>
      </main>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: constant code without inserted values */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: listCachedPages }} />
    </StaticPage>,
  )
}

const ownStyles =
  'main{max-width:36rem;margin:12vh auto;padding:0 1.5rem}img{border-radius:var(--radius-card)}ul{list-style:none;padding:0}li a{display:flex;align-items:center;min-height:44px;border-bottom:1px solid var(--line);overflow-wrap:anywhere}'

// Lists the cached pages, newest first.
const listCachedPages = `
(async () => {
  const name = (await caches.keys()).find((each) => each.startsWith('dineback-pages-'))
  if (!name) return
  const cache = await caches.open(name)
  const requests = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== '/offline').reverse()
  const pages = await Promise.all(requests.map(async (request) => {
    const html = await (await cache.match(request)).text()
    // Without its style, which the policy of this page would reject.
    const page = new DOMParser().parseFromString(html.replace(/<style>[^]*?<\\/style>/g, ''), 'text/html')
    return { url: new URL(request.url), title: page.title }
  }))
  if (pages.length === 0) return
  const note = document.getElementById('cached')
  note.textContent = note.dataset.some
  document.getElementById('pages').append(...pages.map(({ url: { pathname, search }, title }) => {
    const item = document.createElement('li')
    const link = document.createElement('a')
    link.href = pathname + search
    link.textContent = title || pathname
    item.append(link)
    return item
  }))
})()
`
