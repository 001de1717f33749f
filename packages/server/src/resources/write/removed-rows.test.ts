import { hasTrash, type Resource, resources } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { openTestApp, type TestApp, tokenOf } from '../../testing/app.ts'
import { openBareDatabase } from '../../testing/databases.ts'
import { leastDraft, type Targets } from '../../testing/drafts.ts'
import { buildRecord, buildNews, buildRole, buildUser } from '../../testing/factories.ts'
import { ownedBy } from '../../testing/owned-by.ts'
import { checksums, lastRevisionOf } from '../../testing/full-room.ts'

/** Tables that no declaration names: below a record, below a table of such rows, and beside it. */
const unknownTables = `
  create table reader_notes (
    id integer generated always as identity primary key,
    news_id integer not null references news on delete cascade,
    user_id integer references users on delete set null,
    note text not null, upper_note text generated always as (upper(note)) stored,
    amount numeric(20, 6), at timestamptz not null default now());
  create table reader_answers (
    note_id integer not null references reader_notes on delete cascade,
    news_id integer references news on delete cascade,
    place integer not null, answers integer[], said jsonb,
    primary key (note_id, place));
  create table reader_marks (
    user_id integer not null references users on delete cascade,
    place integer not null,
    note_id integer references reader_notes on delete set null,
    news_id integer references news on delete set null,
    primary key (user_id, place));`

let database: Database
let startedApp: TestApp
let [token, owner] = ['', 0]
const ask = async (method: 'DELETE' | 'POST', url: string) => {
  const { statusCode } = await startedApp.app.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: `Bearer ${token}` },
  })
  return statusCode
}

beforeAll(async () => {
  database = await openBareDatabase('removed_rows')
  await migrateDatabase(database)
  await database.script(unknownTables)
  startedApp = await openTestApp({ database })
  await buildRole(database, 'public')
  owner = await buildUser(database, 'owner', { username: 'owner', email: 'owner@example.org' })
  token = await tokenOf(startedApp.app, 'owner')
})
afterAll(async () => {
  await startedApp.app.close()
  await database.close()
})

describe('the rows of a removed record', () => {
  it('restores the rows of a deleted record in any table', async () => {
    const [id, otherId] = [await buildNews(database), await buildNews(database)]
    await database.query(sql`
      insert into reader_notes (news_id, user_id, note, amount)
      select ${id}, ${owner}, 'Note ' || n, n / 7.0 from generate_series(1, 50) n`)
    await database.query(sql`
      insert into reader_answers (note_id, news_id, place, answers, said)
      select id, case when id % 3 = 0 then ${otherId}::int when id % 3 = 1 then news_id end, 1, array[id, 2], '{"b":1,  "a":2}' from reader_notes`)
    await database.query(sql`
      insert into reader_marks (user_id, place, note_id, news_id)
      select ${owner}, id, id, case when id % 2 = 0 then news_id end from reader_notes`)
    const lastRevisionId = await lastRevisionOf(database)
    const rows = async () => {
      // The triggers of the memory note each change of a text, so the restored one too.
      const {
        news: _news,
        news_texts: _texts,
        memory_changes: _notes,
        ...otherChecksums
      } = await checksums(database, lastRevisionId)
      return otherChecksums
    }
    const rowsBefore = await rows()
    expect(await ask('DELETE', `/news/${id}`)).toBe(200)
    const [remainingRows] = await database.query(sql<{ notes: number; marks: number }>`
      select (select count(*)::int from reader_notes) as notes, count(note_id)::int as marks from reader_marks`)
    expect(remainingRows).toEqual({ notes: 0, marks: 0 })
    expect(await ask('POST', `/news/${id}/restore`)).toBe(200)
    expect(await rows()).toEqual(rowsBefore)
  })

  it('restores no row whose target was deleted meanwhile, and no link that has another target by now', async () => {
    const [id, otherId] = [await buildNews(database), await buildNews(database)]
    await database.query(sql`
      insert into reader_notes (id, news_id, note) overriding system value values (1001, ${id}, 'A'), (1002, ${id}, 'B')`)
    await database.query(sql`
      insert into reader_answers (note_id, news_id, place) values (1001, ${otherId}, 1), (1002, null, 1)`)
    await database.query(sql`
      insert into reader_marks (user_id, place, note_id) values (${owner}, 1001, 1001), (${owner}, 1002, 1002)`)
    await ask('DELETE', `/news/${id}`)
    await ask('DELETE', `/news/${otherId}`)
    await database.query(sql`delete from reader_marks where place = 1001`)
    expect(await ask('POST', `/news/${id}/restore`)).toBe(200)
    const answers = await database.query(sql`select note_id from reader_answers where note_id > 1000`)
    expect(answers).toEqual([{ note_id: 1002 }])
    const marks = await database.query(sql`select note_id from reader_marks where place > 1000`)
    expect(marks).toEqual([{ note_id: 1002 }])
  })
})

describe('the foreign keys of the database', () => {
  it('finds only foreign keys that lead by one column to a record, never to one of its languages', async () => {
    const keys = await database.query(sql<{ name: string; target: string; columns: number; rule: string }>`
      select c.conname as name, t.relname as target, cardinality(c.conkey) as columns, c.confdeltype::text as rule
        from pg_constraint c join pg_class t on t.oid = c.confrelid where c.contype = 'f'`)
    expect(keys.length).toBeGreaterThan(100)
    expect(keys.filter(({ columns }) => columns !== 1)).toEqual([])
    expect(keys.filter(({ target }) => target.endsWith('_texts'))).toEqual([])
    const tables = await database.query(sql`
      select relname from pg_class t where relkind = 'r' and relnamespace = 'public'::regnamespace
         and not exists (select 1 from pg_index i where i.indrelid = t.oid and i.indisprimary)`)
    expect(tables).toEqual([])
    expect(keys.filter(({ rule }) => !['a', 'r', 'c', 'n'].includes(rule))).toEqual([])
  })

  /** Only two kinds of trading posts exist; posts of this file may have created one of them. */
  const freeCode = async () => {
    const [takenRow] = await database.query(sql<{ code: string }>`select code from tradingposttypes`)
    return takenRow?.code === 'purchase' ? 'selling' : 'purchase'
  }
  const targets: Targets = new Map()
  it.each(
    Object.values<Resource>(resources)
      .filter((resource) => hasTrash(resource) && !['uploads', 'insert_excel'].includes(resource.name))
      .map((resource) => [resource.name, resource] as const),
  )('deletes and restores a record of %s', async (name, resource) => {
    const draft = await leastDraft(database, resource, targets)
    const ownFields = name === 'tradingposttypes' ? { code: await freeCode() } : ownedBy(name, owner)
    const id = await buildRecord(database, name, { ...draft, ...ownFields })
    expect(await ask('DELETE', `/${resource.wire}/${id}`)).toBe(200)
    expect(await ask('POST', `/${resource.wire}/${id}/restore`)).toBe(200)
  })
})
