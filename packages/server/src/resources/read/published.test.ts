import { expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord, publishCourses } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { readPublishedVersion } from './published.ts'

const resourceApp = startResourceApp()

interface Row {
  title: string
}

it.each([
  ['without queries of its own', sql<Row>`select title from courses_texts where locale = ${'en'}`],
  [
    'with a query',
    sql<Row>`with seen as (select title from courses_texts where locale = ${'en'}) select title from seen`,
  ],
  [
    'with a recursive query',
    sql<Row>`with recursive steps(step) as (select 1 union all select step + 1 from steps where step < 3)
      select title from courses_texts where locale = ${'en'} and 3 in (select step from steps)
         and not exists (select 1 from upload_mentions where file_id = 0)`,
  ],
])('reads the published copies of courses in a statement %s', async (_what, statement) => {
  const course = await buildRecord(resourceApp.database, 'courses', { title: 'As published', state: 'published' })
  await publishCourses(resourceApp.database)
  await resourceApp.ask('PUT', `/courses/${course}`, { data: { title: 'Draft' } })
  const titles = async (readMode: 'copies' | 'preview' | undefined) =>
    (await resourceApp.database.query(readPublishedVersion(statement, readMode))).map(({ title }) => title)
  expect([await titles('copies'), await titles('preview'), await titles(undefined)]).toEqual([
    ['As published'],
    ['Draft'],
    ['Draft'],
  ])
  await resourceApp.ask('DELETE', `/courses/${course}?locale=all`)
})

it('leaves a statement unchanged that reads no table with published copies', () => {
  const statement = sql`select name from tags_texts`
  expect(readPublishedVersion(statement, 'copies')).toBe(statement)
})
