/** Reads the details of a trading post under review: its edit, its author, hints, reports and decisions. */
import {
  type Caller,
  type EditChange,
  type Locale,
  locales,
  type PostDecision,
  type PostReview,
  rankOfRole,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Queries } from '../../db/database.ts'
import { userNameSql } from '../../domain/accounts/user-name.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { Change } from '../../resources/history/history.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { resolveChanges } from '../../resources/history/revision-changes.ts'
import { claimOf } from './claims.ts'
import { findContacts, priceScale, findDuplicates, wordsIn } from './hints.ts'
import { readPostReports } from './reports.ts'
import { readSubject, type Subject } from './subject.ts'

const tradinposts = resourceNamed('tradinposts')

const authorOf = async (queries: Queries, user: number | null) => {
  const [author] = await queries.query(sql<NonNullable<PostReview['author']>>`
    select u.id, ${userNameSql} as name, u.language, u.created_at as since, u.blocked,
           (select count(*)::int from tradinposts d where d.user_id = u.id) as posts,
           (select count(distinct d.id)::int from tradinposts d left join post_decisions p on p.document_id = d.id
              and p.to_state = 'rejected' and p.undone_at is null
             where d.user_id = u.id and (d.status = 'rejected' or p.id is not null)) as refusals,
           (select count(*)::int from post_reports r join tradinposts d on d.id = r.document_id
             where d.user_id = u.id and r.upheld is not false) as reports
      from users u where u.id = ${user}::int`)
  return author ?? null
}

/** Returns the decisions on a trading post, newest first; only moderators receive notes for colleagues. */
export async function loadDecisions(queries: Queries, document: number, { role }: Caller): Promise<PostDecision[]> {
  const foundDecisions = await queries.query(sql<PostDecision>`
    select p.id, p.created_at as at, p.subject, p.from_state as "from", p.to_state as "to", p.public_note, p.staff_note,
           p.undone_at is not null as undone, case when p.reasons = '{}' and p.reason_text is not null then array[p.reason_text] else p.reasons end as reasons,
           (select json_build_object('id', u.id, 'name', ${userNameSql}) from users u where u.id = p.user_id) as "by"
      from post_decisions p where p.document_id = ${document} order by p.id desc limit 100`)
  if (rankOfRole(role) >= rankOfRole('admin')) return foundDecisions
  // The author of a trading post reads a decision once it can no longer be undone.
  const finalDecision = await queries.query(sql<{ id: number }>`
    select id from post_decisions where document_id = ${document} and undone_at is null and notify_at <= now()`)
  const ids = new Set(finalDecision.map(({ id }) => id))
  return foundDecisions
    .filter(({ id }) => ids.has(id))
    .map(({ staff_note: _own, by: _who, ...decision }) => ({ ...decision, by: null }))
}

/** Returns the edit of a trading post: each changed field with its public and its waiting value. */
export async function editOf(
  database: Database,
  caller: Caller,
  subject: Subject,
  locale: Locale,
): Promise<PostReview['edit']> {
  const { document, edit } = subject
  if (!edit) return null
  const { shared, texts } = edit.content
  const [storedPost] = await database.query(sql<{
    shared: Record<string, unknown>
    texts: Record<string, Record<string, unknown>>
  }>`
    select json_build_object('price', d.price, 'currency', d.currency, 'phone', d.phone, 'unit', d.unit_id, 'mainPhoto', d."mainPhoto_id",
             'tradingposttype', d.tradingposttype_id, 'tradingpostcategory', d.tradingpostcategory_id,
             'images', (select coalesce(json_agg(i.target_id order by i.position), '[]') from tradinposts_images i where i.holder_id = d.id)) as shared,
           (select json_object_agg(t.locale, json_build_object('title', t.title, 'description', t.description))
              from tradinposts_texts t where t.document_id = d.id) as texts
      from tradinposts d where d.id = ${document}`)
  const changesOf = (
    newValues: Readonly<Record<string, unknown>>,
    formerValues: Readonly<Record<string, unknown>> = {},
  ) =>
    Object.fromEntries(
      Object.entries(newValues).map(([name, value]): [string, Change] => [
        name,
        { before: formerValues[name] ?? null, after: value },
      ]),
    )
  const sharedChanges = changesOf(shared, storedPost?.shared)
  const resolvedChanges = await resolveChanges(database, new QueryContext(caller), tradinposts, [sharedChanges], locale)
  const listChanges = (language: Locale | null, changes: Readonly<Record<string, Change>>): EditChange[] =>
    Object.entries(changes).map(([field, change]) => ({ field, locale: language, ...change }))
  const textChangesList = locales.flatMap((language) => {
    const editTexts = texts[language]
    return editTexts && storedPost?.texts[language]
      ? listChanges(language, changesOf(editTexts, storedPost.texts[language]))
      : []
  })
  const isDifferent = ({ before, after }: EditChange) => JSON.stringify(before) !== JSON.stringify(after)
  return {
    state: edit.state,
    at: edit.at,
    changes: [...textChangesList, ...listChanges(null, resolvedChanges(sharedChanges))].filter(isDifferent),
  }
}

/** Returns the whole review of a trading post; undefined for an unknown post. */
export async function reviewOf(
  database: Database,
  caller: Caller,
  { document, version }: { document: number; version: number },
  locale: Locale,
): Promise<PostReview | undefined> {
  const subject = await readSubject(database, document)
  if (!subject) return undefined
  const [author, claim, edit, twins, price, flaggedTerms, reports, decisions] = await Promise.all([
    authorOf(database, subject.user),
    claimOf(database, document),
    editOf(database, caller, subject, locale),
    findDuplicates(database, subject),
    priceScale(database, subject),
    wordsIn(database, subject),
    readPostReports(database, document),
    loadDecisions(database, document, caller),
  ])
  const contacts = findContacts(subject)
  return {
    version,
    author,
    claim: claim ?? null,
    edit,
    twins,
    price,
    contacts,
    words: flaggedTerms,
    reports,
    decisions,
  }
}
