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
import { addChangesToEdit, discardEdit, type EditContent, readEdit, storeEdit } from '../domain/market/post-edits.ts'
import { readEndedEdit, noteDecision } from '../domain/market/post-decisions.ts'
import { noteRenewal } from '../domain/market/post-renewals.ts'
import { endOfDay } from '../domain/market/report-day.ts'
import type { Behaviour, FieldValues, CheckedWrite } from '../resources/write/behaviour.ts'

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
function materialOf({ operation, values, valuesBefore, lists }: CheckedWrite): string[] {
  const isText = (name: string) => tradinposts.fields[name]?.localized === true
  // Texts of a new language have not been moderated.
  const texts = operation === 'translate' ? Object.keys(values).filter(isText) : []
  const changedNames = Object.keys(differences(tradinposts, { ...values }, valuesBefore ?? {}))
  return [...new Set([...texts, ...changedNames, ...Object.keys(lists)])].filter((name) =>
    reviewedFields.includes(name),
  )
}

const isPublicStatus = (postStatus: unknown) => postStatus === 'processed' || postStatus === 'expired'

/** Returns the status of a trading post after a write, apart from changes that wait in an edit. */
function nextStatus(write: CheckedWrite): unknown {
  const { values, valuesBefore, operation } = write
  const [formerStatus, desiredStatus] = [valuesBefore?.status, values.status ?? valuesBefore?.status]
  if (isModerator(write)) return desiredStatus
  // A restored trading post is moderated again, because its pictures and link targets may have changed.
  if (operation === 'restore') return isPublicStatus(desiredStatus) ? 'on_hold' : desiredStatus
  return formerStatus === 'expired' && desiredStatus === 'expired' && materialOf(write).length > 0
    ? 'on_hold'
    : desiredStatus
}

/** Returns the values that a change of a trading post's status sets. */
function valuesOfStatusChange(formerStatus: unknown, newStatus: unknown, write: CheckedWrite): FieldValues {
  const { values, valuesBefore, caller, now, trx } = write
  // The waiting edit of a renewed trading post continues to wait.
  const waiting_since =
    valuesBefore?.edit_state === 'waiting' && newStatus !== 'archived' ? valuesBefore.waiting_since : null
  const decidedValues = { ...(isModerator(write) && { moderated_by: caller.id }), waiting_since }
  switch (newStatus) {
    case 'processed':
      // The reason of an earlier refusal does not apply to a public trading post.
      return {
        ...decidedValues,
        expires_at: expiryOf(trx.calendar, now),
        ...(!('reason' in values) && { reason: null }),
        ...(!('public_note' in values) && { public_note: null }),
      }
    case 'on_hold': {
      if (formerStatus !== 'rejected') return { ...decidedValues, expires_at: null, waiting_since: now }
      if (valuesBefore?.appealed_at !== null) {
        throw fault('state.step', {
          params: { field: 'status', from: 'rejected', to: 'on_hold' },
          details: { from: formerStatus, to: newStatus, allowed: [] },
        })
      }
      return { ...decidedValues, appealed_at: now, expires_at: null, waiting_since: now }
    }
    case 'expired':
      return {}
    default:
      return { ...decidedValues, expires_at: null }
  }
}

/**
 * Tells whether material changes of a trading post are stored as an edit: the post is public after the write,
 * or already has an edit.
 */
function isPendingEdit(write: CheckedWrite): boolean {
  const { values, valuesBefore, operation } = write
  if (!valuesBefore || operation === 'restore' || isModerator(write)) return false
  const requestedStatus = values.status ?? valuesBefore.status
  if (requestedStatus === 'archived') return false
  return valuesBefore.edit_state !== null || (requestedStatus === 'processed' && isPublicStatus(valuesBefore.status))
}

/**
 * Returns the texts that a new language of a trading post shows until its own are approved: those of the
 * post's first language.
 */
async function approvedTexts({ trx, document, locale }: CheckedWrite): Promise<FieldValues> {
  const [text] = await trx.query(sql<FieldValues>`
    select title, description from tradinposts_texts t join tradinposts d on d.id = t.document_id
     where t.document_id = ${document} and t.locale <> ${locale} order by t.locale <> d.source_locale, t.id limit 1`)
  return text ?? {}
}

/**
 * Stores material changes of a trading post as an edit.
 *
 * @returns The approved values, which remain, and the state of the edit.
 */
