/** Tells who is there which records have changed, by the name of the resource only: whoever shows some asks again. */
import { decide, type Resource } from '@dala/model'
import type { Changes, Database } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'
import { resources } from '../../resources/attributes.ts'
import type { Sockets } from '../../domain/delivery/sockets.ts'

/** A client hears of changes at most this often, so that an import is not a thousand events. */
const pause = 1_000

/** Resources by the table their records are in: users and staff share one. */
const byTable = new Map<string, Resource[]>()
for (const resource of Object.values(resources)) {
  const table = documentTable(resource)
  byTable.set(table, [...(byTable.get(table) ?? []), resource])
}
const all = [...byTable.values()].flat()

/**
 * Starts to tell; every instance tells its own sockets. A socket hears only of resources whose lists its owner may
 * read (contract §14), and never which records or who. What a page has changed itself, by a request that names its
 * socket, is not sent back to it.
 *
 * @returns A function that ends it.
 */
export function tellChanges({ io }: Sockets, database: Database): () => void {
  /** The pages that have changed each resource; undefined for all that named none. */
  const waiting = new Map<Resource, Set<string | undefined>>()
  let timer: NodeJS.Timeout | undefined

  const tell = () => {
    timer = undefined
    if (waiting.size === 0) return
    const changed = [...waiting]
    waiting.clear()
    for (const socket of io.of('/').sockets.values()) {
      const { caller } = socket.data
      const isOwn = (origins: ReadonlySet<string | undefined>) => origins.size === 1 && origins.has(socket.id)
      const seen = changed
        .filter(([{ access }, origins]) => !isOwn(origins) && decide(access, 'list', caller) !== false)
        .map(([{ wire }]) => wire)
      if (seen.length > 0) socket.emit('changed', { resources: seen })
    }
    timer = setTimeout(tell, pause).unref()
  }
  const hear = (changes: Changes, origin: string | undefined) => {
    const names = changes === 'all' ? all : [...changes].flatMap((name) => byTable.get(name) ?? [])
    for (const resource of names) waiting.set(resource, (waiting.get(resource) ?? new Set()).add(origin))
    if (!timer) tell()
  }
  const stopHearing = database.onChange(hear)
  return () => {
    stopHearing()
    clearTimeout(timer)
  }
}
