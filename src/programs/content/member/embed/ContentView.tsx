import type { ReactNode } from 'react'
import type { Button } from '../../../../ui/Button.tsx'
import { Meta } from '../../../partners/member/embed/Meta.tsx'
import { type BannerItem, toBannerItems, toPageBanner } from '../../banners.ts'
import { toExcerpt } from '../../blocks.ts'
import type { PageFields } from '../../collections.ts'
import { BannerItems } from '../BannerItems.tsx'
import styles from '../ContentPage.module.css'
import { PageBanner } from '../PageBanner.tsx'
import { Blocks } from './Blocks.tsx'
import { Html } from './Html.tsx'
import { useFill } from './use-copy.tsx'

interface Props {
  /** Without content, only the children are shown. */
  fields: PageFields | undefined
  /** Rendered below the main column. */
  children?: ReactNode
  /** Handlers of buttons with an action. */
  actions?: Readonly<Record<string, () => void>>
  /** Set while an action is in progress; the text says so. */
  busy?: Parameters<typeof Button>[0]['busy']
}

/** A page built from the fields of one entry: banner, columns of blocks, disclaimer. */
export function ContentView({ fields, children, actions, busy }: Props) {
  const fill = useFill()
  const banner = toPageBanner(fields?.banner)
  const items = toBannerItems(fields?.banner_text ?? [])
  const main = fields?.main_column ?? []
  const side = fields?.side_column ?? []
  const title = fill(fields?.browser_title ?? '')
  const showBanner = banner !== null && items.length > 0
  const hasHeading = items.some(({ type }) => type === 'title')
  return (
    <>
      <Meta fullTitle={title || undefined} summary={fill(summaryOf(items, main)) || undefined} />
      {showBanner && <PageBanner banner={banner} items={items} prospectForm={fields?.prospect_form} />}
      {!showBanner && hasHeading && (
        <div className={styles.heading}>
          <BannerItems items={items} level={1} />
        </div>
      )}
      <div className={styles.columns} data-side={side.length > 0 || undefined}>
        <div className={styles.main}>
          <Blocks blocks={main} level={showBanner || hasHeading ? 2 : 1} actions={actions} busy={busy} />
          {children}
        </div>
        {side.length > 0 && (
          <aside className={styles.side}>
            <Blocks blocks={side} level={2} />
          </aside>
        )}
      </div>
      {fields?.disclaimer && <Html className={styles.disclaimer} text={fields.disclaimer} />}
    </>
  )
}

/** Returns the first sentence or so of the banner or the main column, else the headlines of its rows of restaurants. */
function summaryOf(items: readonly BannerItem[], main: PageFields['main_column'] = []): string {
  const lead = items.find(({ type }) => type === 'text')
  const rows = main.flatMap((block) => (block.type === 'merchant_carousel' ? block.headline : []))
  return toExcerpt([...(lead ? [{ type: 'body_text' as const, text: lead.desktop }] : []), ...main]) || rows.join(', ')
}
