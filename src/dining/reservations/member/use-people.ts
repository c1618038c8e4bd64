import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'

/** Formats a party size: `1 person`, `4 people`. */
export function usePeople(): (count: number) => string {
  const t = useCopy()
  return (count) => (count === 1 ? t('reservations.person') : t('reservations.people', { count }))
}
