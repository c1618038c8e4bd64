/** Shared by the large image of a page, which has `data-page-image`, and the image of a card that links to that page. */
const sharedName = 'page-image'
let current: ViewTransition | null = null

const pageImage = () => document.querySelector('main img[data-page-image]')
const cardImage = (path: string) =>
  document.querySelector<HTMLElement>(`main article:has(a[href=${JSON.stringify(path)}]) img`)

function setName(image: HTMLElement | null, name: string): void {
  if (image) image.style.viewTransitionName = name
}

/**
 * Renders the next page; between a list and a page with an image, the browser moves the image of the card to its new
 * place. `render` resolves when the page is shown, and is called in any case: by the browser before its next frame, or
 * at once where it supports no view transitions, the visitor prefers reduced motion, or no image is shared.
 */
export function changePage(from: string, to: string, render: () => Promise<void>): void {
  // A newer navigation does not wait for the animation of an earlier one.
  current?.skipTransition()
  current = null
  const picked = pageImage() ? null : cardImage(to)
  const isShared = picked !== null || pageImage() !== null
  if (!isShared || !('startViewTransition' in document) || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    void render()
    return
  }
  let returned: HTMLElement | null = null
  setName(picked, sharedName)
  const transition = document.startViewTransition(async () => {
    await render()
    setName(picked, '')
    returned = pageImage() ? null : cardImage(from)
    setName(returned, sharedName)
  })
  current = transition
  const end = () => {
    setName(returned, '')
    if (current === transition) current = null
  }
  // Rejects when the browser skips the animation, for example in a hidden page.
  transition.ready.catch(() => {})
  transition.finished.then(end, end)
}
