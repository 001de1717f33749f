/** Creates a consultation or a FAQ from messages, without private data (chat §4). */
import {
  type Conversion,
  type ConversionAnswer,
  Fault,
  fault,
  type Locale,
  rankOfRole,
  unprocessableFault,
  validateRecord,
} from '@dala/model'
import { sql } from '../../../db/sql.ts'
import { documentTable, textTable } from '../../../db/schema.ts'
import type { Database, Transaction } from '../../../db/database.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { authoriseCaller } from '../../../resources/authorise.ts'
import { notifyConsultation } from '../../../domain/conversations/consultation-changes.ts'
import { lockEntry, type StoredEntry } from '../../../resources/write/examine.ts'
import type { EnteredCall } from '../../../resources/feature-routes.ts'
import { maskPrivate } from '../../../domain/conversations/mask.ts'
import { createEntry } from '../../../resources/write/write.ts'
import { sideInRoom } from '../sides.ts'

/** Resource of a draft that chat messages are converted into, by the kind of conversion. */
const draftResources = { consultation: 'consultations', faq: 'faqs' } as const

interface ConversionRequest {
  resource: ConversionAnswer['data']['resource']
  messages: number[]
  locale: Locale
}

interface SourceMessage {
  id: number
  isAsker: boolean
  text: string | null
}

interface DraftSource {
  messages: SourceMessage[] | null
  names: (string | null)[] | null
  /** Wire ids of the chat room's region and category. */
  region: number | null
  category: number | null
  /** Existing draft that was created from the same chat messages before. */
  existing: number | null
}

/** Reads everything that the draft of a conversion needs, in one statement; the chat room is locked. */
async function loadDraftSource(
  trx: Transaction,
  { document, values }: StoredEntry,
  { messages, resource }: ConversionRequest,
): Promise<DraftSource> {
  const [source] = await trx.query(sql<DraftSource>`
    select (select json_agg(json_build_object('id', m.id, 'isAsker', m.sender_id = ${values.sender}, 'text', m.text) order by m.seq)
              from chatmessages m where m.room_id = ${document} and m.id = any(${messages}::int[])
               and m.kind = 'message' and m.deleted_at is null) as messages,
           (select json_build_array(u.name, u.surname, u.middlename, u.username) from users u where u.id = ${values.sender}) as names,
           (select min(t.id) from regions_texts t where t.document_id = ${values.region ?? null}::int) as region,
           (select min(t.id) from consultationcategories_texts t where t.document_id = ${values.category ?? null}::int) as category,
           (select d.document_id from room_drafts d
             where d.room_id = ${document} and d.resource = ${resource} and d.messages = ${messages}::int[]) as existing`)
  return source ?? { messages: null, names: null, region: null, category: null, existing: null }
}

