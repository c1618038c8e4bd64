import { withReturn } from '../../../identity/session/sso/return-path.ts'
import { Html } from '../../../programs/content/member/embed/Html.tsx'
import { SmartLink } from '../../../programs/content/member/embed/SmartLink.tsx'
import { useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy, useFill } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import action from '../../../ui/Action.module.css'
import { Dialog } from '../../../ui/Dialog.tsx'
import styles from './PopUps.module.css'
import { usePopUp } from './use-pop-up.ts'
import { useReturnPath } from './use-return-path.ts'

/** The pop-ups over a page, one at a time. */
export function PopUps() {
  const { popUp, close } = usePopUp()
  switch (popUp) {
    case 'announcement':
      return <Announcement onClose={close} />
    case 'sso':
      return <SsoInvitation onClose={close} />
    case 'general':
      return <General onClose={close} />
    default:
      return null
  }
}

interface Props {
  onClose: () => void
}

function Announcement({ onClose }: Props) {
  const t = useCopy()
  const fill = useFill()
  const { appAnnouncementModal: modal } = useProgram().config
  if (!modal) return null
  const { title, body, image, linkText, linkUrl } = modal
  return (
    <Dialog open title={fill(title)} closeLabel={t('dialog.close')} onClose={onClose}>
      {image && <img className={styles.image} src={image} alt="" />}
      <p>{fill(body)}</p>
      {linkText && linkUrl && (
        <SmartLink href={linkUrl} className={action.action} onClick={onClose}>
          {fill(linkText)}
        </SmartLink>
      )}
    </Dialog>
  )
}

function SsoInvitation({ onClose }: Props) {
  const t = useCopy()
  const returnTo = useReturnPath()
  return (
    <Dialog open title={t('sso_modal.title')} closeLabel={t('dialog.close')} onClose={onClose}>
      <a href={withReturn('/Login', returnTo)} className={action.action} onClick={onClose}>
        {t('sso_modal.action')}
      </a>
    </Dialog>
  )
}

function General({ onClose }: Props) {
  const t = useCopy()
  const fill = useFill()
  const { generalModalType = '', generalModalUrl } = useProgram().config
  const popup = useEntries('popup').find(({ slug }) => slug === generalModalType)?.fields
  const url = generalModalUrl ?? popup?.url
  return (
    <Dialog open title={fill(popup?.title ?? '')} closeLabel={t('dialog.close')} onClose={onClose}>
      <Html text={popup?.body_text ?? ''} />
      {url && (
        <SmartLink href={url} className={action.action} onClick={onClose}>
          {t('popup.learn_more')}
          {popup?.title && <span className="visually-hidden">{fill(popup.title)}</span>}
        </SmartLink>
      )}
    </Dialog>
  )
}
