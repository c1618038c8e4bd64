import { z } from 'zod'
import { type Html, html } from '../../platform/html.ts'
import type { Fields } from '../../programs/content/check.ts'
import {
  collections,
  defaultMessages,
  type EntryDetail,
  type EntryKey,
  type EntrySummary,
  type ReleaseRow,
  schemaOf,
} from '../../programs/content/service.ts'
import { csrfField, renderNotice } from '../ui/console-page.ts'
import { fieldsOf, type Schema } from './form.ts'
import { moment } from './messages.ts'
import { unsavedScriptTag } from './unsaved-script.ts'

/** Returns the JSON schema that an entry's form is generated from. */
export function jsonSchemaOf({ collection, slug }: EntryKey): Schema | null {
  const schema = schemaOf(collection, slug)
  return schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema) : null
}

/** Returns the studio path of an entry. */
export const entryHref = (partnerId: string, { collection, slug }: EntryKey) =>
  `/${partnerId}/${encodeURIComponent(collection)}/${slug}`

export function listPage(partnerId: string, entries: readonly EntrySummary[]): Html {
  return html`${Object.entries(collections).map(([collection, { title, entries: known }]) => {
    const own = entries.filter((entry) => entry.collection === collection)
    return html`<h2>${title}</h2>
${
  own.length === 0
    ? html`<p class="muted">Nothing here yet.</p>`
    : html`<div class="wide"><table><thead><tr><th>Entry</th><th>State</th><th>Last saved</th></tr></thead><tbody>${own.map(
        (entry) =>
          html`<tr><td><a href="${entryHref(partnerId, entry)}">${entry.slug}</a></td><td>${statesOf(entry)}</td><td>${entry.newest.savedBy}<br><span class="muted">${moment(entry.newest.savedAt)}</span></td></tr>`,
      )}</tbody></table></div>`
}
${'*' in known && html`<form class="row" method="get" action="/${partnerId}/${encodeURIComponent(collection)}/new"><div class="field"><label for="new-${collection}">New entry</label><input id="new-${collection}" name="slug" required pattern="[a-z0-9][a-z0-9_\\-]*" maxlength="80" placeholder="spring-offer"></div><button class="quiet">Begin</button></form>`}`
  })}`
}

