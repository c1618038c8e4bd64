import { Fragment } from 'react'
import type { Fields } from '../../programs/content/check.ts'
import type { EntryDetail, EntryKey, EntrySummary } from '../../programs/content/service.ts'
import { CsrfField, Notice } from '../ui/console-page.tsx'
import type { DefaultMessage } from './entries.ts'
import { entryHref, messagesEntry } from './entry-href.ts'
import type { Schema } from './form.ts'
import { FieldError, Fields as FormFields, invalidAttributes } from './form-fields.tsx'
import { moment } from './messages.ts'
import { ReleasePart, States } from './releases.tsx'
import { unsavedScriptPath } from './unsaved-script.ts'

export interface ProgramsView {
  programs: readonly { id: string; name: string; links: readonly { label: string; href: string }[] }[]
}

/** The operator's programs, with links to their pages. */
export function ProgramsPage({ programs }: ProgramsView) {
  return (
    <>
      <ul className="programs">
        {programs.map(({ id, name, links }) => (
          <li key={id}>
            <strong>{name}</strong>
            {links.map(({ label, href }) => (
              <Fragment key={href}>
                <a href={href} aria-label={`${label} of ${name}`}>
                  {label}
                </a>{' '}
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
      {programs.length === 0 && <p>You may not work on any program yet. Please contact an administrator.</p>}
    </>
  )
}

export interface ListView {
  partnerId: string
  /** `isOpen` collections take new entries. */
  collections: readonly { name: string; title: string; isOpen: boolean; entries: readonly EntrySummary[] }[]
}

/** All entries of a program, by collection. */
export function ListPage({ partnerId, collections }: ListView) {
  return collections.map(({ name, title, isOpen, entries }) => (
    <Fragment key={name}>
      <h2>{title}</h2>
      {entries.length === 0 ? (
        <p className="muted">Nothing here yet.</p>
      ) : (
        <div className="wide">
          <table>
            <thead>
              <tr>
                <th>Entry</th>
                <th>State</th>
                <th>Last saved</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.slug}>
                  <td>
                    <a href={entryHref(partnerId, entry)}>{entry.slug}</a>
                  </td>
                  <td>
                    <States entry={entry} />
                  </td>
                  <td>
                    {entry.newest.savedBy}
                    <br />
                    <span className="muted">{moment(entry.newest.savedAt)}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isOpen && <NewEntryForm partnerId={partnerId} collection={name} />}
    </Fragment>
  ))
}

function NewEntryForm({ partnerId, collection }: { partnerId: string; collection: string }) {
  return (
    <form className="row" method="get" action={`/${partnerId}/${encodeURIComponent(collection)}/new`}>
      <div className="field">
        <label htmlFor={`new-${collection}`}>New entry</label>
        <input
          id={`new-${collection}`}
          name="slug"
          required
          pattern="[a-z0-9][a-z0-9_\-]{0,79}"
          title="1 to 80 small letters, digits, hyphens and underscores, such as spring-offer."
          placeholder="spring-offer"
        />
      </div>
      <button type="submit" className="quiet">
        Begin
      </button>
    </form>
  )
}

export interface EntryView {
  partnerId: string
  entry: EntryKey
  schema: Schema
  fields: Fields
  /** Null for an entry that is not saved yet. */
  detail: EntryDetail | null
  errors: Readonly<Record<string, string>>
  csrf: string
  done: string | null
  problem: string | null
  /** Whether the fields are those of the newest version. */
  isSaved: boolean
  /** Whether this program shows its drafts to all visitors. */
  showsDrafts: boolean
}

/** The form of an entry, with its releases and versions. */
export function EntryPage(view: EntryView) {
  const { partnerId, entry, schema, fields, detail, errors, csrf, isSaved } = view
  const version = detail?.newest.version ?? 0
  return (
    <>
      <Notices {...view} />
      {detail && (
        <p>
          <States entry={detail} />{' '}
          <span className="muted">
            Version {version}, saved by {detail.newest.savedBy}, {moment(detail.newest.savedAt)}.
          </span>
        </p>
      )}
      <form method="post" action={entryHref(partnerId, entry)} data-saved={String(isSaved)} noValidate>
        <CsrfField token={csrf} />
        <input type="hidden" name="basedOn" value={version} />
        <button type="submit" className="skip" name="act" value="save" tabIndex={-1} aria-hidden="true">
          Save draft
        </button>
        <FormFields schema={schema} value={fields} path="" errors={errors} />
        <SaveBar />
      </form>
      {detail && <ReleasePart partnerId={partnerId} entry={entry} detail={detail} csrf={csrf} />}
      <script src={unsavedScriptPath} defer />
    </>
  )
}

function Notices({ showsDrafts, done, problem }: Pick<EntryView, 'showsDrafts' | 'done' | 'problem'>) {
  return (
    <>
      {showsDrafts && (
        <p className="notice wrong">
          This program shows its drafts to everybody (its setting cmsPreview): a saved draft is visible right away.
        </p>
      )}
      <Notice kind="done" text={done} />
      <Notice kind="wrong" text={problem} />
    </>
  )
}

function SaveBar() {
  return (
    <div className="bar">
      <button type="submit" name="act" value="save">
        Save draft
      </button>
      <button type="submit" className="quiet" name="act" value="preview">
        Save and preview
      </button>
    </div>
  )
}

export interface VersionView {
  /** Null for a version that removes the entry. */
  version: Fields | null
  live: Fields | null
}

/** Compares one version with the live one, line by line. */
export function VersionPage({ version, live }: VersionView) {
  const [after, before] = [linesOf(version), linesOf(live)]
  return (
    <>
      <p className="muted">
        Lines that only this version has are marked +, lines that only the live one has are marked −.
      </p>
      <pre>
        {after.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered
          <Fragment key={index}>{before.includes(line) ? `${line}\n` : <ins>{line}</ins>}</Fragment>
        ))}
        {before
          .filter((line) => !after.includes(line))
          .map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered
            <del key={index}>{line}</del>
          ))}
      </pre>
    </>
  )
}

const linesOf = (fields: Fields | null) => (fields === null ? [] : JSON.stringify(fields, null, 2).split('\n'))

export interface MessagesView extends Omit<EntryView, 'schema' | 'entry'> {
  query: string
  messages: readonly DefaultMessage[]
  /** Whether there are more messages than these. */
  isCut: boolean
}

/** Default messages, each with the program's override. */
export function MessagesPage(view: MessagesView) {
  const { partnerId, fields, detail, errors, csrf, query, messages, isCut, isSaved } = view
  return (
    <>
      <Notices {...view} />
      {detail && (
        <p>
          <States entry={detail} />
        </p>
      )}
      <form className="row" method="get">
        <div className="field">
          <label htmlFor="q">Find text</label>
          <input id="q" name="q" type="search" defaultValue={query} />
        </div>
        <button type="submit" className="quiet">
          Find
        </button>
      </form>
      <p className="muted">
        {isCut ? `The first ${messages.length} of them` : `${messages.length} found`}. Empty fields use the default
        text.
      </p>
      <form method="post" action={entryHref(partnerId, messagesEntry)} data-saved={String(isSaved)} noValidate>
        <CsrfField token={csrf} />
        <input type="hidden" name="basedOn" value={detail?.newest.version ?? 0} />
        <input type="hidden" name="q" value={query} />
        {messages.map(({ key, text }) => (
          <div key={key} className="field">
            <label htmlFor={key}>{text}</label>
            <input type="hidden" name="key" value={key} />
            <input
              id={key}
              name={`word.${key}`}
              defaultValue={String(fields[key] ?? '')}
              placeholder={text}
              {...invalidAttributes(key, errors)}
            />
            <span className="muted">{key}</span>
            <FieldError path={key} errors={errors} />
          </div>
        ))}
        <SaveBar />
      </form>
      {detail && <ReleasePart partnerId={partnerId} entry={messagesEntry} detail={detail} csrf={csrf} query={query} />}
      <script src={unsavedScriptPath} defer />
    </>
  )
}
