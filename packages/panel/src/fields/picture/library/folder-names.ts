/** Folders of the library: labels on files, one inside another by a slash. */

import type { FolderCount } from '@dala/model'

export interface Folder {
  /** The whole label, `Market/Cotton`. */
  path: string
  /** Its last part. */
  name: string
  /** How many folders it lies in. */
  depth: number
  /** Files in it and in those inside it. */
  count: number
}

/** A label as it is kept: no empty parts and no space around them; empty when nothing is left. */
export function cleanFolder(text: string): string {
  return text
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/')
}

/** All folders, each behind the one it lies in, those included that hold nothing but other folders. */
export function foldersOf(counts: readonly FolderCount[], compare: (left: string, right: string) => number): Folder[] {
  const totals = new Map<string, number>()
  for (const { folder, count } of counts) {
    const parts = folder === null ? [] : folder.split('/')
    for (const [index] of parts.entries()) {
      const path = parts.slice(0, index + 1).join('/')
      totals.set(path, (totals.get(path) ?? 0) + count)
    }
  }
  const inOrder = (left: string, right: string) => {
    const [one, other] = [left.split('/'), right.split('/')]
    for (const [index, part] of one.entries()) {
      const against = other[index]
      if (against === undefined) return 1
      const order = compare(part, against) || (part < against ? -1 : part > against ? 1 : 0)
      if (order !== 0) return order
    }
    return -1
  }
  return [...totals.keys()].toSorted(inOrder).map((path) => {
    const parts = path.split('/')
    return { path, name: parts.at(-1) ?? path, depth: parts.length - 1, count: totals.get(path) ?? 0 }
  })
}

/** How many files lie in no folder. */
export const looseOf = (counts: readonly FolderCount[]): number =>
  counts.filter(({ folder }) => folder === null).reduce((sum, { count }) => sum + count, 0)

export const allOf = (counts: readonly FolderCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)
