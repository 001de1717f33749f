/** Where files lie: what the product asks of a folder on a disk or of a store in the network (decision 19). */
import type { Readable } from 'node:stream'

export interface ReadFile {
  stream: Readable
  /** Bytes of the stream. */
  size: number
}

/** Bytes from the first to the last one, both counted. */
export interface ByteRange {
  start: number
  end: number
}

export interface ListedFile {
  name: string
  changedAt: Date
}

/**
 * Names are flat and come from `stored-names.ts`; a file never changes under its name.
 * Every call throws `Unavailable` when the store does not answer.
 */
export interface FileStorage {
  /** What records say of the store (contract §10, `provider`). */
  readonly provider: 'local' | 's3'
  /** Takes a finished temporary file over. After this it survives a crash; before, nothing can be seen of it. */
  put(name: string, file: string, about: { mime: string }): Promise<void>
  /** Bytes of a file; undefined when there is none of that name. */
  size(name: string): Promise<number | undefined>
  /** Opens a file, or a part of it that lies within its size; undefined when there is none of that name. */
  read(name: string, range?: ByteRange): Promise<ReadFile | undefined>
  /** Removes a file; one that is not there is no error. */
  remove(name: string): Promise<void>
  list(): AsyncIterable<ListedFile>
}
