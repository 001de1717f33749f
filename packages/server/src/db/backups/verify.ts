/** Checks a backup without restoring it: its files, its schema, and the numbers of its rows. */
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { openDatabase } from '../database.ts'
import { assertKnownSchema, schemaVersion } from '../migrate.ts'
import { sql } from '../sql.ts'
import { BackupError } from './manifest.ts'
import { writeScript } from './postgres-tools.ts'
import { assertSchema, type BackupContent, readBackup } from './restore.ts'

export interface BackupReport {
  kind: 'embedded' | 'server'
  schema: string
  copiedAt: Date
  /** Number of rows of each table. */
  rows: Readonly<Record<string, number>>
}

/**
 * Checks a backup completely. Nothing is written but a temporary file.
 *
 * @param backupPath - The folder of a backup, or the file of an hourly copy.
 * @returns What the backup contains.
 * @throws BackupError that names the missing, altered or unreadable file; SchemaError for a schema that this
 *   program does not know.
 */
export async function verifyBackup(backupPath: string): Promise<BackupReport> {
  const content = await readBackup(backupPath)
  if (content.schema !== undefined) assertKnownSchema(content.schema)
  const { schema, rows } = content.kind === 'embedded' ? await readEmbedded(content) : await readDump(content)
  assertSchema(schema, content)
  assertKnownSchema(schema)
  return { kind: content.kind, schema, copiedAt: content.copiedAt, rows }
}

type DatabaseContent = Pick<BackupReport, 'schema' | 'rows'>

/** Opens a packed embedded database in memory and counts its rows. */
async function readEmbedded({ archive }: BackupContent): Promise<DatabaseContent> {
  const image = new Blob([await readFile(archive)])
  const unreadable = () => new BackupError(`The file ${basename(archive)} cannot be opened as a database.`)
  const copy = await openDatabase({ memory: true, image }).catch(() => {
    throw unreadable()
  })
  try {
    const schema = await schemaVersion(copy)
    const tables = await copy.query(
      sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
    )
    const counts = tables.map(
      ({ name }) =>
        sql<{
          name: string
          count: number
        }>`select ${name}::text as name, count(*)::int as count from ${sql.table(name)}`,
    )
    const countAll = sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`
    const rows = await copy.query(countAll).catch(() => {
      throw unreadable()
    })
    return { schema, rows: Object.fromEntries(rows.map(({ name, count }) => [name, count])) }
  } finally {
    await copy.close()
  }
}

/**
 * Reads a whole dump with `pg_restore`, as a restore does, and counts the rows in its statements. Indexes and
 * constraints are made only by a restore, so they are not checked.
 */
async function readDump({ archive }: BackupContent): Promise<DatabaseContent> {
  const workFolder = await mkdtemp(join(tmpdir(), 'dala-verify-'))
  try {
    const script = join(workFolder, 'database.sql')
    await writeScript(archive, script)
    return await countScript(script)
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

/** Reads the lines of a file. A row of a dump may contain every other character that ends lines elsewhere. */
async function* linesIn(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const part of createReadStream(file, { encoding: 'utf8' })) {
    const lines = `${rest}${String(part)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Counts the rows of each table in the statements of a dump, and finds its last migration. */
async function countScript(script: string): Promise<DatabaseContent> {
  const rows: Record<string, number> = {}
  let table: string | undefined
  let lastMigration = { id: 0, name: '' }
  for await (const line of linesIn(script)) {
    if (table === undefined) {
      table = /^COPY public\."?(\w+)"? \(.*\) FROM stdin;$/.exec(line)?.[1]
      if (table !== undefined) rows[table] = 0
    } else if (line === '\\.') table = undefined
    else {
      rows[table] = (rows[table] ?? 0) + 1
      const [id = '', name = ''] = table === 'migrations' ? line.split('\t') : []
      if (Number(id) > lastMigration.id) lastMigration = { id: Number(id), name }
    }
  }
  if (table !== undefined) throw new BackupError(`The copy of the database ends within the rows of ${table}.`)
  if (lastMigration.id === 0) throw new BackupError('The copy is not of a database of Dala.')
  return { schema: `${String(lastMigration.id).padStart(4, '0')}-${lastMigration.name}`, rows }
}
