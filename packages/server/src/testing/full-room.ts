/** A room in which everything has happened that can happen in one, for tests that compare it row by row. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { ChatWorld } from './chat-world.ts'
import { build, buildTag, buildUpload, nextNumber } from './factories.ts'

/**
 * Fills the room of a chat through the calls of its people: messages of both sides, notes, pictures, quotes, edits,
 * deletes, marks, states and ratings, and a consultation that names it.
 *
 * @param world - The chat; its customer asks, its consultant answers.
 * @param messages - How many messages are sent.
 * @returns The id of the room.
 */
export async function fillRoom(world: ChatWorld, messages: number): Promise<number> {
  const { here, person, ask, send } = world
  const room = world.room()
  const [first, second] = [await pictureOf(here.database), await pictureOf(here.database)]
  let last: number | null = null
  for (let index = 0; index < messages; index += 1) {
    const isNote = index % 17 === 1
    const who = index % 3 === 0 && !isNote ? 'customer' : 'consultant'
    const attachments = [...(index % 2 === 0 ? [{ url: first }] : []), ...(index % 4 === 0 ? [{ url: second }] : [])]
    const sent = await send(who, `Text ${index}`, {
      client_id: `client-${nextNumber()}`,
      ...(isNote ? { kind: 'note' } : { attachments, reply_to: index % 5 === 0 ? last : null }),
    })
    const { id } = sent.data
    if (index % 7 === 0) await ask(who, 'PUT', `/chatmessages/${id}`, { text: `Edited ${index}` })
    if (index % 11 === 10) await ask(who, 'DELETE', `/chatmessages/${id}`)
    else if (!isNote) last = id
    if (index % 50 === 40) {
      await ask('consultant', 'POST', `/chatrooms/${room}/state`, { state: 'closed' })
      await ask('customer', 'POST', `/chatrooms/${room}/rating`, {
        episode: await episodeOf(here.database, room),
        score: 4,
      })
    }
  }
  for (const who of ['customer', 'consultant', 'admin'] as const)
    await person(who).ask('GET', `/seen_messages?room=${room}`)
  await person('admin').ask('PUT', `/chatrooms/${room}`, { data: { tags: [await buildTag(here.database)] } })
  await build(here.database, 'consultations', { question: 'Q', user: person('customer').id, chatroom: room })
  await here.database.query(sql`insert into room_alarms (room_id, episode) values (${room}, 1)`)
  await here.database.query(sql`
    insert into room_drafts (room_id, resource, messages, document_id, user_id)
    values (${room}, 'faqs', array[1, 2], 1, ${person('consultant').id})`)
  return room
}

async function pictureOf(database: Database): Promise<string> {
  const id = await buildUpload(database)
  const [row] = await database.query(sql<{ url: string }>`select url from uploads where id = ${id}`)
  return row?.url ?? ''
}

async function episodeOf(database: Database, room: number): Promise<number> {
  const [row] = await database.query(sql<{ episode: number }>`select episode from chatrooms where id = ${room}`)
  return row?.episode ?? 0
}

/** Tables whose rows a removal and its way back add to. */
const traces = ['audit', 'bulk_jobs', 'bulk_rows', 'notices', 'sessions', 'idempotency_keys']

/**
 * The checksum of every row of each table, whatever it is: versions and times of writing included.
 *
 * @param database - The database.
 * @param lastRevision - The last revision that counts; later ones tell of what the test itself did.
 * @returns Number of rows and checksum by table; empty tables are left out.
 */
export async function checksums(database: Database, lastRevision: number): Promise<Record<string, string>> {
  const tables = await database.query(sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${traces}::text[]) order by 1`)
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const only = name === 'revisions' ? sql` where id <= ${lastRevision}` : sql``
    // The link of a consultation is emptied and filled again, which its version counts.
    const row = name === 'consultations' ? sql`to_jsonb(r) - 'version' - 'updated_at'` : sql`to_jsonb(r)`
    const [sum] = await database.query(sql<{ rows: number; sum: string | null }>`
      select count(*)::int as rows, md5(string_agg(x, '|' order by x)) as sum
        from (select (${row})::text as x from ${sql.table(name)} r${only}) as listed`)
    if (sum && sum.rows > 0) sums[name] = `${sum.rows} rows ${sum.sum}`
  }
  return sums
}

/** The last revision that was written. */
export async function lastRevisionOf(database: Database): Promise<number> {
  const [row] = await database.query(sql<{ id: number }>`select coalesce(max(id), 0) as id from revisions`)
  return row?.id ?? 0
}
