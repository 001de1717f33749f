/** Stores and removes imported translation memories. */
import { type Caller, fault, memoryLimits } from '@dala/model'
import type { ImportedMemory } from '@dala/model/api/memory'
import type { FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Database, Queries } from '../../db/database.ts'
import { disguises } from '../../http/disguises.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { importedSegments, removeImportedSegments, segmentRows, storeSegments } from './segment-rows.ts'
import { readTmx, type TmxUnit } from './tmx.ts'

/** Name of the field of imported segments: a file has no fields. */
const fileField = 'file'
const listed = 100
/** Units that one transaction stores, and segments that one removes: others write stems of the memory in between. */
const unitsPerSlice = 500
const removedPerSlice = 2_000

/** Cleans the client's name of a file: one line without path parts. */
const cleanName = (name: string) =>
  [...(name.toWellFormed().replace(disguises, '').split(/[/\\]/).at(-1) ?? '')].slice(0, 255).join('') || 'memory.tmx'

/** Separates the units that the memory can use from those that it leaves out, by reason. */
function sortUnits(units: readonly TmxUnit[]) {
  const skipped = { language: 0, text: 0, long: 0, twice: 0 }
  const known = new Set<string>()
  const usable = units.filter((unit) => {
    const texts = [...unit]
    const key = JSON.stringify(texts.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (texts.length < 2) skipped.language += 1
    else if (texts.some(([, text]) => text.length > memoryLimits.textLength)) skipped.long += 1
    else if (texts.filter(([, text]) => /\p{L}/u.test(text)).length < 2) skipped.text += 1
    else if (known.has(key)) skipped.twice += 1
    else {
      known.add(key)
      return true
    }
    return false
  })
  return { usable, skipped }
}

/**
 * Stores units of an import, and counts them in its row.
 *
 * @throws 404 for an import that somebody has removed meanwhile.
 */
function storeSlice(database: Database, id: number, units: readonly TmxUnit[], start: number): Promise<number> {
  const holder = { resource: importedSegments, document_id: id }
  const rows = units.slice(start, start + unitsPerSlice).flatMap((unit, index) =>
    [...unit].flatMap(([locale, text]) =>
      // Each unit is a block of its own, so that units with different languages stay apart.
      segmentRows(holder, fileField, locale, [[text]]).map((row) => ({ ...row, block: start + index })),
    ),
  )
  return withDeadlockRetry(database, async (trx) => {
    const [counted] = await trx.query(sql<{ segments: number }>`
      update memory_imports set segments = segments + ${rows.length}::int where id = ${id}::int returning segments`)
    if (!counted) throw fault('record.not-found')
    await storeSegments(trx, rows)
    return counted.segments
  })
}

/**
 * Imports a TMX file in slices, each in a transaction of its own. Where one fails, the import is listed with the
 * segments that were stored, and can be removed.
 *
 * @param database - The database.
 * @param caller - The caller, who may import.
 * @param request - The request, for its line in the audit.
 * @param file - The file and its name.
 * @returns The import, the units of the file, and those that were left out.
 * @throws 422 for a file that is no TMX, and for one without usable units.
 */
export async function importMemory(
  database: Database,
  caller: Caller,
  request: FastifyRequest,
  file: { name: string; bytes: Buffer },
) {
  const units = await readTmx(file.bytes)
  const { usable, skipped } = sortUnits(units)
  if (usable.length === 0) throw fault('memory.empty')
  const name = cleanName(file.name)
  const { id, at } = await database.transaction(async (trx) => {
    const [stored] = await trx.query(sql<{ id: number; at: string }>`
      insert into memory_imports (file_name, user_id, segments) values (${name}, ${caller.id}::int, 0) returning id, created_at as at`)
    if (!stored) throw new Error('The import was not stored')
    await writeAudit(trx, {
      action: 'memory.import',
      user: caller.id,
      address: request.ip,
      requestId: request.id,
      details: { file: name, units: String(usable.length) },
    })
    return stored
  })
  let segments = 0
  for (let start = 0; start < usable.length; start += unitsPerSlice)
    segments = await storeSlice(database, id, usable, start)
  const data = { id, name, segments, at }
  return { data, meta: { units: units.length, skipped } }
}

/**
 * Lists the imported memories.
 *
 * @param queries - The database.
 * @returns The newest 100.
 */
export const listImports = (queries: Queries): Promise<ImportedMemory[]> =>
  queries.query(sql<ImportedMemory>`
    select id, file_name as name, segments, created_at as at from memory_imports order by id desc limit ${listed}::int`)

/**
 * Removes an imported memory with its segments in slices, its row with the last one.
 *
 * @param database - The database.
 * @param caller - The caller, who may remove it.
 * @param request - The request, for its line in the audit.
 * @param id - The import.
 * @throws 404 for one that does not exist.
 */
export async function removeImport(
  database: Database,
  caller: Caller,
  request: FastifyRequest,
  id: number,
): Promise<void> {
  let isEmpty = false
  while (!isEmpty) {
    isEmpty = await withDeadlockRetry(database, async (trx) => {
      // The row is locked first, as a slice of a running import does.
      const [stored] = await trx.query(
        sql<{ name: string }>`select file_name as name from memory_imports where id = ${id}::int for update`,
      )
      if (!stored) throw fault('record.not-found')
      const count = await removeImportedSegments(trx, id, removedPerSlice)
      if (count === removedPerSlice) {
        await trx.query(sql`update memory_imports set segments = segments - ${count}::int where id = ${id}::int`)
        return false
      }
      await trx.query(sql`delete from memory_imports where id = ${id}::int`)
      await writeAudit(trx, {
        action: 'memory.remove',
        user: caller.id,
        address: request.ip,
        requestId: request.id,
        details: { file: stored.name },
      })
      return true
    })
  }
}
