/**
 * Writes the migration that the model asks for: `npm run migration -- add-agroculture-areas`; without a name
 * it only prints.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '@dala/model'
import { openDatabase } from '../db/database.ts'
import { missingStatements } from '../db/introspect.ts'
import { migrateDatabase, readMigrations } from '../db/migrate.ts'
import { tablesOf } from '../db/schema.ts'

const name = process.argv[2]
const database = await openDatabase({ memory: true })
await migrateDatabase(database)
const statements = await missingStatements(database, tablesOf(resources))
await database.close()

if (statements.length === 0) console.log('The migrations already make what the model asks for.')
else if (name === undefined) console.log(statements.join('\n'))
else {
  const number = String((readMigrations().at(-1)?.id ?? 0) + 1).padStart(4, '0')
  const file = join(import.meta.dirname, '../db/migrations', `${number}-${name}.sql`)
  writeFileSync(
    file,
    `-- rolling-update: no, nobody has examined it yet\n-- ${number}-${name}: generated from the model; read it before it is committed.\n\n${statements.join('\n')}\n`,
    { flag: 'wx' },
  )
  console.log(`Written: ${file}`)
}
