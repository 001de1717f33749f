/** Decides on a trading post or on its waiting edit (market §7). */
import { fault, type Locale, type Transition } from '@dala/model'
import type { PostVerdict } from '@dala/model/api/trade'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { refuseWithoutReason } from '../../resources/missing-reason.ts'
import { resourceNamed, type View } from '../../resources/attributes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import type { Author } from '../../resources/history/history.ts'
import { lastChangeOf } from '../../resources/history/last-change.ts'
import { notifyPostChange } from '../../domain/market/post-changes.ts'
import { notifyAtSql } from '../../domain/market/post-decisions.ts'
import { dropEdit, type EditContent, readEdit } from '../../domain/market/post-edits.ts'
import { readCurrent } from '../../resources/read/read.ts'
import { bodyOf } from '../../resources/history/existing-ids.ts'
import { updateEntry } from '../../resources/write/write.ts'
import { assertUnclaimed, releaseClaim } from './claims.ts'

const tradinposts = resourceNamed('tradinposts')
const { status } = tradinposts.fields
const transitions: readonly Transition[] = (status?.kind === 'choice' && status.transitions) || []

/** Maximum length of the stored reason of a decision. */
const maxReasonText = 255

export interface DecisionContext {
  database: Database
  author: Author
  view: View
}

const needsReason = (to: string) => transitions.some((transition) => transition.to === to && transition.reason === true)

/**
 * Returns the labels of a decision's reasons in a language.
 *
 * @throws 422 for a code that is not listed for such a decision.
 */
async function labelsOf(trx: Transaction, { to, reason: reasons }: PostVerdict, language: Locale): Promise<string[]> {
  if (reasons.length === 0) {
    if (needsReason(to)) refuseWithoutReason()
    return []
  }
  const found = await trx.query(sql<{ label: string }>`
    select coalesce(r.label ->> ${language}::text, r.label ->> 'en', r.label ->> 'ru', r.code) as label
      from unnest(${[...reasons]}::text[]) with ordinality as given(code, place)
      join moderationreasons r on r.code = given.code and r.active and r.applies_to in ('decision', ${to}::text)
     order by given.place`)
  if (found.length < reasons.length) {
    const params = { field: 'reason' }
    throw fault('moderation.reason', { params, issues: [{ path: ['reason'], code: 'moderation.reason', params }] })
  }
  return found.map(({ label }) => label)
}

async function languageOf(trx: Transaction, user: unknown): Promise<Locale> {
  const [account] = await trx.query(sql<{ language: Locale }>`select language from users where id = ${user}`)
  return account?.language ?? 'en'
}

/**
 * Refuses a step of a trading post's status.
 *
 * @throws 422 with the possible transitions.
 */
function refuseStep(from: unknown, to: string): never {
  const allowed = transitions
    .filter(({ from: start, by }) => start === from && by.includes('admin'))
    .map((transition) => transition.to)
  throw fault('state.step', { params: { field: 'status', from: String(from), to }, details: { from, to, allowed } })
}

interface PostLanguage {
  entry: number
  locale: Locale
  version: number
  title: string
  description: string | null
}

/** Returns the languages of a trading post. */
const languagesOfPost = (trx: Transaction, document: number): Promise<PostLanguage[]> =>
  trx.query(sql<PostLanguage>`
    select id as entry, locale, version, title, description from tradinposts_texts where document_id = ${document} order by id`)

/** Returns the former values of the fields that an edit of a trading post changes, to undo it later. */
async function formerValuesOf(
  trx: Transaction,
  { document, values }: StoredEntry,
  content: EditContent,
  family: PostLanguage[],
) {
  const shared: Record<string, unknown> = {}
  for (const name of Object.keys(content.shared)) shared[name] = values[name] ?? null
  if ('images' in content.shared) {
    const rows = await trx.query(sql<{ id: number }>`
      select target_id as id from tradinposts_images where holder_id = ${document} order by position, target_id`)
    shared.images = rows.map(({ id }) => id)
  }
  const texts = Object.fromEntries(
    family
      .filter(({ locale }) => content.texts[locale])
      .map(({ locale, title, description }) => [locale, { title, description }]),
  )
  return { shared, texts }
}

/**
 * Writes values of a trading post, localized ones to the text of their language.
 *
 * @param trx - The transaction.
 * @param deciding - The author with their rights.
 * @param stored - The locked post.
 * @param content - The values to write, with links as documents.
 * @param besides - Further values that all languages share, in the form of a request body.
 * @param trusted - Whether the server itself writes, so that read-only fields are allowed.
 */
export async function writeContent(
  trx: Transaction,
  { database, author, view }: DecisionContext,
  stored: StoredEntry,
  content: EditContent,
  besides: Readonly<Record<string, unknown>>,
  trusted?: true,
): Promise<void> {
  const context = { database, author, view, trx, ...(trusted && { trusted }) }
  const family = await languagesOfPost(trx, stored.document)
  const ownTexts = stored.locale ? content.texts[stored.locale] : undefined
  const shared = await bodyOf(trx, tradinposts, content.shared)
  await updateEntry(context, tradinposts, stored.entry, { ...shared, ...ownTexts, ...besides })
  for (const { entry, locale } of family) {
    const texts = content.texts[locale]
    if (texts && entry !== stored.entry) await updateEntry(context, tradinposts, entry, { ...texts })
  }
}

/** Tells whether an edit of a public trading post waits, and not the post itself. */
const isEditPending = ({ values }: StoredEntry): boolean =>
  values.edit_state === 'waiting' && (values.status === 'processed' || values.status === 'expired')

