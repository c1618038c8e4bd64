import { MerchantCarousel } from '../../../../dining/merchants/member/embed/MerchantCarousel.tsx'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import action from '../../../../ui/Action.module.css'
import { Button } from '../../../../ui/Button.tsx'
import type { Block } from '../../collections.ts'
import styles from './Blocks.module.css'
import { Html } from './Html.tsx'
import { SmartLink } from './SmartLink.tsx'
import { useActivationLink } from './use-activation-link.ts'
import { useFill } from './use-copy.tsx'

interface Props {
  blocks: readonly Block[]
  /** 1 when the first title is the page heading. */
  level: 1 | 2
  /** Handlers of buttons with an action. */
  actions?: Readonly<Record<string, () => void>> | undefined
  /** Set while an action is in progress; the text says so. */
  busy?: string | false | undefined
}

/** A column of content blocks. */
export function Blocks({ blocks, level, actions = {}, busy = false }: Props) {
  const firstTitle = blocks.findIndex(({ type }) => type === 'title')
  return blocks.map((block, index) => {
    const isHeading = level === 1 && index === firstTitle
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks are identified only by position and never move
    return <BlockView key={index} block={block} isHeading={isHeading} actions={actions} busy={busy} />
  })
}

interface BlockProps {
  actions: Readonly<Record<string, () => void>>
  busy: string | false
  block: Block
  isHeading: boolean
}

function BlockView({ block, isHeading, actions, busy }: BlockProps) {
  const fill = useFill()
  const toActivate = useActivationLink()
  const hasJoined = useHasJoined()
  switch (block.type) {
    case 'title':
      return isHeading ? <h1>{fill(block.text)}</h1> : <h2>{fill(block.text)}</h2>
    case 'text':
    case 'body_text':
      return block.text === '' ? null : <Html className={styles.text} text={block.text} />
    case 'button': {
      const act = block.action === undefined ? undefined : actions[block.action]
      if (block.action !== undefined && !act) return null
      if (block.url === '/join' && hasJoined) return null
      return (
        <p className={styles.action}>
          {act ? (
            <Button type="button" onClick={act} busy={busy}>
              {fill(block.text)}
            </Button>
          ) : (
            <SmartLink href={toActivate(block.url ?? '')} className={action.action}>
              {fill(block.text)}
            </SmartLink>
          )}
        </p>
      )
    }
    case 'link':
    case 'standalone_link':
      return (
        <p className={styles.action}>
          <SmartLink href={block.url} className={styles.link}>
            {fill(block.text)}
          </SmartLink>
        </p>
      )
    default:
      return <MerchantCarousel headline={fill(block.headline)} body={fill(block.body)} query={block.query} />
  }
}

/** Whether joining would have nothing left to do: the member has a card, or had one. */
function useHasJoined(): boolean {
  const member = useMember()
  return member !== null && member.memberType !== 'NonCardMember'
}
