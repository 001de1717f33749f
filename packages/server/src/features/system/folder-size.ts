/** Sizes of folders, bounded and reused, because a folder of uploads may have very many files. */
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../db/open-data.ts'

export interface FolderSize {
  bytes: number
  /** Whether the folder has more files than are counted. */
  partial: boolean
}

const mostFiles = 20_000
const reusedMs = 600_000
const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'

/**
 * Adds up the sizes of the files below a folder.
 *
 * @param folder - The folder.
 * @param most - Number of files after which the count ends.
 * @returns The sum, 0 bytes when there is no folder.
 */
export async function measureFolder(folder: string, most = mostFiles): Promise<FolderSize> {
  let [bytes, files] = [0, 0]
  const folders = [folder]
  // Backups share unchanged files by hard links, which take the disk once.
  const linkedFiles = new Set<number>()
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name)
        if (entry.isDirectory()) folders.push(path)
        if (!entry.isFile()) continue
        if (files === most) return { bytes, partial: true }
        files += 1
        const { size, nlink, ino } = await stat(path)
        if (nlink > 1 && linkedFiles.has(ino)) continue
        if (nlink > 1) linkedFiles.add(ino)
        bytes += size
      }
    } catch (error) {
      // A file or folder that is deleted meanwhile has no size.
      if (!isMissing(error)) throw error
    }
  }
  return { bytes, partial: false }
}

/**
 * Makes the reader of folder sizes. Each size is reused for ten minutes; requests share a running count.
 */
export function reuseSizes(): (folder: string) => Promise<FolderSize> {
  const sizes = new Map<string, { at: number; size: Promise<FolderSize> }>()
  return (folder) => {
    const known = sizes.get(folder)
    const now = performance.now()
    if (known && now - known.at < reusedMs) return known.size
    const size = measureFolder(folder)
    sizes.set(folder, { at: now, size })
    size.catch(() => sizes.delete(folder))
    return size
  }
}
