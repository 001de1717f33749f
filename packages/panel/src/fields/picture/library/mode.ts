/** The layout of the library, tiles or rows; the last choice is remembered. */
import { useState } from 'react'
import { listKey, readStorage, writeStorage } from '../../../lib/storage-keys.ts'

export type LibraryMode = 'grid' | 'list'
const key = listKey('media')

const isMode = (value: unknown): value is LibraryMode => value === 'grid' || value === 'list'

/** Display mode of the library in the address, else the last one chosen. */
export function useLibraryMode(addressMode?: unknown): [LibraryMode, (mode: LibraryMode) => void] {
  const [storedMode, setStoredMode] = useState<LibraryMode>(() => (readStorage(key) === 'list' ? 'list' : 'grid'))
  return [
    isMode(addressMode) ? addressMode : storedMode,
    (mode) => {
      writeStorage(key, mode)
      setStoredMode(mode)
    },
  ]
}
