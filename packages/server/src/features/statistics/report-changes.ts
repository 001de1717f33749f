/** Emits the reports whose figures may have changed, so that an open report can offer new data (statistics §6). */
import { type ReportKey, reports } from '@dala/model'
import type { Changes, Database } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'
import { desk, type Sockets } from '../../domain/delivery/sockets.ts'
import { resourceNamed } from '../../resources/attributes.ts'

/** Minimum milliseconds between two events of an instance. */
const pause = 30_000

/** Reports by the table of each of their sources. */
const reportsByTable = new Map<string, ReportKey[]>()
for (const [key, { sources }] of Object.entries(reports) as [ReportKey, (typeof reports)[ReportKey]][])
  for (const source of sources) {
    const table = documentTable(resourceNamed(source))
    reportsByTable.set(table, [...(reportsByTable.get(table) ?? []), key])
  }

const allReports = Object.keys(reports) as ReportKey[]

/**
 * Starts to emit changes of reports to the people of the desk; every instance serves its own sockets. Changes within
 * the pause are collected for the next event.
 *
 * @returns A function that stops it.
 */
export function emitReportChanges({ io }: Sockets, database: Database): () => void {
  const changedReports = new Set<ReportKey>()
  let timer: NodeJS.Timeout | undefined
  const emitCollectedChanges = () => {
    timer = undefined
    if (changedReports.size === 0) return
    io.local.to(desk).emit('statistics:changed', {
      keys: [...changedReports].toSorted(),
      data_through: new Date().toISOString(),
    })
    changedReports.clear()
    timer = setTimeout(emitCollectedChanges, pause).unref()
  }
  const stopListening = database.onChange((changes: Changes) => {
    // Nobody waits for the event, and the next reader of a report has its present figures.
    if (!io.of('/').adapter.rooms.has(desk)) return
    const keys = changes === 'all' ? allReports : [...changes].flatMap((name) => reportsByTable.get(name) ?? [])
    for (const key of keys) changedReports.add(key)
    if (!timer) emitCollectedChanges()
  })
  return () => {
    stopListening()
    clearTimeout(timer)
  }
}
