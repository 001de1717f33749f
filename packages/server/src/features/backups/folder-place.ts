/** Backups in a folder: one folder each, with hard links for the files that the backup before has too. */
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { linkFile, writeFolder } from '../../db/backups/backup.ts'
import { BackupError } from '../../db/backups/backup-error.ts'
import {
  archiveNames,
  type Manifest,
  manifestName,
  readManifest,
  readVerifiedManifest,
} from '../../db/backups/manifest.ts'
import { backupName, type BackupPlace, isSameKey, type StagedCopy, type WriteOptions } from './backup-place.ts'

const draftSuffix = '.part'

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

export class FolderPlace implements BackupPlace {
  readonly name = 'folder'
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async list(): Promise<string[]> {
    const names = (await this.#names()).filter((name) => backupName.test(name))
    return names.filter((name) => existsSync(join(this.#folder, name, manifestName))).sort()
  }

  async clean(): Promise<void> {
    for (const name of await this.#names())
      if (name.endsWith(draftSuffix) && backupName.test(name.slice(0, -draftSuffix.length)))
        await rm(join(this.#folder, name), { recursive: true, force: true })
  }

  readManifest(name: string): Promise<Manifest> {
    return readManifest(join(this.#folder, name))
  }

  async write(name: string, copy: StagedCopy, options: WriteOptions): Promise<number> {
    const folder = join(this.#folder, name)
    const former = await this.#former(options)
    await writeFolder(
      folder,
      async (draft) => {
        await options.assertSpace(draft)
        if (!(await linkFile(copy.file, join(draft, archiveNames[copy.kind]))))
          throw new BackupError('The copy of the database is gone.')
        return copy
      },
      options.uploads,
      { ...options, former },
    )
    return bytesBelow(folder)
  }

  async compareFiles(name: string): Promise<number> {
    return Object.keys((await readVerifiedManifest(join(this.#folder, name))).files).length
  }

  fetchCopy(name: string, { kind }: Manifest): Promise<string> {
    return Promise.resolve(join(this.#folder, name, archiveNames[kind]))
  }

  /** An interrupted removal leaves a folder that the next run removes. */
  async remove(name: string): Promise<void> {
    const [folder, draft] = [join(this.#folder, name), join(this.#folder, `${name}${draftSuffix}`)]
    if (!existsSync(folder)) return
    await rename(folder, draft)
    await rm(draft, { recursive: true, force: true })
  }

  /** Files with hard links end with the last backup that has them. */
  sweep(): Promise<void> {
    return Promise.resolve()
  }

  async #names(): Promise<string[]> {
    return existsSync(this.#folder) ? readdir(this.#folder) : []
  }

  /** The newest backup whose files may be used again. */
  async #former({ key, mustCompare }: WriteOptions) {
    for (const name of (await this.list()).reverse()) {
      const manifest = await this.readManifest(name).catch(() => undefined)
      if (manifest && isSameKey(manifest, key)) return { folder: join(this.#folder, name), manifest, mustCompare }
    }
    return undefined
  }
}
