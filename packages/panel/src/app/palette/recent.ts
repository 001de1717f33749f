/** The last choices in the palette; they are deleted with the session. */
import { isWrittenLocale, type WrittenLocale } from '@dala/model'
import { readStorage, storageKeys, writeStorage } from '../../lib/storage-keys.ts'

/** The stored part of a palette choice: enough to show a record again without a call. */
export interface RecentChoice {
  id: string
  label: string
  note?: string | undefined
  lang?: WrittenLocale | undefined
}

const maxStoredChoices = 6

const isText = (value: unknown): value is string => typeof value === 'string'

function parseRecentChoice(value: unknown): RecentChoice[] {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('label' in value)) return []
  const { id, label, note, lang }: { id: unknown; label: unknown; note?: unknown; lang?: unknown } = value
  if (!isText(id) || !isText(label)) return []
  return [{ id, label, ...(isText(note) && { note }), ...(isWrittenLocale(lang) && { lang }) }]
}

/** Stored choices of the palette, latest first; empty if they cannot be read. */
export function readRecentChoices(): RecentChoice[] {
  try {
    const value: unknown = JSON.parse(readStorage(storageKeys.recent) ?? '[]')
    return Array.isArray(value) ? value.flatMap(parseRecentChoice) : []
  } catch {
    return []
  }
}

export function storeRecentChoice({ id, label, note, lang }: RecentChoice): void {
  const otherChoices = readRecentChoices().filter((recentChoice) => recentChoice.id !== id)
  writeStorage(
    storageKeys.recent,
    JSON.stringify([{ id, label, note, lang }, ...otherChoices].slice(0, maxStoredChoices)),
  )
}
