import { useLocation } from 'react-router'
import type { PageArgs } from '../../kit/web/query.ts'
import { useMember } from '../../members/member/embed/use-member.ts'
import { MerchantCarousel } from '../../merchants/member/embed/MerchantCarousel.tsx'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { SmartLink } from '../../shell/member/embed/SmartLink.tsx'
import { TrustedHtml } from '../../ui/TrustedHtml.tsx'
import { type Block, blocksOf, chooseByState, userState } from '../rules.ts'
import styles from './ContentPage.module.css'
import { askContent, type Fields, useContent } from './embed/use-content.ts'
import { useCopy, useFill, useFillHtml } from './embed/use-copy.tsx'

/** Which collection a path shows: the front pages have their own, everything else is found by its url. */
function collectionOf(pathname: string, homeIsDiscover: boolean): string {
  if (pathname === '/discover' || (pathname === '/' && homeIsDiscover)) return 'discover'
  return pathname === '/' ? 'home' : 'earn_details'
}

export async function load({ api, cache, url }: PageArgs): Promise<void> {
  const names = ['home', 'discover', 'earn_details', 'earn_banner']
  const wanted =
    url.pathname === '/' ? names.slice(0, 2) : url.pathname === '/earn' ? names.slice(2) : names.slice(1, 3)
  await Promise.all(wanted.map((name) => cache.ensureQueryData(askContent(api, name))))
  if (url.pathname === '/' || url.pathname === '/discover' || url.pathname === '/earn') return
  const entries = await cache.ensureQueryData(askContent(api, 'earn_details'))
  if (!entries.data.some(({ fields }) => fields.url === url.pathname)) throw new Response(null, { status: 404 })
}

/** A page made of content: banner, columns of blocks, disclaimer. */
export function Page() {
  const { pathname } = useLocation()
  const { config } = useProgram()
  const homeIsDiscover = config.homePage === 'Discover' && config.hasDiscoverPage
  if (pathname === '/earn') return <EarnList />
  return <Columns collection={collectionOf(pathname, homeIsDiscover)} pathname={pathname} />
}

function Columns({ collection, pathname }: { collection: string; pathname: string }) {
  const member = useMember()
  const entries = Object.values(useContent(collection)).filter((fields): fields is Fields => fields !== undefined)
  const fields =
    collection === 'earn_details'
      ? entries.find((entry) => entry.url === pathname)
      : chooseByState(entries, userState(member))
  return <ContentView fields={fields ?? {}} firstName={member?.firstName ?? ''} />
}

function ContentView({ fields, firstName }: { fields: Fields; firstName: string }) {
  const fill = useFill()
  const banner = fields.banner as { enable_banner?: boolean; include_welcome_message?: boolean } | undefined
  const main = blocksOf(fields.main_column)
  const side = blocksOf(fields.side_column)
  const text = blocksOf(fields.banner_text)
  const title = typeof fields.browser_title === 'string' ? fill(fields.browser_title) : undefined
  const showBanner = banner?.enable_banner === true && text.length > 0
  return (
    <>
      <Meta fullTitle={title} />
      {showBanner && (
        <section className={styles.banner}>
          <div className={styles.bannerText}>
            {banner.include_welcome_message && firstName !== '' && <p className={styles.welcome}>{`${firstName},`}</p>}
            <Blocks blocks={text} level={1} />
          </div>
        </section>
      )}
      <div className={styles.columns} data-side={side.length > 0 || undefined}>
        <div className={styles.main}>
          <Blocks blocks={main} level={showBanner ? 2 : 1} />
        </div>
        {side.length > 0 && (
          <aside className={styles.side}>
            <Blocks blocks={side} level={2} />
          </aside>
        )}
      </div>
      {typeof fields.disclaimer === 'string' && <Html className={styles.disclaimer} text={fields.disclaimer} />}
    </>
  )
}

function Blocks({ blocks, level }: { blocks: Block[]; level: 1 | 2 }) {
  const fill = useFill()
  let titles = 0
  return blocks.map((block, index) => {
    const key = `${block.type}-${index}`
    switch (block.type) {
      case 'title': {
        const Heading = level === 1 && titles++ === 0 ? 'h1' : 'h2'
        return <Heading key={key}>{fill(block.text)}</Heading>
      }
      case 'text':
      case 'body_text':
        return <Html key={key} text={block.text} />
      case 'button':
        return (
          <p key={key}>
            <SmartLink href={block.url} className={styles.button}>
              {fill(block.text)}
            </SmartLink>
          </p>
        )
      case 'link':
      case 'standalone_link':
        return (
          <p key={key}>
            <SmartLink href={block.url}>{fill(block.text)}</SmartLink>
          </p>
        )
      default:
        return (
          <MerchantCarousel key={key} headline={fill(block.headline)} body={fill(block.body)} query={block.query} />
        )
    }
  })
}

function EarnList() {
  const fill = useFill()
  const t = useCopy()
  const { earn_banner: banner } = useContent('earn_banner')
  const entries = Object.values(useContent('earn_details')).filter((fields) =>
    String(fields?.url ?? '').startsWith('/earn/'),
  )
  return (
    <>
      <Meta />
      <div className={styles.columns}>
        <div className={styles.main}>
          <h1>{t('earn.title')}</h1>
          {typeof banner?.text === 'string' && <Html className={styles.lead} text={banner.text} />}
          <ul className={styles.earnList}>
            {entries.map((fields) => (
              <li key={String(fields?.url)}>
                <SmartLink href={String(fields?.url)}>
                  {fill(
                    String(fields?.browser_title ?? '')
                      .split('|')[0]
                      ?.trim() ?? '',
                  )}
                </SmartLink>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}

/** HTML that the server has sanitised; what its tokens stand for is escaped before it goes in. */
function Html({ text, className }: { text: string; className?: string | undefined }) {
  const fillHtml = useFillHtml()
  return <TrustedHtml className={className} html={fillHtml(text)} />
}
