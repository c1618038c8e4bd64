import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import styles from './Combobox.module.css'
import field from './Field.module.css'
import { FieldLabel } from './Field.tsx'

interface Props {
  label: string
  name: string
  value: string
  placeholder?: string
  /** Options for the current value, best first. */
  options: readonly string[]
  /** Accessible name of the list of options. */
  listLabel: string
  /** Returns the number of options as text for screen readers. */
  countText: (count: number) => string
  error?: string | undefined
  /** Read by screen readers after the label of a required field; an asterisk is shown. */
  requiredText?: string
  /** Registration of the field in a form. */
  registered?: {
    ref: Ref<HTMLInputElement>
    onChange: (event: ChangeEvent<HTMLInputElement>) => unknown
    onBlur: (event: FocusEvent<HTMLInputElement>) => unknown
  }
  onType: (value: string) => void
  onChoose: (value: string) => void
}

/** A text field with suggestions: arrow keys move, Enter selects, Escape closes; any other text is also allowed. */
export function Combobox({
  label,
  name,
  value,
  placeholder,
  options,
  listLabel,
  countText,
  error,
  requiredText,
  registered,
  onType,
  onChoose,
}: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const box = useRef<HTMLDivElement>(null)
  const shown = open && options.length > 0
  const at = active < options.length ? active : -1

  // The focus stays in the field, so the active option must be scrolled into view explicitly.
  useEffect(() => {
    if (shown && at >= 0) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [shown, at, id])

  // What was typed before hydration would be replaced by the value when the field is rendered again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const typed = box.current?.querySelector('input')?.value ?? value
    if (typed !== value) onType(typed)
  }, [])

  function choose(option: string): void {
    onChoose(option)
    setOpen(false)
    setActive(-1)
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) {
      event.preventDefault()
      setOpen(true)
      // Cycles through the options and the text itself.
      const count = options.length + 1
      setActive(((at + 1 + step + count) % count) - 1)
    } else if (event.key === 'Enter' && shown && at >= 0) {
      event.preventDefault()
      choose(options[at] as string)
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault()
      setOpen(false)
    }
  }

  return (
    <div ref={box} className={styles.box}>
      <label htmlFor={id} className={field.label}>
        <FieldLabel label={label} required={requiredText !== undefined} requiredText={requiredText} />
      </label>
      <input
        id={id}
        className={field.control}
        name={name}
        ref={registered?.ref}
        aria-required={requiredText !== undefined || undefined}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${id}-options`}
        aria-autocomplete="list"
        aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => {
          void registered?.onChange(event)
          onType(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onFocus={() => setOpen(true)}
        onBlur={(event) => {
          setOpen(false)
          void registered?.onBlur(event)
        }}
        onKeyDown={press}
      />
      <div id={`${id}-options`} role="listbox" aria-label={listLabel} className={styles.options} hidden={!shown}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={option}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // Otherwise the field would lose the focus and close the options before the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {option}
          </div>
        ))}
      </div>
      <span className="visually-hidden" role="status">
        {shown ? countText(options.length) : ''}
      </span>
      {error && (
        <p id={`${id}-error`} className={field.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
