/**
 * Moves the focus to a control and scrolls it clear of the bars. Focusing alone scrolls a text field no further than its
 * caret, which a bar may cover, and not at all where the page changes with it.
 */
export function focusShown(control: HTMLElement | null | undefined): void {
  control?.focus()
  control?.scrollIntoView({ block: 'nearest' })
}
