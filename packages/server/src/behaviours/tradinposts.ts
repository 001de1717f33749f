/**
 * Rules of trading posts: the effects of a decision, edits of a public post, and one appeal (content-model
 * §8, market §7).
 */
import { fault, rankOfRole } from '@dala/model'
import { sql } from '../db/sql.ts'
import type { Calendar } from '../db/calendar.ts'
import { resourceNamed } from '../resources/attributes.ts'
import { differences, splitByLanguage } from '../resources/write/changes.ts'
import { notifyPostChange } from '../domain/market/post-changes.ts'
import { addToEdit, dropEdit, type EditContent, readEdit, storeEdit } from '../domain/market/post-edits.ts'
import { editEndedBy, noteDecision } from '../domain/market/post-decisions.ts'
import { endOfDay } from '../domain/market/report-day.ts'
import type { Behaviour, Facts, CheckedWrite } from '../resources/write/behaviour.ts'

const tradinposts = resourceNamed('tradinposts')
const reviewedFields = tradinposts.review?.reviewedFields ?? []

/** Number of days for which a trading post is public. */
const publicDays = 30

/**
 * Returns the end of a trading post's public period that begins now: the local midnight after the last day.
 */
function expiryOf(calendar: Calendar, now: string): string {
  return new Date(endOfDay(calendar, Date.parse(now) + publicDays * 86_400_000)).toISOString()
}

const isModerator = ({ caller }: CheckedWrite) => rankOfRole(caller.role) >= rankOfRole('admin')

/** Returns the changed fields of a trading post that buyers rely on. */
function materialOf({ operation, values, before, lists }: CheckedWrite): string[] {
  const isText = (name: string) => tradinposts.fields[name]?.localized === true
  // Texts of a new language have not been moderated.
  const texts = operation === 'translate' ? Object.keys(values).filter(isText) : []
  const changed = Object.keys(differences(tradinposts, { ...values }, before ?? {}))
  return [...new Set([...texts, ...changed, ...Object.keys(lists)])].filter((name) => reviewedFields.includes(name))
}

const isPublicStatus = (from: unknown) => from === 'processed' || from === 'expired'

/** Returns the status of a trading post after a write, apart from changes that wait in an edit. */
function nextStatus(write: CheckedWrite): unknown {
  const { values, before, operation } = write
  const [from, requested] = [before?.status, values.status ?? before?.status]
  if (isModerator(write)) return requested
  // A restored trading post is moderated again, because its pictures and link targets may have changed.
  if (operation === 'restore') return isPublicStatus(requested) ? 'on_hold' : requested
  return from === 'expired' && requested === 'expired' && materialOf(write).length > 0 ? 'on_hold' : requested
}

/** Returns the values that a change of a trading post's status sets. */
function valuesOfStatusChange(from: unknown, to: unknown, write: CheckedWrite): Facts {
  const { values, before, caller, now, trx } = write
  // The waiting edit of a renewed trading post continues to wait.
  const waiting_since = before?.edit_state === 'waiting' && to !== 'archived' ? before.waiting_since : null
  const decided = { ...(isModerator(write) && { moderated_by: caller.id }), waiting_since }
  switch (to) {
    case 'processed':
      // The reason of an earlier refusal does not apply to a public trading post.
      return {
        ...decided,
        expires_at: expiryOf(trx.calendar, now),
        ...(!('reason' in values) && { reason: null }),
        ...(!('public_note' in values) && { public_note: null }),
      }
    case 'on_hold': {
      if (from !== 'rejected') return { ...decided, expires_at: null, waiting_since: now }
      if (before?.appealed_at !== null) {
        throw fault('state.step', {
          params: { field: 'status', from: 'rejected', to: 'on_hold' },
          details: { from, to, allowed: [] },
        })
      }
      return { ...decided, appealed_at: now, expires_at: null, waiting_since: now }
    }
    case 'expired':
      return {}
    default:
      return { ...decided, expires_at: null }
  }
}

/**
 * Tells whether material changes of a trading post are stored as an edit: the post is public after the write,
 * or already has an edit.
 */
function goesIntoEdit(write: CheckedWrite): boolean {
  const { values, before, operation } = write
  if (!before || operation === 'restore' || isModerator(write)) return false
  const requested = values.status ?? before.status
  if (requested === 'archived') return false
  return before.edit_state !== null || (requested === 'processed' && isPublicStatus(before.status))
}

