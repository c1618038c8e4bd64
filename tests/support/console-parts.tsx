import { MantineProvider, TextInput } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { CorrectDialog, TagsDialog } from '../../src/account/console/profile-dialogs.tsx'
import { ActionDialog } from '../../src/console-kit/ActionDialog.tsx'
import { fieldErrorsOf, keepCsrfToken, queryClient } from '../../src/console-kit/api.ts'
import { useAct, useCall } from '../../src/console-kit/calls.ts'
import { getSession } from '../../src/console-kit/session/contract.ts'
import UnmatchedPage from '../../src/rewards/feed/console/UnmatchedPage.tsx'

// Imported once there is a window: React looks for one when it is loaded.

const readName = { id: 'readName', method: 'GET', path: '/api/programs/:program/name', access: 'operator' } as const
const storeName = { id: 'storeName', method: 'POST', path: '/api/programs/:program/name', access: 'operator' } as const

/** A dialog with two fields, of which one shows its own errors, over a page that shows what is stored. */
function Naming() {
  const [isOpen, setOpen] = useState(false)
  const [values, setValues] = useState({ name: '', title: '' })
  const stored = useCall(readName as never, {} as never)
  const act = useAct(storeName as never)
  return (
    <>
      <output>{(stored.data as { name?: string } | undefined)?.name}</output>
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      <ActionDialog
        title="Name it"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        confirmLabel="Store"
        asksReason
        fields={['name']}
        onConfirm={(reason) => act.mutateAsync({ body: { ...values, reason } } as never)}
      >
        <TextInput
          label="Name"
          value={values.name}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
          error={fieldErrorsOf(act.error).name}
        />
        <TextInput
          label="Title"
          value={values.title}
          onChange={(event) => setValues({ ...values, title: event.currentTarget.value })}
        />
      </ActionDialog>
    </>
  )
}

const parts = {
  naming: Naming,
  unmatched: UnmatchedPage,
  correct: CorrectDialog,
  tags: TagsDialog,
} as const

/** The part that is shown, with the properties that it has at first. */
let first: { Part: (props: object) => ReactNode; props: object } = { Part: () => null, props: {} }
let show: (props: object) => void = () => {}

function Shown() {
  const [{ Part }] = useState(first)
  const [props, setProps] = useState(first.props)
  show = setProps
  return <Part {...props} />
}

interface ConsolePartOptions {
  path: string
  props?: object
  permissions?: readonly string[]
}

/** Shows a part of the console in the current window; returns how to show it with other properties and how to end it. */
export function showConsolePart(name: keyof typeof parts, { path, props = {}, permissions = [] }: ConsolePartOptions) {
  queryClient.clear()
  keepCsrfToken('a token')
  queryClient.setQueryData([getSession.id], {
    operator: { email: 'ana@dineback.example', name: 'Ana' },
    csrfToken: 'a token',
    programs: [
      {
        code: 'skyharbor',
        name: 'Skyharbor',
        timeZone: 'America/Chicago',
        permissions,
        currency: { currencyName: 'miles' },
      },
    ],
  })
  first = { Part: parts[name] as (props: object) => ReactNode, props }
  const root = createRootRoute({ component: Outlet })
  const program = createRoute({ getParentRoute: () => root, path: '$program/$area', component: Shown })
  const item = createRoute({ getParentRoute: () => root, path: '$program/$area/$id', component: Shown })
  const router = createRouter({
    routeTree: root.addChildren([program, item]),
    history: createMemoryHistory({ initialEntries: [path] }),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString()
      return text === '' ? '' : `?${text}`
    },
  })
  const tree = createRoot(document.body.appendChild(document.createElement('div')))
  tree.render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { router, show: (next: object) => show(next), end: () => tree.unmount() }
}
