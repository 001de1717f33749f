/** Draws the pictures of the demo, stores them as uploads, and links them to their records. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Transaction } from '../../db/database.ts'
import { publishedTable } from '../../db/published-tables.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { programCaller } from '../../resources/history/history.ts'
import { editor } from '../accounts.ts'
import type { PartContext } from '../part-context.ts'
import { keyField } from '../records.ts'
import type { Subject } from './subjects.ts'
import { toDocument } from './svg.ts'

/**
 * Draws the pictures as JPEG files into a folder, in a child process.
 *
 * @throws With the output of that process.
 */
async function drawPictures(subjects: readonly Subject[], folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'draw.ts'), folder], {
    stdio: ['pipe', 'ignore', 'pipe'],
    signal,
  })
  const errorOutput = buffer(child.stderr)
  const endedSignal = once(child, 'close')
  child.stdin.end(JSON.stringify(subjects.map(({ drawing }, index) => ({ name: index, svg: toDocument(drawing()) }))))
  await endedSignal
  if (child.exitCode !== 0)
    throw new Error(`The pictures could not be drawn: ${(await errorOutput).toString().slice(0, 2_000)}`)
}

/** Links a picture to the records with its key, unless a user has chosen one meanwhile. */
async function showPicture(trx: Transaction, { resource: name, key, field }: Subject, uploadId: number): Promise<void> {
  const resource = resourceNamed(name)
  const knownField = keyField(resource)
  const table = sql.table(documentTable(resource))
  const documents = resource.fields[knownField]?.localized
    ? sql`select document_id from ${sql.table(textTable(resource))} where ${sql.ref(knownField)} = ${key}::text and locale = 'ru'`
    : sql`select id from ${table} where ${sql.ref(knownField)} = ${key}::text`
  const column = sql.ref(`${field}_id`)
  const shownTables = resource.publishedCopies ? [table, sql.table(publishedTable(documentTable(resource)))] : [table]
  for (const records of shownTables)
    await trx.query(sql`
      update ${records} set ${column} = ${uploadId}::int where id in (${documents}) and ${column} is null`)
  trx.changed(name, 'values')
}

/**
 * Draws, stores and links pictures. A picture that an interrupted run has stored already is only linked.
 *
 * @param subjects - A few pictures: all are drawn before the first is stored.
 * @param context - The context of the part.
 */
export async function addPictures(
  subjects: readonly Subject[],
  { store: { uploads }, runTransaction, completePart, signal }: PartContext,
): Promise<void> {
  let owner = 0
  const knownRows = new Map<string, number>()
  await runTransaction(async (seeder) => {
    owner = await seeder.id('users', editor)
    const rows = await seeder.trx.query(sql<{ name: string; id: number }>`
      select name, min(id) as id from uploads where owner_id = ${owner}::int and name = any(${subjects.map(({ label }) => label)}::text[]) group by name`)
    for (const { name, id } of rows) knownRows.set(name, id)
  })
  const missingSubjects = subjects.filter(({ label }) => !knownRows.has(label))
  await uploads.receive(owner, async (receiveOptions) => {
    if (missingSubjects.length > 0) await drawPictures(missingSubjects, receiveOptions.folder, signal)
    for (const [index, { label }] of missingSubjects.entries()) {
      signal.throwIfAborted()
      const file = join(receiveOptions.folder, `${index}.jpg`)
      const sha256 = createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
      const decodedFiles = await uploads.decode([{ field: '', label, file, kind: 'jpeg', sha256 }], receiveOptions)
      const author = { caller: { ...programCaller, id: owner }, seeding: true } as const
      const [id] = await uploads.store(author, decodedFiles, [{}])
      if (id !== undefined) knownRows.set(label, id)
    }
  })
  await completePart(async ({ trx }) => {
    for (const subject of subjects) {
      const id = knownRows.get(subject.label)
      if (id !== undefined) await showPicture(trx, subject, id)
    }
  })
}
