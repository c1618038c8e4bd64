import { useHotkeys } from '@mantine/hooks'

type Key = readonly [key: string, run: () => void]

/** Elements that a letter is typed into, or that have keys of their own. */
const typing = 'textarea, select, input:not([type=radio], [type=checkbox]), [contenteditable=true]'
const withOwnEnter = 'a, button, summary, [role=option], [role=menuitem]'

/**
 * Returns whether a key is for the page: nothing is being typed, and no dialog or menu is open. A chosen radio button or a
 * ticked box takes no letters; Enter on a link or a button is its own.
 */
function isForPage({ key, target }: { key: string; target: EventTarget | null }): boolean {
  if (document.querySelector('[aria-modal=true], [role=menu]') !== null) return false
  if (!(target instanceof Element)) return true
  return target.closest(typing) === null && (key !== 'Enter' || target.closest(withOwnEnter) === null)
}

/** Keys of a page. They rest while text is typed, and while a dialog or a menu is open. */
export function usePageKeys(keys: readonly Key[]): void {
  useHotkeys(
    keys.map(([key, run]) => [
      key,
      (event) => {
        if (!isForPage(event)) return
        event.preventDefault()
        run()
      },
      { preventDefault: false },
    ]),
    [],
  )
}

/** In a search field, Enter and Escape go back to the page, whose keys then choose what was found. */
export function leaveOnEnter(event: React.KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' && event.key !== 'Escape') return
  event.preventDefault()
  event.currentTarget.blur()
}
