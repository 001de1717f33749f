/** Checks a backup without restoring it: its files, its schema, and the numbers of its rows. */
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { openDatabase } from '../database.ts'
import { assertKnownSchema, schemaVersion } from '../migrate.ts'
import { BackupError } from './backup-error.ts'
import { writeScript } from './postgres-tools.ts'
import { assertSchema, readBackup, withPlainArchive } from './restore.ts'
import { countRows, type RowCounts } from './row-counts.ts'
import type { BackupKey } from './sealed-file.ts'

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
 * @param key - The key of encrypted backups.
 * @returns What the backup contains.
 * @throws BackupError that names the missing, altered or unreadable file; SchemaError for a schema that this
 *   program does not know.
 */
export async function verifyBackup(backupPath: string, key?: BackupKey): Promise<BackupReport> {
  const content = await readBackup(backupPath, key)
  if (content.schema !== undefined) assertKnownSchema(content.schema)
  const { schema, rows } = await withPlainArchive(content, content.kind === 'embedded' ? readImage : readDump)
  assertSchema(schema, content)
  assertKnownSchema(schema)
  if (content.rows !== undefined) assertRows(rows, content.rows)
  return { kind: content.kind, schema, copiedAt: content.copiedAt, rows }
}

export type DatabaseContent = Pick<BackupReport, 'schema' | 'rows'>

/**
 * Compares the rows of a copy with those that were counted when it was made.
 *
 * @param found - The numbers of rows in the copy.
 * @param noted - The numbers of rows in the manifest.
 * @throws BackupError that names the first table with another number.
 */
export function assertRows(found: RowCounts, noted: RowCounts): void {
  for (const table of new Set([...Object.keys(noted), ...Object.keys(found)]))
    if (found[table] !== noted[table])
      throw new BackupError(
        `The copy of the database has ${found[table] ?? 'no'} rows in ${table}, and had ${noted[table] ?? 'none'} when it was made.`,
      )
}

/**
 * Opens a packed embedded database in memory and counts its rows.
 *
 * @param archive - The file.
 * @returns The schema and the numbers of rows.
 * @throws BackupError when it cannot be opened, or not be read.
 */
export async function readImage(archive: string): Promise<DatabaseContent> {
  const image = new Blob([await readFile(archive)])
  const unreadable = () => new BackupError(`The file ${basename(archive)} cannot be opened as a database.`)
  const copy = await openDatabase({ memory: true, image }).catch(() => {
    throw unreadable()
  })
  try {
    const schema = await schemaVersion(copy)
    const rows = await countRows(copy).catch(() => {
      throw unreadable()
    })
    return { schema, rows }
  } finally {
    await copy.close()
  }
}

/**
 * Reads a whole dump with `pg_restore`, as a restore does, and counts the rows in its statements. Indexes and
 * constraints are made only by a restore, so they are not checked.
 *
 * @param archive - The file.
 * @returns The schema and the numbers of rows.
 * @throws BackupError when it cannot be read to its end.
 */
export async function readDump(archive: string): Promise<DatabaseContent> {
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
