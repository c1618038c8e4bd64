import { notifications } from '@mantine/notifications'
import { failureOf } from './api.ts'

const named = { 'aria-label': 'Close' }

/** Says that an act was carried out. */
export const toastDone = (message: string) => notifications.show({ message, color: 'green', closeButtonProps: named })

/** Says that an act failed, and why. It stays until it is closed. */
export const toastFailed = (error: unknown) =>
  notifications.show({
    title: 'This did not work',
    message: failureOf(error),
    color: 'red',
    autoClose: false,
    closeButtonProps: named,
  })