function statesOf({ live, hasDraft, scheduled, newest }: EntrySummary): Html {
  return html`${live ? html`<span class="state">live, version ${live.version}${live.until && ` until ${moment(live.until)}`}</span> ` : html`<span class="state">not live</span> `}
${scheduled.map(({ from, version }) => html`<span class="state">version ${version} from ${moment(from)}</span> `)}
${hasDraft && html`<span class="state draft">${newest.removed ? 'draft: remove' : 'draft'}</span>`}`
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

const draftsWarning = html`<p class="notice wrong">This program shows its drafts to everybody (its setting cmsPreview): a saved draft is visible right away.</p>`

export function entryPage(view: EntryView): Html {
  const { partnerId, entry, schema, fields, detail, errors, csrf, done, problem, isSaved, showsDrafts } = view
  const version = detail?.newest.version ?? 0
  return html`${showsDrafts && draftsWarning}${renderNotice('done', done)}${renderNotice('wrong', problem)}
${detail && html`<p>${statesOf(detail)} <span class="muted">Version ${version}, saved by ${detail.newest.savedBy}, ${moment(detail.newest.savedAt)}.</span></p>`}
<form method="post" action="${entryHref(partnerId, entry)}" data-saved="${String(isSaved)}" novalidate>
${csrfField(csrf)}<input type="hidden" name="basedOn" value="${version}">
<button class="skip" name="act" value="save" tabindex="-1" aria-hidden="true">Save draft</button>
${fieldsOf(schema, fields, '', { errors })}
<div class="bar"><button name="act" value="save">Save draft</button><button class="quiet" name="act" value="preview">Save and preview</button></div>
</form>
${detail && releasePart(partnerId, entry, detail, csrf)}${unsavedScriptTag}`
}

/** Publishing, schedules and history of an entry. */
function releasePart(partnerId: string, entry: EntryKey, detail: EntryDetail, csrf: string): Html {
  const { newest, versions, releases, hasDraft } = detail
  const action = `${entryHref(partnerId, entry)}/release`
  return html`<h2>Publish version ${newest.version}${newest.removed && ', which removes this entry'}</h2>
<form method="post" action="${action}">${csrfField(csrf)}<input type="hidden" name="version" value="${newest.version}">
${!hasDraft && html`<p class="muted">This version was already released.</p>`}
<div class="row"><div class="field"><label for="from">From (UTC, empty for now)</label><input id="from" name="from" type="datetime-local"></div>
<div class="field"><label for="until">Until (UTC, empty for good)</label><input id="until" name="until" type="datetime-local"></div>
<button name="act" value="publish">Publish</button></div></form>
<h2>Releases</h2>
<div class="wide"><table><thead><tr><th>Version</th><th>Live</th><th>By</th><th>Action</th></tr></thead><tbody>${releases.map((release) => releaseRow(release, action, csrf))}</tbody></table></div>
<h2>Versions</h2>
<div class="wide"><table><thead><tr><th>Version</th><th>Saved</th><th>Action</th></tr></thead><tbody>${versions.map(
    ({ version, savedBy, savedAt, removed }) =>
      html`<tr><td><a href="${entryHref(partnerId, entry)}/versions/${version}">${version}</a>${removed && ' (removes)'}</td><td>${savedBy}<br><span class="muted">${moment(savedAt)}</span></td><td>${version !== newest.version && html`<form method="post" action="${action}">${csrfField(csrf)}<input type="hidden" name="version" value="${version}"><input type="hidden" name="basedOn" value="${newest.version}"><button class="quiet small" name="act" value="restore" aria-label="Restore version ${version}">Restore</button></form>`}</td></tr>`,
  )}</tbody></table></div>
${!newest.removed && html`<h2>Remove</h2><form method="post" action="${action}">${csrfField(csrf)}<input type="hidden" name="basedOn" value="${newest.version}"><p class="muted">Saves a draft without this entry. It goes when that is published, and can be restored.</p><button class="danger" name="act" value="remove">Remove this entry</button></form>`}`
}

function releaseRow(release: ReleaseRow, action: string, csrf: string): Html {
  const { id, version, from, until, by, at, withdrawnAt, withdrawnBy } = release
  return html`<tr><td>${version}</td><td>from ${moment(from)}${until && html`<br>until ${moment(until)}`}${withdrawnAt && html`<br>withdrawn ${moment(withdrawnAt)} by ${withdrawnBy}`}</td><td>${by}<br><span class="muted">${moment(at)}</span></td><td>${!withdrawnAt && html`<form method="post" action="${action}">${csrfField(csrf)}<input type="hidden" name="release" value="${id}"><button class="quiet small" name="act" value="withdraw" aria-label="Withdraw release of version ${version}">Withdraw</button></form>`}</td></tr>`
}

/** Compares one version with the live one, line by line. */
export function versionPage(version: Fields | null, live: Fields | null): Html {
  const [after, before] = [linesOf(version), linesOf(live)]
  return html`<p class="muted">Lines that only this version has are marked +, lines that only the live one has are marked −.</p><pre>${after.map(
    (line) => (before.includes(line) ? html`${line}\n` : html`<ins>${line}</ins>`),
  )}${before.filter((line) => !after.includes(line)).map((line) => html`<del>${line}</del>`)}</pre>`
}

const linesOf = (fields: Fields | null) => (fields === null ? [] : JSON.stringify(fields, null, 2).split('\n'))

export interface MessagesView extends Omit<EntryView, 'schema' | 'entry'> {
  query: string
}

const maxKeys = 40
export const messagesEntry: EntryKey = { collection: 'copy', slug: 'messages' }

/** Returns the message keys whose name or text contains the query. */
export function findMessageKeys(query: string, fields: Fields): string[] {
  const wanted = query.toLowerCase()
  const entries = Object.entries(defaultMessages as Record<string, string>)
  const found = entries.filter(([key, text]) => `${key} ${text} ${fields[key] ?? ''}`.toLowerCase().includes(wanted))
  return found.map(([key]) => key).slice(0, maxKeys)
}

/** Every default message and the program's override. */
export function messagesPage(view: MessagesView): Html {
  const { partnerId, fields, detail, errors, csrf, done, problem, query, isSaved, showsDrafts } = view
  const defaults = defaultMessages as Record<string, string>
  const keys = findMessageKeys(query, fields)
  return html`${showsDrafts && draftsWarning}${renderNotice('done', done)}${renderNotice('wrong', problem)}
${detail && html`<p>${statesOf(detail)}</p>`}
<form class="row" method="get"><div class="field"><label for="q">Find text</label><input id="q" name="q" type="search" value="${query}"></div><button class="quiet">Find</button></form>
<p class="muted">${keys.length === maxKeys ? `The first ${maxKeys} of them` : `${keys.length} found`}. Empty fields use the default text.</p>
<form method="post" action="${entryHref(partnerId, messagesEntry)}" data-saved="${String(isSaved)}" novalidate>
${csrfField(csrf)}<input type="hidden" name="basedOn" value="${detail?.newest.version ?? 0}"><input type="hidden" name="q" value="${query}">
${keys.map((key) => {
  const wrong = errors[key]
  return html`<div class="field"><label for="${key}">${defaults[key]}</label><input type="hidden" name="key" value="${key}"><input id="${key}" name="word.${key}" value="${String(fields[key] ?? '')}" placeholder="${defaults[key]}"><span class="muted">${key}</span>${wrong && html`<p class="error">${wrong}</p>`}</div>`
})}
<div class="bar"><button name="act" value="save">Save draft</button><button class="quiet" name="act" value="preview">Save and preview</button></div>
</form>
${detail && releasePart(partnerId, messagesEntry, detail, csrf)}${unsavedScriptTag}`
}
