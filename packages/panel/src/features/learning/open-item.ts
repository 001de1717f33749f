/** The lesson or group that is open beside the outline of a course, from the address. */
import { useSearch } from '@tanstack/react-router'
import { paneKeys } from './screens.ts'

export interface OpenItem {
  lesson: string | undefined
  group: string | undefined
  /** Language of the open record's texts, when it is not the user's. */
  language: string | undefined
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)

export function useOpenItem(): OpenItem {
  const search: Record<string, unknown> = useSearch({ strict: false })
  return {
    lesson: textOf(search[paneKeys.lesson]),
    group: textOf(search[paneKeys.group]),
    language: textOf(search[paneKeys.language]),
  }
}
