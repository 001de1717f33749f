/** Undoes a decision on a trading post before its author is notified. */
import { fault, type Locale } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { notifyPostChange } from '../../domain/market/post-changes.ts'
import { type EditContent, storeEdit } from '../../domain/market/post-edits.ts'
import { forgetRenewal } from '../../domain/market/post-renewals.ts'
import { type DecisionContext, writeContent } from './decision.ts'

const tradinposts = resourceNamed('tradinposts')

interface UndoableDecision {
  id: number
  subject: 'post' | 'edit'
  kept: {
    values: Readonly<Record<string, unknown>>
    former?: {
      shared: Readonly<Record<string, unknown>>
      texts: Readonly<Partial<Record<Locale, EditContent['shared']>>>
    }
    edit?: EditContent | null
    edit_state?: string | null
    edit_at?: string | null
    version?: number
    entry?: number
  }
}

/**
 * Restores a trading post to its state before the last decision.
 *
 * @param trx - The transaction.
 * @param decisionContext - The moderator, who must have made the decision.
 * @param id - The wire id of the post.
 * @throws 404 for a post that the caller may not see; 409 when no decision can be undone any more, or the
 * post has changed since.
 */
export async function undoDecision(trx: Transaction, decisionContext: DecisionContext, id: number): Promise<void> {
  const { author, view } = decisionContext
  const storedEntry = await lockEntry(trx, tradinposts, id, { author, view })
  if (!storedEntry) throw fault('record.not-found')
  const { document } = storedEntry
  const [lastDecision] = await trx.query(sql<UndoableDecision>`
    update post_decisions set undone_at = now()
     where id = (select max(id) from post_decisions where document_id = ${document} and undone_at is null)
       and user_id = ${author.caller.id} and notified_at is null and notify_at > now()
    returning id, subject, kept`)
  if (!lastDecision) throw fault('moderation.no-undo')
  const { values, former = { shared: {}, texts: {} }, edit, edit_state, edit_at, version, entry } = lastDecision.kept
  const [now] = await trx.query(
    sql<{ version: number }>`select version from tradinposts_texts where id = ${entry ?? id}`,
  )
  if (version !== undefined && now?.version !== version) throw fault('bulk.changed-since')
  const otherValues = { ...values, ...(edit_state !== undefined && { edit_state, edit_at: edit_at ?? null }) }
  await writeContent(trx, decisionContext, storedEntry, former, otherValues, true)
  if (edit) await storeEdit(trx, document, edit)
  if (values.status === 'expired') await forgetRenewal(trx, document)
  notifyPostChange(trx, document)
}
