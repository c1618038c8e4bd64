import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import styles from './MoveButtons.module.css'

const moves = [
  { name: 'up', x: 0, y: -1, Icon: ChevronUp },
  { name: 'left', x: -1, y: 0, Icon: ChevronLeft },
  { name: 'right', x: 1, y: 0, Icon: ChevronRight },
  { name: 'down', x: 0, y: 1, Icon: ChevronDown },
] as const

/** Moves the map without dragging: WCAG 2.5.7. */
export function MoveButtons({ onMove }: { onMove: (x: number, y: number) => void }) {
  const t = useCopy()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className={styles.moves} role="group" aria-label={t('search.move_map')}>
      {moves.map(({ name, x, y, Icon }) => (
        <button key={name} type="button" aria-label={t(`search.move_${name}`)} onClick={() => onMove(x, y)}>
          <Icon aria-hidden="true" size={20} />
        </button>
      ))}
    </div>
  )
}
