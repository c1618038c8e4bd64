import { createElement, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useHidingBars } from '../../src/app/shell/member/use-hiding-bars.ts'
import { useFocusOnPage } from '../../src/platform/browser/use-focus-on-page.ts'
import { useMedia } from '../../src/platform/browser/use-media.ts'
import { Button } from '../../src/ui/Button.tsx'
import { Carousel } from '../../src/ui/Carousel.tsx'
import { Combobox } from '../../src/ui/Combobox.tsx'
import { Dialog } from '../../src/ui/Dialog.tsx'
import { ErrorBoundary } from '../../src/ui/ErrorBoundary.tsx'
import { FormBanner } from '../../src/ui/FormBanner.tsx'
import { Pagination } from '../../src/ui/Pagination.tsx'
import { PasswordField } from '../../src/ui/PasswordField.tsx'
import { ScriptForm } from '../../src/ui/ScriptForm.tsx'
import { type Toast, ToastProvider, useToasts } from '../../src/ui/Toasts.tsx'
import { Tooltip } from '../../src/ui/Tooltip.tsx'

// Imported once there is a window: React looks for one when it is loaded.

/** What the components have reported, in order. */
let reports: string[] = []
const report = (text: string) => void reports.push(text)

let showToast: (toast: Toast) => void = () => {}

function Toaster() {
  const { show } = useToasts()
  showToast = show
  return null
}

function Opening() {
  const [open, setOpen] = useState(false)
  const [mounted, setMounted] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      {mounted && (
        <Dialog
          open={open}
          title="Title"
          closeLabel="Close"
          onClose={() => {
            report('closed')
            setOpen(false)
          }}
        >
          <p>Content</p>
          <button type="button" onClick={() => setMounted(false)}>
            remove
          </button>
        </Dialog>
      )}
    </>
  )
}

function Failing(): ReactNode {
  throw new Error('cannot be rendered')
}

function Places({ options }: { options: readonly string[] }) {
  const [value, setValue] = useState('')
  return (
    <Combobox
      label="Place"
      name="place"
      value={value}
      options={options}
      listLabel="Places"
      countText={(count) => `${count} places`}
      onType={setValue}
      onChoose={(chosen) => {
        report(chosen)
        setValue(chosen)
      }}
    />
  )
}

function Wide() {
  return <output>{useMedia('(min-width: 861px)') ? 'wide' : 'narrow'}</output>
}

function Bars() {
  useHidingBars()
  return null
}

function Listed({ pageNo, list }: { pageNo: number; list: string }) {
  const start = useFocusOnPage<HTMLHeadingElement>(pageNo, list)
  return (
    <h2 ref={start} tabIndex={-1}>
      {list} {pageNo}
    </h2>
  )
}

const lockTexts = { caps: 'caps lock', num: 'num lock', both: 'both locks' }

const parts = {
  toasts: () => (
    <ToastProvider regionLabel="Notifications" dismissLabel="Dismiss">
      <Toaster />
    </ToastProvider>
  ),
  dialog: () => <Opening />,
  tooltip: () => <Tooltip label="More" text="An explanation" />,
  password: () => (
    <PasswordField label="Password" name="password" showText="Show" hideText="Hide" lockTexts={lockTexts} />
  ),
  carousel: ({ items = 3 }: { items?: number }) => (
    <Carousel label="Row" previousLabel="Previous" nextLabel="Next" dots>
      {Array.from({ length: items }, (_, item) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items have no other identity
        <p key={item}>item {item}</p>
      ))}
    </Carousel>
  ),
  pagination: ({ page = 1 }: { page?: number }) => (
    <Pagination
      page={page}
      totalPages={3}
      label="Pages"
      pageOfText={`Page ${page} of 3`}
      previousText="Previous"
      nextText="Next"
      onChange={(next) => report(`page ${next}`)}
    />
  ),
  combobox: ({ options = ['Chicago', 'Chico'] }: { options?: readonly string[] }) => (
    <>
      <Places options={options} />
      <button type="button">elsewhere</button>
    </>
  ),
  button: ({ busy = false }: { busy?: string | false }) => (
    <form onSubmit={() => report('submitted')}>
      <Button type="submit" busy={busy} onClick={() => report('pressed')}>
        Save
      </Button>
    </form>
  ),
  boundary: () => (
    <>
      <ErrorBoundary>
        <Failing />
      </ErrorBoundary>
      <p>the rest</p>
    </>
  ),
  banner: () => (
    <>
      <FormBanner
        type="error"
        title="Check"
        list={[{ text: 'Enter a name', control: 'name' }, { text: 'No control' }]}
      />
      <input id="name" />
    </>
  ),
  form: ({ native = false }: { native?: boolean }) => (
    <ScriptForm native={native}>
      <input aria-label="Name" />
      <button type="submit">Send</button>
      <button type="button">Show</button>
    </ScriptForm>
  ),
  media: () => <Wide />,
  bars: () => <Bars />,
  list: ({ pageNo = 1, list = 'all' }: { pageNo?: number; list?: string }) => <Listed pageNo={pageNo} list={list} />,
} as const satisfies Record<string, (props: never) => ReactNode>

type Parts = typeof parts

/** Shows a component in the current window, and returns how to show it with other properties and how to end it. */
export function showComponent<N extends keyof Parts>(name: N, props: Parameters<Parts[N]>[0] | object = {}) {
  reports = []
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  const show = (next: object) => root.render(createElement(parts[name] as never, next))
  show(props)
  return { reports, show, showToast: (toast: Toast) => showToast(toast), end: () => root.unmount() }
}
