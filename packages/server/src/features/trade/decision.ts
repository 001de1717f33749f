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
import { discardEdit, type EditContent, readEdit } from '../../domain/market/post-edits.ts'
import { readCurrentRecord } from '../../resources/read/read.ts'
import { bodyOf } from '../../resources/history/existing-ids.ts'
import { updateEntry } from '../../resources/write/write.ts'
import { assertUnclaimedPost, releaseClaim } from './claims.ts'

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

const needsReason = (toStatus: string) =>
  transitions.some((transition) => transition.to === toStatus && transition.reason === true)

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
  const foundLabels = await trx.query(sql<{ label: string }>`
    select coalesce(r.label ->> ${language}::text, r.label ->> 'en', r.label ->> 'ru', r.code) as label
      from unnest(${[...reasons]}::text[]) with ordinality as given(code, place)
      join moderationreasons r on r.code = given.code and r.active and r.applies_to in ('decision', ${to}::text)
     order by given.place`)
  if (foundLabels.length < reasons.length) {
    const params = { field: 'reason' }
    throw fault('moderation.reason', { params, issues: [{ path: ['reason'], code: 'moderation.reason', params }] })
  }
  return foundLabels.map(({ label }) => label)
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
function refuseStep(fromStatus: unknown, toStatus: string): never {
  const allowedSteps = transitions
    .filter(({ from: start, by }) => start === fromStatus && by.includes('admin'))
    .map((transition) => transition.to)
  throw fault('state.step', {
    params: { field: 'status', from: String(fromStatus), to: toStatus },
    details: { from: fromStatus, to: toStatus, allowed: allowedSteps },
  })
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
  const sharedBody: Record<string, unknown> = {}
  for (const name of Object.keys(content.shared)) sharedBody[name] = values[name] ?? null
  if ('images' in content.shared) {
    const rows = await trx.query(sql<{ id: number }>`
      select target_id as id from tradinposts_images where holder_id = ${document} order by position, target_id`)
    sharedBody.images = rows.map(({ id }) => id)
  }
  const texts = Object.fromEntries(
    family
      .filter(({ locale }) => content.texts[locale])
      .map(({ locale, title, description }) => [locale, { title, description }]),
  )
  return { shared: sharedBody, texts }
}

/**
 * Writes values of a trading post, localized ones to the text of their language.
 *
 * @param trx - The transaction.
 * @param deciding - The author with their rights.
 * @param storedEntry - The locked post.
 * @param content - The values to write, with links as documents.
 * @param otherValues - Further values that all languages share, in the form of a request body.
 * @param isTrusted - Whether the server itself writes, so that read-only fields are allowed.
 */
export async function writeContent(
  trx: Transaction,
  { database, author, view }: DecisionContext,
  storedEntry: StoredEntry,
  content: EditContent,
  otherValues: Readonly<Record<string, unknown>>,
  isTrusted?: true,
): Promise<void> {
  const context = { database, author, view, trx, ...(isTrusted && { isTrusted: isTrusted }) }
  const family = await languagesOfPost(trx, storedEntry.document)
  const ownTexts = storedEntry.locale ? content.texts[storedEntry.locale] : undefined
  const sharedBody = await bodyOf(trx, tradinposts, content.shared)
  await updateEntry(context, tradinposts, storedEntry.entry, { ...sharedBody, ...ownTexts, ...otherValues })
  for (const { entry, locale } of family) {
    const texts = content.texts[locale]
    if (texts && entry !== storedEntry.entry) await updateEntry(context, tradinposts, entry, { ...texts })
  }
}

/** Tells whether an edit of a public trading post waits, and not the post itself. */
const isEditPending = ({ values }: StoredEntry): boolean =>
  values.edit_state === 'waiting' && (values.status === 'processed' || values.status === 'expired')

/**
 * Decides on a trading post in an open transaction.
 *
 * @param trx - The transaction.
 * @param decisionContext - The moderator with their rights.
 * @param id - The wire id of the post.
 * @param version - The version that the moderator has seen.
 * @param decision - The decision.
 * @throws 404 for a post that the caller may not see; 409 for a stale version and for a post that another
 * moderator has claimed; 422 for a step that is not allowed and for reasons that are missing or not listed.
 */
