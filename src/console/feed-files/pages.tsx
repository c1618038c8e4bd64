import { formatCount } from '../../platform/money.ts'
import type { Fault, FileRow, tallied } from '../../rewards/feed/files/store.ts'
import { WideTable } from '../ui/console-page.tsx'

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const outcomes: Record<(typeof tallied)[number], string> = {
  applied: 'Applied',
  unmatched: 'Waiting for card or restaurant',
  repeated: 'Known already',
  ignored: 'Without effect',
  rejected: 'Rejected',
}
const outcomeNames = Object.keys(outcomes) as (keyof typeof outcomes)[]

export interface FeedFilesView {
  partnerId: string
  files: readonly FileRow[]
}

/** The results of a program's event files. */
export function FeedFilesPage({ partnerId, files }: FeedFilesView) {
  if (files.length === 0) {
    return (
      <p role="status">
        No file was read yet. Read one with <code>npm run feed -- --partner {partnerId} FILE</code>; events that come by
        webhook are not listed here.
      </p>
    )
  }
  return (
    <>
      <WideTable label="Files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Started (UTC)</th>
            <th scope="col" className="number">
              Lines read
            </th>
            {outcomeNames.map((name) => (
              <th key={name} scope="col" className="number">
                {outcomes[name]}
              </th>
            ))}
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {files.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered
            <FileLine key={index} file={file} />
          ))}
        </tbody>
      </WideTable>
      <p className="muted">
        A file is known by its content. One that was cut off goes on where it stopped when it is read again; one that
        was read changes nothing.
      </p>
    </>
  )
}

function FileLine({ file }: { file: FileRow }) {
  return (
    <tr>
      <th scope="row">
        {file.name}
        <Faults faults={file.faults as unknown as Fault[]} />
      </th>
      <td>{moment.format(file.started_at)}</td>
      <td className="number">{formatCount(file.lines_read)}</td>
      {outcomeNames.map((name) => (
        <td key={name} className="number">
          {formatCount(file[name])}
        </td>
      ))}
      <td>
        <span className="state">{file.finished_at ? 'read' : 'not read to its end'}</span>
      </td>
    </tr>
  )
}

/** The first rejected lines, with what is wrong. */
function Faults({ faults }: { faults: readonly Fault[] }) {
  if (faults.length === 0) return null
  return (
    <details>
      <summary>Rejected lines</summary>
      <ul>
        {faults.flatMap(({ line, code, texts = [`line ${formatCount(line)}: ${code}`] }) =>
          texts.map((text) => <li key={text}>{text}</li>),
        )}
      </ul>
    </details>
  )
}
