import { Badge, type CSSVariablesResolver, createTheme, Modal } from '@mantine/core'

/** The look of the console: Mantine's, with the system's fonts. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  cursorType: 'pointer',
  components: {
    // A dialog has a header element, which is no banner of the page.
    Modal: Modal.extend({ defaultProps: { attributes: { header: { role: 'none' } } } }),
    // The cross in a field of days or choices has no text.
    InputClearButton: { defaultProps: { 'aria-label': 'Clear' } },
    // The whole text, also on a phone, as it is written.
    Badge: Badge.extend({
      defaultProps: { tt: 'none', variant: 'light' },
      styles: { root: { height: 'auto', minHeight: 20 }, label: { overflow: 'visible', whiteSpace: 'normal' } },
    }),
  },
})

const named = ['gray', 'red', 'orange', 'green', 'blue', 'indigo']

/** Colors of text, stronger than Mantine's: each has a contrast of at least 4.5 to 1, on a light page and a dark one. */
export const legibleColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-text)',
    '--mantine-color-orange-9': '#a33a00',
    '--mantine-color-green-9': '#237032',
    ...Object.fromEntries(
      named.flatMap((name) => [
        [`--mantine-color-${name}-text`, `var(--mantine-color-${name}-9)`],
        [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-9)`],
      ]),
    ),
    // Also legible on the light blue of a chosen entry.
    '--mantine-color-red-text': '#a61e1e',
    '--mantine-color-orange-text': '#8a3100',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
})