async function storePendingEdit(write: CheckedWrite, names: readonly string[]): Promise<FieldValues> {
  const {
    trx,
    document,
    locale,
    values,
    valuesBefore,
    lists,
    leaveListUnchanged: leaveUnchanged,
    operation,
    now,
  } = write
  const changedValues = Object.fromEntries(names.map((name) => [name, name in lists ? lists[name] : values[name]]))
  await addChangesToEdit(trx, document ?? 0, locale, splitByLanguage(tradinposts, changedValues))
  for (const name of names) if (name in lists) leaveUnchanged(name)
  const approvedValues = operation === 'translate' ? { ...valuesBefore, ...(await approvedTexts(write)) } : valuesBefore
  const sharedValues: Record<string, unknown> = {}
  for (const name of names) if (!(name in lists)) sharedValues[name] = approvedValues?.[name] ?? null
  // The time of a post's edit increases with every change, so that a moderator's decision on an older version
  // is refused.
  const lastEditAt = Date.parse(typeof valuesBefore?.edit_at === 'string' ? valuesBefore.edit_at : '') || 0
  const edit_at = new Date(Math.max(Date.parse(now), lastEditAt + 1)).toISOString()
  const waiting_since = valuesBefore?.waiting_since ?? now
  return { ...sharedValues, edit_state: 'waiting', edit_at, waiting_since }
}

/** Undoes a job's effect on the edit: removes an edit that the job added, and restores one that it ended. */
async function undoEdit({ values, valuesBefore, trx, document }: CheckedWrite): Promise<FieldValues> {
  const isEditEnded = valuesBefore?.edit_state === null
  const edit = isEditEnded && values.edit_state !== null ? await readEndedEdit(trx, document ?? 0) : undefined
  if (edit) await storeEdit(trx, document ?? 0, edit)
  else if (values.edit_state === null) await discardEdit(trx, document ?? 0)
  else return { edit_state: valuesBefore?.edit_state, edit_at: valuesBefore?.edit_at }
  return {}
}

/** Returns the values that a new trading post and a write of the program set. */
function initialValues({
  operation,
  valuesBefore,
  values,
  isTrusted,
  draft,
  now,
  trx,
}: CheckedWrite): FieldValues | undefined {
  const status = values.status ?? valuesBefore?.status ?? 'on_hold'
  // A trading post that the program publishes also gets an end.
  if (isTrusted && status === 'processed' && valuesBefore?.status !== 'processed' && !values.expires_at)
    return { expires_at: expiryOf(trx.calendar, now) }
  const startsWaiting = operation === 'create' && status === 'on_hold' && !values.waiting_since
  return startsWaiting
    ? { waiting_since: typeof draft.createdAt === 'string' && isTrusted ? draft.createdAt : now }
    : undefined
}

export const tradingPostBehaviour: Behaviour = {
  // State and time of a trading post's edit describe the present edit, whatever a restored revision contains.
  increasingFields: ['edit_state', 'edit_at'],
  async settleValues(write) {
    const { operation, valuesBefore, values, isTrusted, trx, document } = write
    if (document !== undefined) notifyPostChange(trx, document)
    if (operation === 'remove') return undefined
    if (!valuesBefore || isTrusted) return initialValues(write)
    const stateValues: Record<string, unknown> = 'edit_state' in values ? await undoEdit(write) : {}
    const waitingMaterial = isPendingEdit(write) ? materialOf(write) : []
    const [formerStatus, newStatus] = [
      valuesBefore.status,
      waitingMaterial.length > 0 ? (values.status ?? valuesBefore.status) : nextStatus(write),
    ]
    if (newStatus !== formerStatus) {
      Object.assign(stateValues, { status: newStatus, ...valuesOfStatusChange(formerStatus, newStatus, write) })
      let droppedEdit: EditContent | undefined
      if (newStatus === 'archived' && valuesBefore.edit_state !== null) {
        droppedEdit = (await readEdit(trx, document ?? 0))?.content
        await discardEdit(trx, document ?? 0)
        Object.assign(stateValues, { edit_state: null, edit_at: null })
      }
      if (isModerator(write) && document !== undefined)
        await noteDecision(write, document, String(newStatus), droppedEdit)
      if (document !== undefined) await noteRenewal(write, document, String(newStatus))
    }
    return waitingMaterial.length > 0
      ? { ...stateValues, ...(await storePendingEdit(write, waitingMaterial)) }
      : stateValues
  },
}
