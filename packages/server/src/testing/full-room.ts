/** A chat room that contains every kind of event, and checksums for comparisons. */
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'
import { buildRecord, buildTag, buildUpload, nextNumber } from './factories.ts'
import type { TestPerson } from './people.ts'

/** A chat room and the people who write in it. */
export interface RoomOfPeople {
  database: Database
  room: number
  people: Readonly<Record<'customer' | 'consultant' | 'admin', TestPerson>>
}

/**
 * Fills a chat room through API calls of its people: messages of both sides, notes, pictures, quotes, edits,
 * deletes, marks, states and ratings, tags, and a consultation that names it.
 *
 * @param chat - The room; its customer asks, its consultant answers.
 * @param messages - Number of messages.
 * @throws When a message is refused.
 */
export async function fillRoom({ database, room, people }: RoomOfPeople, messages: number): Promise<void> {
  const files = {
    customer: [await pictureOf(database, people.customer), await pictureOf(database, people.customer)],
    consultant: [await pictureOf(database, people.consultant), await pictureOf(database, people.consultant)],
  } as const
  let lastMessageId: number | null = null
  for (let index = 0; index < messages; index += 1) {
    const isNote = index % 17 === 1
    const writerName = index % 3 === 0 && !isNote ? 'customer' : 'consultant'
    const writer = people[writerName]
    const pictures = files[writerName]
      .filter((_picture, pictureIndex) => index % (pictureIndex === 0 ? 2 : 4) === 0)
      .map((url) => ({ url }))
    const messageData = isNote
      ? { kind: 'note' }
      : { attachments: pictures, reply_to: index % 5 === 0 ? lastMessageId : null, client_id: `client-${nextNumber()}` }
    const sentMessage = await writer.ask('POST', '/chatmessages', {
      data: { room, text: `Text ${index}`, ...messageData },
    })
    if (sentMessage.status !== 200) throw new Error(JSON.stringify(sentMessage.body))
    const { id } = (sentMessage.body as { data: { id: number } }).data
    if (index % 7 === 0) await writer.ask('PUT', `/chatmessages/${id}`, { data: { text: `Edited ${index}` } })
    if (index % 11 === 10) await writer.ask('DELETE', `/chatmessages/${id}`)
    else if (!isNote) lastMessageId = id
    if (index % 50 !== 40) continue
    await people.consultant.ask('POST', `/chatrooms/${room}/state`, { data: { state: 'closed' } })
    const rating = { episode: await episodeOf(database, room), score: 4 }
    await people.customer.ask('POST', `/chatrooms/${room}/rating`, { data: rating })
  }
  for (const reader of Object.values(people)) await reader.ask('GET', `/seen_messages?room=${room}`)
  await people.admin.ask('PUT', `/chatrooms/${room}`, { data: { tags: [await buildTag(database)] } })
  await buildRecord(database, 'consultations', { question: 'Q', user: people.customer.id, chatroom: room })
  // The desk's own records of a chat room, which come from background work and drafts.
  await database.query(sql`insert into room_alarms (room_id, episode) values (${room}, 1)`)
  await database.query(sql`
    insert into room_drafts (room_id, resource, messages, document_id, user_id)
    values (${room}, 'faqs', array[1, 2], 1, ${people.consultant.id})`)
}

async function pictureOf(database: Database, owner: TestPerson): Promise<string> {
  const id = await buildUpload(database, { owner: owner.id })
  const [row] = await database.query(sql<{ url: string }>`select url from uploads where id = ${id}`)
  return row?.url ?? ''
}

async function episodeOf(database: Database, room: number): Promise<number> {
  const [row] = await database.query(sql<{ episode: number }>`select episode from chatrooms where id = ${room}`)
  return row?.episode ?? 0
}

/** Tables of logs and of counts of reports, to which a removal and a restore add rows. */
const traces = [
  'audit',
  'audit_anchor',
  'bulk_jobs',
  'bulk_rows',
  'notices',
  'sessions',
  'idempotency_keys',
  'report_days',
  'report_counts',
  'report_marks',
  'report_checks',
  'report_versions',
  'system_days',
]

/**
 * Returns the checksum of every row of each table, including versions and times of writing.
 *
 * @param database - The database.
 * @param lastRevision - The last revision that counts; later ones come from the test itself.
 * @returns Number of rows and checksum by table; empty tables are left out.
 */
export async function checksums(database: Database, lastRevision: number): Promise<Record<string, string>> {
  const tables = await database.query(sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${traces}::text[]) order by 1`)
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const revisionLimit = name === 'revisions' ? sql` where id <= ${lastRevision}` : sql``
    // The restore clears the link of a consultation and sets it again, which raises its version.
    const row = name === 'consultations' ? sql`to_jsonb(r) - 'version' - 'updated_at'` : sql`r`
    const [sum] = await database.query(sql<{ rows: number; sum: string | null }>`
      select count(*)::int as rows, md5(string_agg(x, '|' order by x)) as sum
        from (select (${row})::text as x from ${sql.table(name)} r${revisionLimit}) as listed`)
    if (sum && sum.rows > 0) sums[name] = `${sum.rows} rows ${sum.sum}`
  }
  return sums
}

/**
 * Finds the last stored revision of any record.
 *
 * @param database - The database.
 * @returns Its id; 0 when there is none.
 */
export async function lastRevisionOf(database: Database): Promise<number> {
  const [row] = await database.query(sql<{ id: number }>`select coalesce(max(id), 0) as id from revisions`)
  return row?.id ?? 0
}
