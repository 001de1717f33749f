/** Sends lists as files, within the limits of a user and of the server (checklist §5). */
import { type Caller, type ExportFormat, fault, type Resource, resourceTitle } from '@dala/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Queries } from '../../db/database.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { createLimiter } from '../../resources/limiter.ts'
import { countFailure, type FailureLimit } from '../../domain/accounts/throttle.ts'
import type { ExportRequest } from './export-request.ts'
import { columnsOf } from './columns.ts'
import { deleteExportFile, readAndDelete, writeFileOf, type WrittenFile } from './file.ts'
import { furtherPart } from './further.ts'
import type { TableExport } from '../../resources/further-rows.ts'
import { type ExportSource, idsOf, isStaff, rowsOf, useSnapshot } from './rows.ts'
import { labelOf } from './labels.ts'
import { readDayInZone } from './zone.ts'

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** Maximum number of concurrent exported files of one user (checklist §3), and of all users. */
const maxPerUser = 2
const exportQueueLimits = { maxRunning: 2, maxWaiting: 10 }
/** Maximum number of exported files of one user in an hour. */
const hourlyLimits = { staff: { failures: 300, seconds: 3_600 }, others: { failures: 20, seconds: 3_600 } } as const
const hourlyOf = (caller: Caller): FailureLimit => (isStaff(caller) ? hourlyLimits.staff : hourlyLimits.others)

/**
 * Reads the rows of an export in one transaction on a PostgreSQL server, so that all rows are of one moment.
 * The embedded database has one session for everybody: each page is a statement of its own there, and other
 * requests are served in between.
 */
function readConsistently<T>(database: Database, readRows: (queries: Queries) => Promise<T>): Promise<T> {
  if (database.kind === 'embedded') return readRows(database)
  return database.transaction(async (trx) => {
    await useSnapshot(trx)
    return readRows(trx)
  })
}

/** Sends exported files; the limits apply to all files of one exporter. */
export class Exporter {
  readonly #bounded = createLimiter(exportQueueLimits)
  readonly #busy = new Map<number, number>()

  /**
   * Sends the rows of an export request as a file.
   *
   * @param database - The database that holds the rows and counts the files of a user.
   * @param request - The request, for its line in the audit.
   * @param reply - The reply that carries the file.
   * @param caller - The user whose rights bound the rows.
   * @param exportRequest - The resource, its columns, filter, order and format.
   * @returns The reply.
   * @throws 403, 429 and 503.
   */
  async send(
    database: Database,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    exportRequest: ExportRequest,
  ): Promise<FastifyReply> {
    const { resource, format, language, timeZone, ids } = exportRequest
    const view = authoriseCaller(resource, 'list', caller)
    const reader = { caller, language }
    const columns = columnsOf(resource, view, exportRequest.columns, reader)
    const source: ExportSource = { resource, reader, view, query: exportRequest.query, ids, columns, timeZone }
    const target = { name: resource.wire, resource, format, timeZone }
    return this.#deliver(database, request, reply, caller, target, async (queries) => {
      const foundIds = await idsOf(queries, source)
      const title = labelOf(language, [resourceTitle(resource)])
      const sharedOptions = { resource, language, timeZone, columns }
      const furtherData =
        exportRequest.furtherRows && (await furtherPart(queries, exportRequest.furtherRows, sharedOptions))
      return writeFileOf({ format, title, columns, rows: rowsOf(queries, source, foundIds), furtherPart: furtherData })
    })
  }

  /**
   * Sends the rows of a table that is no list of a resource as a sheet. The caller's rights have been
   * checked.
   *
   * @param database - The database, as for `send`.
   * @param request - The request, for its line in the audit.
   * @param reply - The reply that carries the file.
   * @param caller - The user who exports.
   * @param table - The table, with the resource that its rows belong to.
   * @returns The reply.
   * @throws 422, 429 and 503.
   */
  async sendTable(
    database: Database,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    { name, resource, language, rows }: TableExport,
  ): Promise<FastifyReply> {
    const timeZone = database.calendar.zone
    const target = { name, resource, format: 'xlsx' as const, timeZone }
    return this.#deliver(database, request, reply, caller, target, async (queries) => {
      return writeFileOf({
        format: 'xlsx',
        ...(await furtherPart(queries, rows, { resource, language, timeZone, columns: [] })),
      })
    })
  }

  /** Writes an exported file within the limits, audits it and sends it. */
  async #deliver(
    database: Database,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    { name, resource, format, timeZone }: { name: string; resource: Resource; format: ExportFormat; timeZone: string },
    write: (queries: Queries) => Promise<WrittenFile>,
  ): Promise<FastifyReply> {
    const day = await readDayInZone(database, timeZone)
    const runningCount = this.#busy.get(caller.id) ?? 0
    if (runningCount >= maxPerUser) throw fault('server.busy', { retryAfter: 5 })
    this.#busy.set(caller.id, runningCount + 1)
    let filePath: string | undefined
    try {
      await countFailure(database, [{ key: `export:${caller.id}`, limit: hourlyOf(caller) }], () => Promise.resolve())
      const file = await this.#bounded(() =>
        readConsistently(database, async (queries) => {
          const writtenFile = await write(queries)
          filePath = writtenFile.path
          return writtenFile
        }),
      )
      await database.transaction((trx) =>
        writeAudit(trx, {
          action: 'export',
          user: caller.id,
          address: request.ip,
          requestId: request.id,
          resource: resource.name,
          details: { count: String(file.count), format },
        }),
      )
      return reply
        .type(mediaTypes[format])
        .header('content-disposition', `attachment; filename="${name}-${day}.${format}"`)
        .send(readAndDelete(file.path))
    } catch (error) {
      if (filePath !== undefined) await deleteExportFile(filePath)
      throw error
    } finally {
      const remainingExports = (this.#busy.get(caller.id) ?? 1) - 1
      if (remainingExports > 0) this.#busy.set(caller.id, remainingExports)
      else this.#busy.delete(caller.id)
    }
  }
}
