import { createTheme } from '@mantine/core'

/** The look of the console: Mantine's, with the system's fonts. */
export const theme = createTheme({
  primaryColor: 'indigo',
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  cursorType: 'pointer',
})
