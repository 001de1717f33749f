/** Emits the names of changed resources to open pages, which then fetch again. */
import { decideAccess, type Resource } from '@dala/model'
import type { Changes, Database } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'
import { resources } from '../../resources/attributes.ts'
import type { Sockets } from '../../domain/delivery/sockets.ts'

/** Minimum time between two events in milliseconds, so that an import does not send a thousand of them. */
const pause = 1_000

/** Resources by the table their records are in: users and staff share one. */
const resourcesByTable = new Map<string, Resource[]>()
for (const resource of Object.values(resources)) {
  const table = documentTable(resource)
  resourcesByTable.set(table, [...(resourcesByTable.get(table) ?? []), resource])
}
const allResources = [...resourcesByTable.values()].flat()

/**
 * Starts to emit changes of resources to the panel; every instance serves its own sockets. A socket receives
 * only names of resources whose lists its user may read (contract §14), never records or authors. A change is
 * not sent back to the page that made it, which a request names by its socket.
 *
 * @returns A function that stops it.
 */
export function emitChanges({ io }: Sockets, database: Database): () => void {
  /** Pages that have changed each resource; undefined is a change that named no page. */
  const waitingResources = new Map<Resource, Set<string | undefined>>()
  let timer: NodeJS.Timeout | undefined

  const emitCollectedChanges = () => {
    timer = undefined
    if (waitingResources.size === 0) return
    const changedResources = [...waitingResources]
    waitingResources.clear()
    for (const socket of io.of('/').sockets.values()) {
      const { caller } = socket.data
      const isOwn = (origins: ReadonlySet<string | undefined>) => origins.size === 1 && origins.has(socket.id)
      const seenChanges = changedResources
        .filter(([{ access }, origins]) => !isOwn(origins) && decideAccess(access, 'list', caller) !== false)
        .map(([{ wire }]) => wire)
      if (seenChanges.length > 0) socket.emit('changed', { resources: seenChanges })
    }
    timer = setTimeout(emitCollectedChanges, pause).unref()
  }
  const collectChanges = (changes: Changes, origin: string | undefined) => {
    const names = changes === 'all' ? allResources : [...changes].flatMap((name) => resourcesByTable.get(name) ?? [])
    for (const resource of names)
      waitingResources.set(resource, (waitingResources.get(resource) ?? new Set()).add(origin))
    if (!timer) emitCollectedChanges()
  }
  const stopListening = database.onChange(collectChanges)
  return () => {
    stopListening()
    clearTimeout(timer)
  }
}
