import { expect, it } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { TableStatistics } from './table-statistics.ts'

it('analyses large tables of the embedded database once, again after they have grown, and none after the stop', async () => {
  const database = await openDatabase({ memory: true })
  const addRows = (count: number) =>
    database.query(sql`insert into large select g, repeat('x', 200) from generate_series(1, ${count}::int) g`)
  const countStatistics = () =>
    database.query(
      sql<{ name: string; columns: number }>`
        select tablename::text as name, count(*)::int as columns from pg_stats where schemaname = 'public' group by 1 order by 1`,
    )
  try {
    await database.query(sql`create table large (id int, text text)`)
    await database.query(sql`create table small (id int)`)
    await database.query(sql`insert into small values (1)`)
    await addRows(5_000)
    const statistics = new TableStatistics(database)
    expect(await countStatistics()).toEqual([])
    expect(await statistics.refresh()).toEqual(['large'])
    expect(await countStatistics()).toEqual([{ name: 'large', columns: 2 }])
    await addRows(100)
    expect(await statistics.refresh()).toEqual([])
    await addRows(5_000)
    expect(await statistics.refresh()).toEqual(['large'])
    await addRows(10_000)
    await statistics.stop()
    expect(await statistics.refresh()).toEqual([])
  } finally {
    await database.close()
  }
})
