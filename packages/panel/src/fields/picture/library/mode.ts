/** How the library is drawn: pictures side by side, or rows; the last choice is remembered. */
import { useState } from 'react'
import { listKey, readStorage, writeStorage } from '../../../lib/storage-keys.ts'

export type LibraryMode = 'grid' | 'list'
const key = listKey('media')

const isMode = (value: unknown): value is LibraryMode => value === 'grid' || value === 'list'

/** The mode of an address, else the last one chosen. */
export function useLibraryMode(addressed?: unknown): [LibraryMode, (mode: LibraryMode) => void] {
  const [kept, setKept] = useState<LibraryMode>(() => (readStorage(key) === 'list' ? 'list' : 'grid'))
  return [
    isMode(addressed) ? addressed : kept,
    (mode) => {
      writeStorage(key, mode)
      setKept(mode)
    },
  ]
}
