/** Where files lie: what the product asks of a folder on a disk or of a store in the network (architecture.md, decision 10). */
import type { Readable } from 'node:stream'

export interface ReadFile {
  stream: Readable
  /** Bytes. */
  size: number
}

export interface ListedFile {
  name: string
  changedAt: Date
}

/** Names are flat and come from `stored-names.ts`; a file never changes under its name. */
export interface FileStorage {
  /** Takes a finished temporary file over. After this it survives a crash; before, nothing can be seen of it. */
  put(name: string, file: string, about: { mime: string }): Promise<void>
  /** Opens a file; undefined when there is none of that name. */
  read(name: string): Promise<ReadFile | undefined>
  /** Removes a file; one that is not there is no error. */
  remove(name: string): Promise<void>
  list(): AsyncIterable<ListedFile>
}