/** Finds the wire id of a converted draft that still exists. */
async function entryOf(
  trx: Transaction,
  name: ConversionRequest['resource'],
  document: number,
): Promise<number | undefined> {
  const resource = resourceNamed(name)
  const [row] = await trx.query(sql<{ id: number | null }>`
    select min(id) as id from ${sql.table(resource.localized ? textTable(resource) : documentTable(resource))}
     where ${sql.ref(resource.localized ? 'document_id' : 'id')} = ${document}`)
  return row?.id ?? undefined
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const toParagraphs = (texts: readonly string[]) =>
  texts.flatMap((text) => text.split(/\n+/u).map((line) => `<p>${escapeHtml(line)}</p>`)).join('')

/** Returns the texts of one side of a conversation, in the order of the chat room's messages. */
const textsOf = ({ messages }: DraftSource, authorSide: 'asker' | 'desk') =>
  (messages ?? []).flatMap(({ isAsker, text }) => (isAsker === (authorSide === 'asker') && text !== null ? [text] : []))
const toQuestion = (texts: readonly string[]) => texts.join('\n\n')

/**
 * Refuses texts of a conversion that are too long before time is spent on masking them.
 *
 * @throws 422 naming `question` or `answer`.
 */
function assertTextFits(source: DraftSource, name: ConversionRequest['resource']): void {
  const writtenDraft = { question: toQuestion(textsOf(source, 'asker')), answer: toParagraphs(textsOf(source, 'desk')) }
  const { issues } = validateRecord(resourceNamed(name), writtenDraft, 'update')
  const tooLongIssues = issues.filter(({ code }) => code === 'validation.maxLength')
  if (tooLongIssues.length > 0) throw unprocessableFault(tooLongIssues)
}

/** Masks personal data in the question and the answer of an FAQ. */
function maskSource(source: DraftSource): { question: string; answer: string } {
  const personalNames = (source.names ?? []).filter((name) => name !== null)
  const maskedTexts = (authorSide: 'asker' | 'desk') =>
    textsOf(source, authorSide).map((text) => maskPrivate(text, personalNames))
  return { question: toQuestion(maskedTexts('asker')), answer: toParagraphs(maskedTexts('desk')) }
}

/**
 * Creates the consultation or FAQ that was drafted from chat messages.
 *
 * @throws 422, as all routes of actions do, for values that the record refuses.
 */
async function createDraft(
  trx: Transaction,
  database: Database,
  { author }: EnteredCall,
  name: string,
  draft: object,
  locale: Locale,
) {
  const resource = resourceNamed(name)
  try {
    const context = { database, author, view: {}, isTrusted: true, trx } as const
    return await createEntry(context, resource, { ...draft }, resource.localized ? locale : undefined)
  } catch (error) {
    if (error instanceof Fault && error.status === 400) throw unprocessableFault(error.issues)
    throw error
  }
}

/**
 * Creates a draft from public messages: the customer's are the question, the others the answer. The same
 * messages again return the same draft. A FAQ is created inactive.
 *
 * @throws 404; 403 for a caller who does not answer in the room or may not create such records; 422 for
 *   notes, messages of other rooms, and drafts without a question or an answer.
 */
export async function convertMessages(
  trx: Transaction,
  database: Database,
  enteredCall: EnteredCall,
  id: number,
  { to, message_ids: messages, locale }: Conversion,
): Promise<ConversionAnswer> {
  const { caller, author, view } = enteredCall
  const conversion: ConversionRequest = { resource: draftResources[to], messages, locale: locale ?? caller.language }
  const room = await lockEntry(trx, resourceNamed('chatrooms'), id, { author, view })
  if (!room) throw fault('record.not-found')
  const callerSide = sideInRoom(caller, room.values)
  const isStaff = rankOfRole(caller.role) >= rankOfRole('admin')
  if (callerSide !== 'owner' && !(callerSide === 'desk' && isStaff)) throw fault('access.denied')
  authoriseCaller(resourceNamed(conversion.resource), 'create', caller)
  const source = await loadDraftSource(trx, room, conversion)
  const params = { field: 'message_ids' }
  if (source.messages?.length !== conversion.messages.length)
    throw unprocessableFault([{ path: ['message_ids'], code: 'validation.relation', params }])
  const formerEntry = source.existing === null ? undefined : await entryOf(trx, conversion.resource, source.existing)
  if (formerEntry !== undefined)
    return { data: { resource: conversion.resource, id: formerEntry }, meta: { duplicate: true } }

  assertTextFits(source, conversion.resource)
  const { question, answer } = maskSource(source)
  const missingFields =
    question === ''
      ? 'convert.no-question'
      : answer === '' && conversion.resource === 'faqs'
        ? 'convert.no-answer'
        : undefined
  if (missingFields)
    throw fault(missingFields, { params, issues: [{ path: ['message_ids'], code: missingFields, params }] })
  const { category, region } = source
  const texts = { question, ...(answer !== '' && { answer }), category }
  const { sender, receiver, assignee } = room.values
  const draft =
    conversion.resource === 'faqs'
      ? { ...texts, active: false }
      : {
          ...texts,
          region,
          user: sender,
          consultant: assignee ?? receiver,
          language: conversion.locale,
          chatroom: room.entry,
        }
  const recordId = await createDraft(trx, database, enteredCall, conversion.resource, draft, conversion.locale)
  if (conversion.resource === 'consultations') notifyConsultation(trx, recordId)
  const [document] =
    conversion.resource === 'faqs'
      ? await trx.query(sql<{ id: number }>`select document_id as id from faqs_texts where id = ${recordId}`)
      : [{ id: recordId }]
  await trx.query(sql`
    insert into room_drafts (room_id, resource, messages, document_id, user_id)
    values (${id}, ${conversion.resource}, ${conversion.messages}::int[], ${document?.id ?? recordId}, ${caller.id})
    on conflict (room_id, resource, messages) do update set document_id = excluded.document_id, user_id = excluded.user_id, created_at = now()`)
  return { data: { resource: conversion.resource, id: recordId }, meta: {} }
}
