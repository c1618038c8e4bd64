import { Fragment, type ReactNode } from 'react'
import action from '../../../ui/Action.module.css'
import type { BannerItem } from '../banners.ts'
import styles from './BannerItems.module.css'
import { Html } from './embed/Html.tsx'
import { SmartLink } from './embed/SmartLink.tsx'
import { useFill } from './embed/use-copy.tsx'

interface Props {
  items: readonly BannerItem[]
  level: 1 | 2 | 3 | 4
  url?: string
  /** Replaces the banner's buttons. */
  button?: (item: BannerItem) => ReactNode
}

/** The texts of a banner: long on wide screens, short on phones. `url` is the target of its button. */
export function BannerItems({ items, level, url, button }: Props) {
  const firstTitle = items.findIndex(({ type }) => type === 'title')
  return items.map((item, index) => {
    const Heading = index === firstTitle ? (`h${level}` as const) : 'p'
    // biome-ignore lint/suspicious/noArrayIndexKey: items are identified only by position and never move
    if (item.type === 'button' && button) return <Fragment key={index}>{button(item)}</Fragment>
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return <Item key={index} item={item} Heading={Heading} url={item.url || url} />
  })
}

function Item({
  item,
  Heading,
  url,
}: {
  item: BannerItem
  Heading: 'h1' | 'h2' | 'h3' | 'h4' | 'p'
  url: string | undefined
}) {
  switch (item.type) {
    case 'title':
      return (
        <Heading>
          <ByWidth item={item} />
        </Heading>
      )
    case 'text':
      return item.desktop === item.mobile ? (
        <Html text={item.desktop} />
      ) : (
        <>
          <Html className={styles.wide} text={item.desktop} />
          <Html className={styles.narrow} text={item.mobile} />
        </>
      )
    default:
      return url ? (
        <p>
          <SmartLink href={url} className={item.type === 'button' ? `${action.action} ${action.accent}` : styles.link}>
            <ByWidth item={item} />
          </SmartLink>
        </p>
      ) : null
  }
}

// Both texts are sent and CSS selects one: the server does not know the width. Screen readers skip the hidden one.
export function ByWidth({ item }: { item: BannerItem }) {
  const fill = useFill()
  if (item.desktop === item.mobile) return fill(item.desktop)
  return (
    <>
      <span className={styles.wide}>{fill(item.desktop)}</span>
      <span className={styles.narrow}>{fill(item.mobile)}</span>
    </>
  )
}