export async function decideOnPost(
  trx: Transaction,
  decisionContext: DecisionContext,
  id: number,
  version: number,
  decision: PostVerdict,
): Promise<void> {
  const { author, view } = decisionContext
  const storedEntry = await lockEntry(trx, tradinposts, id, { author, view })
  if (!storedEntry) throw fault('record.not-found')
  if (storedEntry.version !== version) {
    const currentPost = await readCurrentRecord(trx, tradinposts, id, author.caller)
    throw fault('record.stale', {
      details: { current: currentPost, ...(await lastChangeOf(trx, tradinposts, storedEntry)) },
    })
  }
  await assertUnclaimedPost(trx, storedEntry.document, author.caller.id)
  const { to } = decision
  const isAlsoDecided = isEditPending(storedEntry) && ['processed', 'needs_changes', 'rejected'].includes(to)
  if (!isAlsoDecided && to === storedEntry.values.status) refuseStep(storedEntry.values.status, to)
  if (
    !isAlsoDecided &&
    !transitions.some(
      ({ from, to: end, by }) => from === storedEntry.values.status && end === to && by.includes('admin'),
    )
  )
    refuseStep(storedEntry.values.status, to)
  const labels = await labelsOf(trx, decision, await languageOf(trx, storedEntry.values.user))
  if (isAlsoDecided) await decideEdit(trx, decisionContext, storedEntry, decision)
  else await decidePost(trx, decisionContext, storedEntry, decision, labels)
  await releaseClaim(trx, storedEntry.document)
  notifyPostChange(trx, storedEntry.document)
}

/** Returns the state of a trading post's edit and its content before a decision. */
async function readEditBefore(trx: Transaction, { document, values }: StoredEntry) {
  const edit = await readEdit(trx, document)
  return { edit, undoData: { edit: edit?.content ?? null, edit_state: values.edit_state, edit_at: values.edit_at } }
}

async function decidePost(
  trx: Transaction,
  decisionContext: DecisionContext,
  storedEntry: StoredEntry,
  { to, reason: reasons, public_note, staff_note }: PostVerdict,
  labels: readonly string[],
): Promise<void> {
  const { document } = storedEntry
  const { edit, undoData } = await readEditBefore(trx, storedEntry)
  // An edit that was returned to the trading post's author is not approved with the post.
  const isApplied = to === 'processed' && edit !== undefined && storedEntry.values.edit_state === 'waiting'
  const reason = labels.length > 0 ? [...labels.join('; ')].slice(0, maxReasonText).join('') : null
  const note = {
    status: to,
    ...(reason !== null && { reason }),
    public_note,
    ...(staff_note !== null && { staff_note }),
  }
  const family = await languagesOfPost(trx, document)
  const formerValues = isApplied
    ? await formerValuesOf(trx, storedEntry, edit.content, family)
    : { shared: {}, texts: {} }
  await writeContent(trx, decisionContext, storedEntry, isApplied ? edit.content : { shared: {}, texts: {} }, note)
  if (isApplied) await settleEdit(trx, decisionContext, storedEntry, null)
  const [now] = await versionOfPost(trx, storedEntry.entry)
  await trx.query(sql`
    update post_decisions set reasons = ${[...reasons]}::text[],
           kept = kept || ${JSON.stringify({ former: formerValues, version: now?.version, entry: storedEntry.entry, ...(isApplied && undoData) })}::jsonb
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
  const context = { database, author, view, isTrusted: true, trx } as const
  await updateEntry(context, tradinposts, entry, { edit_state, edit_at: null, waiting_since: null })
  if (edit_state === null) await discardEdit(trx, document)
}

async function decideEdit(
  trx: Transaction,
  decisionContext: DecisionContext,
  storedEntry: StoredEntry,
  { to, reason: reasons, public_note, staff_note }: PostVerdict,
): Promise<void> {
  const { document, entry, values } = storedEntry
  const { edit, undoData } = await readEditBefore(trx, storedEntry)
  const isApplied = to === 'processed' && edit !== undefined
  const formerValues = isApplied
    ? await formerValuesOf(trx, storedEntry, edit.content, await languagesOfPost(trx, document))
    : undefined
  const staffNoteValue = staff_note === null ? {} : { staff_note }
  if (isApplied) await writeContent(trx, decisionContext, storedEntry, edit.content, staffNoteValue)
  else if (staff_note !== null)
    await writeContent(trx, decisionContext, storedEntry, { shared: {}, texts: {} }, staffNoteValue)
  await settleEdit(trx, decisionContext, storedEntry, to === 'needs_changes' ? 'returned' : null)
  const [now] = await versionOfPost(trx, entry)
  const restoredValues = {
    ...undoData,
    former: formerValues ?? { shared: {}, texts: {} },
    values: { staff_note: values.staff_note, waiting_since: values.waiting_since },
    version: now?.version,
    entry,
  }
  await trx.query(sql`
    insert into post_decisions (document_id, subject, from_state, to_state, user_id, reasons, public_note, staff_note, kept, notify_at)
    values (${document}, 'edit', 'waiting', ${to}, ${decisionContext.author.caller.id}, ${[...reasons]}::text[], ${public_note}::text,
            ${staff_note}::text, ${JSON.stringify(restoredValues)}::jsonb, ${notifyAtSql})`)
}