/**
 * Decides on a trading post in an open transaction.
 *
 * @param trx - The transaction.
 * @param deciding - The moderator with their rights.
 * @param id - The wire id of the post.
 * @param version - The version that the moderator has seen.
 * @param decision - The decision.
 * @throws 404 for a post that the caller may not see; 409 for a stale version and for a post that another
 * moderator has claimed; 422 for a step that is not allowed and for reasons that are missing or not listed.
 */
export async function decideOnPost(
  trx: Transaction,
  deciding: DecisionContext,
  id: number,
  version: number,
  decision: PostVerdict,
): Promise<void> {
  const { author, view } = deciding
  const stored = await lockEntry(trx, tradinposts, id, { author, view })
  if (!stored) throw fault('record.not-found')
  if (stored.version !== version) {
    const current = await readCurrent(trx, tradinposts, id, author.caller)
    throw fault('record.stale', { details: { current, ...(await lastChangeOf(trx, tradinposts, stored)) } })
  }
  await assertUnclaimed(trx, stored.document, author.caller.id)
  const { to } = decision
  const beside = isEditPending(stored) && ['processed', 'needs_changes', 'rejected'].includes(to)
  if (!beside && to === stored.values.status) refuseStep(stored.values.status, to)
  if (
    !beside &&
    !transitions.some(({ from, to: end, by }) => from === stored.values.status && end === to && by.includes('admin'))
  )
    refuseStep(stored.values.status, to)
  const labels = await labelsOf(trx, decision, await languageOf(trx, stored.values.user))
  if (beside) await decideEdit(trx, deciding, stored, decision)
  else await decidePost(trx, deciding, stored, decision, labels)
  await releaseClaim(trx, stored.document)
  notifyPostChange(trx, stored.document)
}

/** Returns the state of a trading post's edit and its content before a decision. */
async function editBefore(trx: Transaction, { document, values }: StoredEntry) {
  const edit = await readEdit(trx, document)
  return { edit, undoData: { edit: edit?.content ?? null, edit_state: values.edit_state, edit_at: values.edit_at } }
}

async function decidePost(
  trx: Transaction,
  deciding: DecisionContext,
  stored: StoredEntry,
  { to, reason: reasons, public_note, staff_note }: PostVerdict,
  labels: readonly string[],
): Promise<void> {
  const { document } = stored
  const { edit, undoData } = await editBefore(trx, stored)
  // An edit that was returned to the trading post's author is not approved with the post.
  const isApplied = to === 'processed' && edit !== undefined && stored.values.edit_state === 'waiting'
  const reason = labels.length > 0 ? [...labels.join('; ')].slice(0, maxReasonText).join('') : null
  const note = {
    status: to,
    ...(reason !== null && { reason }),
    public_note,
    ...(staff_note !== null && { staff_note }),
  }
  const family = await languagesOfPost(trx, document)
  const former = isApplied ? await formerValuesOf(trx, stored, edit.content, family) : { shared: {}, texts: {} }
  await writeContent(trx, deciding, stored, isApplied ? edit.content : { shared: {}, texts: {} }, note)
  if (isApplied) await settleEdit(trx, deciding, stored, null)
  const [now] = await versionOfPost(trx, stored.entry)
  await trx.query(sql`
    update post_decisions set reasons = ${[...reasons]}::text[],
           kept = kept || ${JSON.stringify({ former, version: now?.version, entry: stored.entry, ...(isApplied && undoData) })}::jsonb
     where id = (select max(id) from post_decisions where document_id = ${document})`)
}

const versionOfPost = (trx: Transaction, entry: number) =>
  trx.query(sql<{ version: number }>`select version from tradinposts_texts where id = ${entry}`)

/** Ends the waiting of a trading post's edit: it is deleted or returned to the author. */
async function settleEdit(
  trx: Transaction,
  { database, author, view }: DecisionContext,
  { entry, document }: StoredEntry,
  edit_state: 'returned' | null,
): Promise<void> {
  const context = { database, author, view, trusted: true, trx } as const
  await updateEntry(context, tradinposts, entry, { edit_state, edit_at: null, waiting_since: null })
  if (edit_state === null) await dropEdit(trx, document)
}

async function decideEdit(
  trx: Transaction,
  deciding: DecisionContext,
  stored: StoredEntry,
  { to, reason: reasons, public_note, staff_note }: PostVerdict,
): Promise<void> {
  const { document, entry, values } = stored
  const { edit, undoData } = await editBefore(trx, stored)
  const isApplied = to === 'processed' && edit !== undefined
  const former = isApplied
    ? await formerValuesOf(trx, stored, edit.content, await languagesOfPost(trx, document))
    : undefined
  const staffNoteValue = staff_note === null ? {} : { staff_note }
  if (isApplied) await writeContent(trx, deciding, stored, edit.content, staffNoteValue)
  else if (staff_note !== null) await writeContent(trx, deciding, stored, { shared: {}, texts: {} }, staffNoteValue)
  await settleEdit(trx, deciding, stored, to === 'needs_changes' ? 'returned' : null)
  const [now] = await versionOfPost(trx, entry)
  const back = {
    ...undoData,
    former: former ?? { shared: {}, texts: {} },
    values: { staff_note: values.staff_note, waiting_since: values.waiting_since },
    version: now?.version,
    entry,
  }
  await trx.query(sql`
    insert into post_decisions (document_id, subject, from_state, to_state, user_id, reasons, public_note, staff_note, kept, notify_at)
    values (${document}, 'edit', 'waiting', ${to}, ${deciding.author.caller.id}, ${[...reasons]}::text[], ${public_note}::text,
            ${staff_note}::text, ${JSON.stringify(back)}::jsonb, ${notifyAtSql})`)
}
