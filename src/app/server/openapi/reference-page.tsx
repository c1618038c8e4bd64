import { createElement, Fragment } from 'react'
import { renderDocument, StaticPage } from '../../../ui/static-page.tsx'
import type { CallGroupView, CallView } from './reference.ts'

interface ReferenceView {
  groups: readonly CallGroupView[]
  conventions: readonly { title: string; text: string }[]
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:960px;margin:0 auto;padding:24px 20px;color:#1d1a16;background:#fff}
h2{margin:40px 0 4px}h3{font-size:16px;margin:20px 0 4px}
summary{cursor:pointer;padding:10px 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:4.5em}summary span{color:#555;display:block}
pre,.table{background:#f6f4ef;padding:12px 16px;margin:4px 0;overflow:auto;font-size:13px}
table{border-collapse:collapse}td,th{padding:3px 12px 3px 0;text-align:left;vertical-align:top}
nav a{display:inline-block;padding:6px 12px 6px 0}dt{font-weight:bold;margin-top:12px}dd{margin:0}
.call{padding:0 0 16px 12px}`

/** Renders the API reference: each call with an example, its errors and its schemas. */
export function renderReference({ groups, conventions }: ReferenceView): string {
  const count = groups.reduce((sum, { calls }) => sum + calls.length, 0)
  return renderDocument(
    <StaticPage title="Dineback API" head={<style>{style}</style>}>
      <main>
        <h1>Dineback API</h1>
        <p>
          {count} calls, described once in the contracts. The machine-readable form is{' '}
          <a href="/api/openapi.json">OpenAPI 3.1</a>.
        </p>
        <nav aria-label="Groups of calls">
          {groups.map(({ tag }) => (
            <Fragment key={tag}>
              <a href={`#${anchor(tag)}`}>{tag}</a>{' '}
            </Fragment>
          ))}
        </nav>
        <h2>Conventions</h2>
        <dl>
          {conventions.map(({ title, text }) => (
            <Fragment key={title}>
              <dt>{title}</dt>
              <dd>
                <TextWithCode text={text} />
              </dd>
            </Fragment>
          ))}
        </dl>
        {groups.map(({ tag, description, calls }) => (
          <section key={tag} id={anchor(tag)}>
            <h2>{tag}</h2>
            <p>{description}</p>
            {calls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </section>
        ))}
      </main>
    </StaticPage>,
  )
}

const anchor = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')

/** Shows text between backticks as code. */
function TextWithCode({ text }: { text: string }) {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
  return createElement(Fragment, null, ...parts)
}

function Call({ call }: { call: CallView }) {
  return (
    <details id={call.id}>
      <summary>
        <b>{call.method}</b> <code>{call.path}</code> <span>{call.summary}</span>
      </summary>
      <div className="call">
        <p>{call.facts.join(' ')}</p>
        {call.parameters.length > 0 && (
          <>
            <h3>Parameters</h3>
            <Table head={['Name', 'In', 'Required', 'Value']} rows={call.parameters} />
          </>
        )}
        <h3>Request</h3>
        <Code text={call.request} />
        <h3>Response</h3>
        <Code text={call.response} />
        <h3>Errors</h3>
        <Table head={['Status', 'Code', 'Message']} rows={call.errors} />
        <details>
          <summary>Schemas</summary>
          {call.requestSchema !== null && (
            <>
              <h3>Request schema</h3>
              <Code text={call.requestSchema} />
            </>
          )}
          <h3>Response schema</h3>
          <Code text={call.responseSchema} />
        </details>
      </div>
    </details>
  )
}

// Both scroll sideways, so the keyboard must reach them.
function Code({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre tabIndex={0}>{text}</pre>
  )
}

function Table({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')}>
              {row.map((cell, column) => (
                <td key={head[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
