import { type Schema, typeNames, variantFor } from './form.ts'

interface FieldView {
  schema: Schema
  value: unknown
  /** Dotted path, the name of the input. */
  path: string
  /** The errors by dotted path. */
  errors: Readonly<Record<string, string>>
}

/** Form fields for a value according to a schema. */
export function Fields(view: FieldView) {
  const { schema, value, path } = view
  if (schema.properties) return <ObjectFields {...view} />
  if (schema.type === 'array') return <ListFields {...view} />
  if (schema.type === 'boolean') {
    return (
      <div className="field">
        <label className="check">
          <input type="checkbox" name={path} defaultChecked={value === true} /> {labelOf(path)}
        </label>
      </div>
    )
  }
  if (schema.enum) return <ChoiceField {...view} names={schema.enum} />
  return <TextField {...view} />
}

function ObjectFields({ schema, value, path, errors }: FieldView) {
  const fields = (value ?? {}) as Record<string, unknown>
  return Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`
    const view = { schema: inner, value: fields[name], path: at, errors }
    if (inner.const !== undefined) return <input key={at} type="hidden" name={at} value={inner.const} />
    const isOptional = !schema.required?.includes(name)
    // An optional choice starts with an empty option.
    if (inner.enum && isOptional && inner.default === undefined)
      return <ChoiceField key={at} {...view} names={['', ...inner.enum]} />
    if (!inner.properties) return <Fields key={at} {...view} />
    return (
      <fieldset key={at}>
        <legend>{labelOf(at)}</legend>
        {isOptional && (
          <label className="check">
            <input type="checkbox" name={`${at}.?`} defaultChecked={fields[name] !== undefined} /> Use this
          </label>
        )}
        <Fields {...view} />
      </fieldset>
    )
  })
}

/** A list of enum values renders as checkboxes; any other list as a group with add and remove buttons. */
function ListFields({ schema, value, path, errors }: FieldView) {
  const list: unknown[] = Array.isArray(value) ? value : []
  const item = schema.items ?? {}
  if (item.enum) {
    return (
      <fieldset aria-describedby={describedBy(path, errors)}>
        <legend>{labelOf(path)}</legend>
        {item.enum.map((name) => (
          <label key={name} className="check">
            <input type="checkbox" name={path} value={name} defaultChecked={list.includes(name)} /> {name}
          </label>
        ))}
        <FieldError path={path} errors={errors} />
      </fieldset>
    )
  }
  const variants = item.oneOf ?? item.anyOf
  const adds = variants?.map((variant) => typeNames(variant)[0] ?? '') ?? ['']
  return (
    <fieldset id={idOf(path)} aria-describedby={describedBy(path, errors)}>
      <legend>{labelOf(path)}</legend>
      <input type="hidden" name={`${path}.#`} value={list.length} />
      {list.map((each, index) => (
        <ItemFields
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered
          key={`${path}.${index}`}
          schema={item}
          value={each}
          path={`${path}.${index}`}
          errors={errors}
          index={index}
          count={list.length}
        />
      ))}
      <FieldError path={path} errors={errors} />
      <div className="tools">
        {adds.map((type) => (
          <button
            type="submit"
            key={type}
            className="quiet small"
            name="act"
            value={`add:${path}:${type}`}
            formAction={startingAt(`${path}.${list.length}`)}
          >
            Add {type === '' ? 'one' : type.replaceAll('_', ' ')}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function ItemFields({ schema, value, path, errors, index, count }: FieldView & { index: number; count: number }) {
  const type = (value as { type?: string } | null)?.type
  const list = path.slice(0, path.lastIndexOf('.'))
  const tool = (act: string, label: string, to: string) => (
    <button
      type="submit"
      className="quiet small"
      name="act"
      value={`${act}:${path}`}
      formAction={startingAt(to)}
      aria-label={`${label}: ${labelOf(path)} ${index + 1}`}
    >
      {label}
    </button>
  )
  return (
    <fieldset id={idOf(path)}>
      <legend>
        {index + 1}
        {type && `: ${type.replaceAll('_', ' ')}`}
      </legend>
      <div className="tools">
        {index > 0 && tool('up', 'Up', `${list}.${index - 1}`)}
        {index < count - 1 && tool('down', 'Down', `${list}.${index + 1}`)}
        {tool('drop', 'Remove', list)}
      </div>
      <Fields schema={variantFor(schema, value)} value={value} path={path} errors={errors} />
    </fieldset>
  )
}

const idOf = (path: string) => `part-${path}`

/** Returns the address of this form, with the part at which the page then starts: it is loaded again. */
const startingAt = (path: string) => `?#${idOf(path)}`

function ChoiceField({ names, value, path, errors }: FieldView & { names: readonly string[] }) {
  return (
    <div className="field">
      <label htmlFor={path}>{labelOf(path)}</label>
      <select
        id={path}
        name={path}
        defaultValue={typeof value === 'string' ? value : undefined}
        {...invalidAttributes(path, errors)}
      >
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <FieldError path={path} errors={errors} />
    </div>
  )
}

function TextField({ schema, value, path, errors }: FieldView) {
  const text = value === undefined || value === null ? '' : String(value)
  const isLong = schema.format === 'html' || (schema.maxLength ?? 0) > 250
  const field = {
    id: path,
    name: path,
    defaultValue: text,
    ...invalidAttributes(path, errors),
  }
  return (
    <div className="field">
      <label htmlFor={path}>
        {labelOf(path)}
        {schema.format === 'html' && (
          <>
            {' '}
            <span className="muted">HTML</span>
          </>
        )}
      </label>
      {isLong ? <textarea {...field} /> : <input {...field} />}
      <FieldError path={path} errors={errors} />
    </div>
  )
}

type PathErrors = Pick<FieldView, 'path' | 'errors'>

/** Returns the id of the error of a field or of a group of fields, if there is one. */
const describedBy = (path: string, errors: PathErrors['errors']) => (errors[path] ? `${path}-error` : undefined)

/** Returns the attributes of a control that `FieldError` describes; none without an error. */
export const invalidAttributes = (path: string, errors: PathErrors['errors']) =>
  errors[path] ? { 'aria-invalid': true, 'aria-describedby': describedBy(path, errors) } : {}

/** The error of a field, if there is one. */
export function FieldError({ path, errors }: PathErrors) {
  const error = errors[path]
  if (!error) return null
  return (
    <p className="error" id={`${path}-error`}>
      {error}
    </p>
  )
}

function labelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
  const label = name.replaceAll('_', ' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}
