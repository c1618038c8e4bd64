import { useProgram } from '../../partners/member/embed/use-program.ts'
import type { PageBanner as Banner, BannerItem } from '../banners.ts'
import type { PageFields } from '../collections.ts'
import { BannerItems } from './BannerItems.tsx'
import { lazyPart } from './embed/lazy-part.tsx'
import { useCopy } from './embed/use-copy.tsx'
import styles from './PageBanner.module.css'
import { useVisitor } from './use-visitor.ts'

// Lazy: a page without it does not need the script of forms.
const ProspectForm = lazyPart(
  async () => (await import('../../../identity/enrollment/member/embed/ProspectForm.tsx')).ProspectForm,
)

interface Props {
  banner: Banner
  items: readonly BannerItem[]
  prospectForm: PageFields['prospect_form']
}

// Set through the DOM: the content security policy forbids style attributes.
const placeAt = (position: string) => (image: HTMLImageElement | null) => {
  if (image) image.style.objectPosition = position
}

/** The top of a page: a responsive image, a greeting, a headline, and an enrollment form for visitors. */
export function PageBanner({ banner, items, prospectForm }: Props) {
  const t = useCopy()
  const { config } = useProgram()
  const { firstName, isMember } = useVisitor()
  const greets = banner.welcome && firstName !== ''
  const invites = banner.prospectEmail && config.enrollmentType === 'direct' && !isMember && prospectForm !== undefined
  return (
    // A pop-up does not cover a form of the visitor's own, whose code may still be loading.
    <section
      className={styles.banner}
      data-pictured={banner.image !== '' || undefined}
      data-form={invites || undefined}
    >
      <div className={styles.inner}>
        <div className={styles.text}>
          {greets && <p className={styles.welcome}>{t('page.welcome', { firstName })}</p>}
          <BannerItems items={items} level={1} />
          {invites && <ProspectForm fields={prospectForm} />}
        </div>
      </div>
      {banner.image !== '' && (
        <picture className={styles.frame}>
          <source media="(min-width: 661px)" srcSet={banner.image} />
          <img
            className={styles.image}
            src={banner.imageMobile}
            alt={banner.alt}
            ref={placeAt(banner.position)}
            fetchPriority="high"
          />
        </picture>
      )}
    </section>
  )
}