/**
 * Returns the texts that a new language of a trading post shows until its own are approved: those of the
 * post's first language.
 */
async function approvedTexts({ trx, document, locale }: CheckedWrite): Promise<Facts> {
  const [text] = await trx.query(sql<Facts>`
    select title, description from tradinposts_texts t join tradinposts d on d.id = t.document_id
     where t.document_id = ${document} and t.locale <> ${locale} order by t.locale <> d.source_locale, t.id limit 1`)
  return text ?? {}
}

/**
 * Stores material changes of a trading post as an edit.
 *
 * @returns The approved values, which remain, and the state of the edit.
 */
async function storePendingEdit(write: CheckedWrite, names: readonly string[]): Promise<Facts> {
  const { trx, document, locale, values, before, lists, leaveUnchanged, operation, now } = write
  const changed = Object.fromEntries(names.map((name) => [name, name in lists ? lists[name] : values[name]]))
  await addToEdit(trx, document ?? 0, locale, splitByLanguage(tradinposts, changed))
  for (const name of names) if (name in lists) leaveUnchanged(name)
  const approved = operation === 'translate' ? { ...before, ...(await approvedTexts(write)) } : before
  const sharedValues: Record<string, unknown> = {}
  for (const name of names) if (!(name in lists)) sharedValues[name] = approved?.[name] ?? null
  // The time of a post's edit increases with every change, so that a moderator's decision on an older version
  // is refused.
  const last = Date.parse(typeof before?.edit_at === 'string' ? before.edit_at : '') || 0
  const edit_at = new Date(Math.max(Date.parse(now), last + 1)).toISOString()
  const waiting_since = before?.waiting_since ?? now
  return { ...sharedValues, edit_state: 'waiting', edit_at, waiting_since }
}

/** Undoes a job's effect on the edit: removes an edit that the job added, and restores one that it ended. */
async function undoEdit({ values, before, trx, document }: CheckedWrite): Promise<Facts> {
  const isEditEnded = before?.edit_state === null
  const edit = isEditEnded && values.edit_state !== null ? await editEndedBy(trx, document ?? 0) : undefined
  if (edit) await storeEdit(trx, document ?? 0, edit)
  else if (values.edit_state === null) await dropEdit(trx, document ?? 0)
  else return { edit_state: before?.edit_state, edit_at: before?.edit_at }
  return {}
}

/** Returns the values that a new trading post and a write of the program set. */
function initialValues({ operation, before, values, trusted, draft, now, trx }: CheckedWrite): Facts | undefined {
  const status = values.status ?? before?.status ?? 'on_hold'
  // A trading post that the program publishes also gets an end.
  if (trusted && status === 'processed' && before?.status !== 'processed' && !values.expires_at)
    return { expires_at: expiryOf(trx.calendar, now) }
  const startsWaiting = operation === 'create' && status === 'on_hold' && !values.waiting_since
  return startsWaiting
    ? { waiting_since: typeof draft.createdAt === 'string' && trusted ? draft.createdAt : now }
    : undefined
}

export const tradingPostBehaviour: Behaviour = {
  // State and time of a trading post's edit describe the present edit, whatever a restored revision contains.
  increasingFields: ['edit_state', 'edit_at'],
  async settle(write) {
    const { operation, before, values, trusted, trx, document } = write
    if (document !== undefined) notifyPostChange(trx, document)
    if (operation === 'remove') return undefined
    if (!before || trusted) return initialValues(write)
    const stateValues: Record<string, unknown> = 'edit_state' in values ? await undoEdit(write) : {}
    const waiting = goesIntoEdit(write) ? materialOf(write) : []
    const [from, to] = [before.status, waiting.length > 0 ? (values.status ?? before.status) : nextStatus(write)]
    if (to !== from) {
      Object.assign(stateValues, { status: to, ...valuesOfStatusChange(from, to, write) })
      let dropped: EditContent | undefined
      if (to === 'archived' && before.edit_state !== null) {
        dropped = (await readEdit(trx, document ?? 0))?.content
        await dropEdit(trx, document ?? 0)
        Object.assign(stateValues, { edit_state: null, edit_at: null })
      }
      if (isModerator(write) && document !== undefined) await noteDecision(write, document, String(to), dropped)
    }
    return waiting.length > 0 ? { ...stateValues, ...(await storePendingEdit(write, waiting)) } : stateValues
  },
}
