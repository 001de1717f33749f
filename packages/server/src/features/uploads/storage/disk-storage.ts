/** Stores files in one flat folder of this machine's disk. */
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ByteRange, FileStorage, ListedFile, ReadFile } from './storage.ts'
import { readStoredName } from '../stored-names.ts'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Renames a file to its final name; from another disk it is copied next to that name first. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    const draft = `${to}.part`
    try {
      await copyFile(from, draft)
      await flush(draft, 'r+')
      await rename(draft, to)
    } catch (failure) {
      await rm(draft, { force: true })
      throw failure
    }
  }
}

/** Storage of files in a folder of the disk. */
export class DiskStorage implements FileStorage {
  readonly provider = 'local'
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Only generated names become paths of files, so no path leads out of the folder. */
  #pathOf(name: string): string {
    if (!readStoredName(name)) throw new Error('This is no name of a stored file')
    return join(this.#folder, basename(name))
  }

  async put(name: string, file: string): Promise<void> {
    const path = this.#pathOf(name)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await flush(file, 'r+')
    await move(file, path)
    await flush(dirname(path), 'r')
  }

  async size(name: string): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(name))).size
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async read(name: string, range?: ByteRange): Promise<ReadFile | undefined> {
    const path = this.#pathOf(name)
    try {
      const handle = await open(path, 'r')
      const size = range ? range.end - range.start + 1 : (await handle.stat()).size
      return { size, stream: handle.createReadStream(range) }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true })
  }

  async *list(): AsyncGenerator<ListedFile> {
    try {
      for await (const entry of await opendir(this.#folder)) {
        if (!entry.isFile() || !readStoredName(entry.name)) continue
        const found = await stat(join(this.#folder, entry.name)).catch(() => undefined)
        if (found) yield { name: entry.name, changedAt: found.mtime }
      }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
}
