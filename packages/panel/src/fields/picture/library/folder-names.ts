/** Folders of the library: labels on files, nested by slashes. */

import type { FolderCount } from '@dala/model'

export interface Folder {
  /** Complete label of the folder, `Market/Cotton`. */
  path: string
  /** Last part of the folder's label. */
  name: string
  /** Number of folders above the folder. */
  folderDepth: number
  /** Number of picture files in the folder and in the folders inside it. */
  count: number
}

/** Stored form of a folder's label: no empty parts and no space around them; empty when nothing is left. */
export function cleanFolder(text: string): string {
  return text
    .split('/')
    .map((folderName) => folderName.trim())
    .filter((folderName) => folderName !== '')
    .join('/')
}

/** All folders of the library, each after its parent, including those that contain only other folders. */
export function foldersOf(counts: readonly FolderCount[], compare: (left: string, right: string) => number): Folder[] {
  const totals = new Map<string, number>()
  for (const { folder, count } of counts) {
    const parts = folder === null ? [] : folder.split('/')
    for (const [index] of parts.entries()) {
      const path = parts.slice(0, index + 1).join('/')
      totals.set(path, (totals.get(path) ?? 0) + count)
    }
  }
  const compareFolders = (left: string, right: string) => {
    const [leftParts, rightParts] = [left.split('/'), right.split('/')]
    for (const [index, folderName] of leftParts.entries()) {
      const otherPart = rightParts[index]
      if (otherPart === undefined) return 1
      const order = compare(folderName, otherPart) || (folderName < otherPart ? -1 : folderName > otherPart ? 1 : 0)
      if (order !== 0) return order
    }
    return -1
  }
  return [...totals.keys()].toSorted(compareFolders).map((path) => {
    const parts = path.split('/')
    return { path, name: parts.at(-1) ?? path, folderDepth: parts.length - 1, count: totals.get(path) ?? 0 }
  })
}

/** Number of picture files without a folder. */
export const countWithoutFolder = (counts: readonly FolderCount[]): number =>
  counts.filter(({ folder }) => folder === null).reduce((sum, { count }) => sum + count, 0)

export const sumCounts = (counts: readonly FolderCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)
