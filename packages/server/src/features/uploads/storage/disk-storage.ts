/** Stores files in one flat folder of this machine's disk. */
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ByteRange, FileStorage, ListedFile, ReadFile } from './storage.ts'
import { readStoredName } from '../stored-names.ts'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

async function flushPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const fileHandle = await open(path, flags)
  try {
    await fileHandle.sync()
  } finally {
    await fileHandle.close()
  }
}

/** Renames a file to its final name; from another disk it is copied next to that name first. */
async function moveFile(sourcePath: string, targetPath: string): Promise<void> {
  try {
    await rename(sourcePath, targetPath)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    const draft = `${targetPath}.part`
    try {
      await copyFile(sourcePath, draft)
      await flushPath(draft, 'r+')
      await rename(draft, targetPath)
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
    await flushPath(file, 'r+')
    await moveFile(file, path)
    await flushPath(dirname(path), 'r')
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
      const fileHandle = await open(path, 'r')
      const size = range ? range.end - range.start + 1 : (await fileHandle.stat()).size
      return { size, stream: fileHandle.createReadStream(range) }
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
        const foundStat = await stat(join(this.#folder, entry.name)).catch(() => undefined)
        if (foundStat) yield { name: entry.name, changedAt: foundStat.mtime }
      }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
}
