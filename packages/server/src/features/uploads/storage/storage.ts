/** Defines the interface of the storage of files: a folder on a disk or an object store (decision 19). */
import type { Readable } from 'node:stream'

export interface ReadFile {
  stream: Readable
  /** Number of bytes that the stream of the file has. */
  size: number
}

/** Range of a file's bytes from the first to the last one, both included. */
export interface ByteRange {
  start: number
  end: number
}

export interface ListedFile {
  name: string
  changedAt: Date
}

/**
 * Interface of a storage of files. Names are flat and come from `stored-names.ts`; a file never changes under
 * its name. Every call throws `Unavailable` when the store does not answer.
 */
export interface FileStorage {
  /** Name of the store in records (contract §10, `provider`). */
  readonly provider: 'local' | 's3'
  /**
   * Stores a finished temporary file. The stored file survives a crash, and is not visible before it is
   * complete.
   */
  put(name: string, file: string, fileDetails: { mime: string }): Promise<void>
  /** Returns the bytes of a stored file; undefined for an unknown name. */
  size(name: string): Promise<number | undefined>
  /** Opens a stored file, or a range within its size; undefined for an unknown name. */
  read(name: string, range?: ByteRange): Promise<ReadFile | undefined>
  /** Removes a stored file; an unknown name is no error. */
  remove(name: string): Promise<void>
  list(): AsyncIterable<ListedFile>
}
