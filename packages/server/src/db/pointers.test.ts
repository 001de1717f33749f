import { sql } from './sql.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBareDatabase } from '../testing/databases.ts'
import type { Database } from './database.ts'
import { migrateDatabase, readMigrations } from './migrate.ts'

let database: Database
beforeAll(async () => {
  database = await openBareDatabase(`pointers_${process.env.VITEST_POOL_ID ?? '0'}`)
})
afterAll(() => database.close())

const nameOf = (digit: number) => `${String(digit).repeat(32)}.png`
const addressOf = (digit: number) => `/uploads/${nameOf(digit)}`

test('links pictures of messages and finds file names inside texts in the migration to counted pointers', async () => {
  const allMigrations = readMigrations()
  await migrateDatabase(
    database,
    allMigrations.filter(({ id }) => id < 23),
  )
  const pictures = JSON.stringify([
    { url: addressOf(2), name: 'Leaf' },
    { url: addressOf(1), name: 'file 1' },
    { url: addressOf(2), name: 'Leaf' },
    { url: '/uploads/nowhere.png', name: 'gone' },
  ])
  const parts = JSON.stringify([{ title: 'One', content: `<img src="${addressOf(3)}">` }])
  await database.transaction(async (trx) => {
    await trx.query(sql`insert into uploads (id, name, hash, ext, url, caption)
      select n, 'file ' || n, repeat(n::text, 32), '.png', '/uploads/' || repeat(n::text, 32) || '.png', 'See ' || repeat('4', 32) || '.png'
        from generate_series(1, 4) n`)
    await trx.query(sql`insert into roles (id, name, type) values (1, 'Owner', 'owner')`)
    await trx.query(
      sql`insert into users (id, username, email, password, role_id) values (1, 'a', 'a@example.org', 'x', 1)`,
    )
    await trx.query(sql`insert into chatrooms (id, sender_id) values (1, 1)`)
    await trx.query(sql`insert into chatmessages (id, room_id, sender_id, text, attachments) values
      (1, 1, 1, 'Look', ${pictures}::jsonb), (2, 1, 1, 'None', null), (3, 1, 1, 'Wrong', '{}'::jsonb)`)
    await trx.query(sql`insert into news (id, source_locale) values (5, 'en')`)
    await trx.query(sql`insert into news_texts (id, document_id, locale, title, content) values
      (7, 5, 'en', 'One', ${`<img src="${addressOf(1)}"><img src="/thumbnail_${nameOf(1)}">`}), (8, 5, 'ru', 'Two', 'none')`)
    await trx.query(sql`insert into courses (id, source_locale) values (1, 'en')`)
    await trx.query(sql`insert into lessons (id, source_locale, course_id) values (2, 'en', 1)`)
    await trx.query(
      sql`insert into lessons_texts (id, document_id, locale, title, parts) values (3, 2, 'en', 'Water', ${parts}::jsonb)`,
    )
  })
  await migrateDatabase(database, allMigrations)

  expect(
    await database.query(sql`select holder_id, target_id, position from chatmessages_files order by position`),
  ).toEqual([
    { holder_id: 1, target_id: 2, position: 1 },
    { holder_id: 1, target_id: 1, position: 2 },
  ])
  expect(await database.query(sql`select id, file_names from chatmessages order by id`)).toEqual([
    { id: 1, file_names: { 2: 'Leaf' } },
    { id: 2, file_names: null },
    { id: 3, file_names: null },
  ])
  const mentionRow = (resource: string, document_id: number, entry_id: number, field: string) => ({
    resource,
    document_id,
    entry_id,
    field,
  })
  const mentions = sql`select file_id, resource, document_id, entry_id, field from upload_mentions order by file_id, resource, entry_id`
  expect(await database.query(mentions)).toEqual([
    { file_id: 1, ...mentionRow('news', 5, 7, 'content') },
    { file_id: 3, ...mentionRow('lessons', 2, 3, 'parts') },
    ...[1, 2, 3].map((id) => ({ file_id: 4, ...mentionRow('uploads', id, id, 'caption') })),
  ])
})
