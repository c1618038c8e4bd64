import { Fragment } from 'react'
import type { EntryDetail, EntryKey, EntrySummary, ReleaseRow } from '../../programs/content/service.ts'
import { CsrfField } from '../ui/console-page.tsx'
import { entryHref } from './entry-href.ts'
import { moment } from './messages.ts'

/** Whether an entry is live, scheduled or a draft. */
export function States({ entry: { live, hasDraft, scheduled, newest } }: { entry: EntrySummary }) {
  return (
    <>
      {live ? (
        <span className="state">
          live, version {live.version}
          {live.until && ` until ${moment(live.until)}`}
        </span>
      ) : (
        <span className="state">not live</span>
      )}{' '}
      {scheduled.map(({ from, version }) => (
        <Fragment key={`${version} ${from.getTime()}`}>
          <span className="state">
            version {version} from {moment(from)}
          </span>{' '}
        </Fragment>
      ))}
      {hasDraft && <span className="state draft">{newest.removed ? 'draft: remove' : 'draft'}</span>}
    </>
  )
}

interface ReleaseView {
  partnerId: string
  entry: EntryKey
  detail: EntryDetail
  csrf: string
  /** The search to which the page returns. */
  query?: string
}

/** Publishing, schedules and history of an entry. */
export function ReleasePart({ partnerId, entry, detail, csrf, query = '' }: ReleaseView) {
  const { newest, versions, releases, hasDraft } = detail
  const href = entryHref(partnerId, entry)
  const action = `${href}/release${query && `?q=${encodeURIComponent(query)}`}`
  return (
    <>
      <h2>
        Publish version {newest.version}
        {newest.removed && ', which removes this entry'}
      </h2>
      <form method="post" action={action}>
        <CsrfField token={csrf} />
        <input type="hidden" name="version" value={newest.version} />
        {!hasDraft && <p className="muted">This version was already released.</p>}
        <div className="row">
          <div className="field">
            <label htmlFor="from">From (UTC, empty for now)</label>
            <input id="from" name="from" type="datetime-local" />
          </div>
          <div className="field">
            <label htmlFor="until">Until (UTC, empty for good)</label>
            <input id="until" name="until" type="datetime-local" />
          </div>
          <button type="submit" name="act" value="publish">
            Publish
          </button>
        </div>
      </form>
      <h2>Releases</h2>
      <div className="wide">
        <table>
          <thead>
            <tr>
              <th>Version</th>
              <th>Live</th>
              <th>By</th>
              <th>Action</th>
            </tr>
          </thead>
          <tbody>
            {releases.map((release) => (
              <ReleaseLine key={release.id} release={release} action={action} csrf={csrf} />
            ))}
          </tbody>
        </table>
      </div>
      <h2>Versions</h2>
      <div className="wide">
        <table>
          <thead>
            <tr>
              <th>Version</th>
              <th>Saved</th>
              <th>Action</th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ version, savedBy, savedAt, removed }) => (
              <tr key={version}>
                <td>
                  <a href={`${href}/versions/${version}`}>{version}</a>
                  {removed && ' (removes)'}
                </td>
                <td>
                  {savedBy}
                  <br />
                  <span className="muted">{moment(savedAt)}</span>
                </td>
                <td>
                  {version !== newest.version && (
                    <form method="post" action={action}>
                      <CsrfField token={csrf} />
                      <input type="hidden" name="version" value={version} />
                      <input type="hidden" name="basedOn" value={newest.version} />
                      <button
                        type="submit"
                        className="quiet small"
                        name="act"
                        value="restore"
                        aria-label={`Restore version ${version}`}
                      >
                        Restore
                      </button>
                    </form>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!newest.removed && (
        <>
          <h2>Remove</h2>
          <form method="post" action={action}>
            <CsrfField token={csrf} />
            <input type="hidden" name="basedOn" value={newest.version} />
            <p className="muted">
              Saves a draft without this entry. It goes when that is published, and can be restored.
            </p>
            <button type="submit" className="danger" name="act" value="remove">
              Remove this entry
            </button>
          </form>
        </>
      )}
    </>
  )
}

function ReleaseLine({ release, action, csrf }: { release: ReleaseRow; action: string; csrf: string }) {
  const { id, version, from, until, by, at, withdrawnAt, withdrawnBy } = release
  return (
    <tr>
      <td>{version}</td>
      <td>
        from {moment(from)}
        {until && (
          <>
            <br />
            until {moment(until)}
          </>
        )}
        {withdrawnAt && (
          <>
            <br />
            withdrawn {moment(withdrawnAt)} by {withdrawnBy}
          </>
        )}
      </td>
      <td>
        {by}
        <br />
        <span className="muted">{moment(at)}</span>
      </td>
      <td>
        {!withdrawnAt && (
          <form method="post" action={action}>
            <CsrfField token={csrf} />
            <input type="hidden" name="release" value={id} />
            <button
              type="submit"
              className="quiet small"
              name="act"
              value="withdraw"
              aria-label={`Withdraw release of version ${version}`}
            >
              Withdraw
            </button>
          </form>
        )}
      </td>
    </tr>
  )
}
