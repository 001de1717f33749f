/** Tags as the contents of data folders in tests of backups. */
import type { Database } from '../db/database.ts'
import { type DataSettings, openData } from '../db/open-data.ts'
import { sql } from '../db/sql.ts'

/** Adds tags without texts, each in a statement of its own. */
export const addTags = (database: Database, count: number) =>
  database.transaction(async (trx) => {
    for (let attempt = 0; attempt < count; attempt += 1)
      await trx.query(sql`insert into tags (source_locale) values ('en')`)
  })

/** Opens the data of a folder or a server, counts the tags, and closes the data again. */
export async function tagsIn(dataSettings: DataSettings): Promise<unknown> {
  const { database, close } = await openData(dataSettings)
  try {
    const [row] = await database.query(sql<{ count: number }>`select count(*) as count from tags`)
    return row?.count
  } finally {
    await close()
  }
}
