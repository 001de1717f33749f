/** Records of any resource by their names, for the palette. */
import { type Locale, type Resource, resources, type Screen, screensOf } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callRoute } from '../../api/route.ts'
import { type Address, seenAddress } from '../../resource/screen-address.ts'

/** While typing goes on nothing is asked. */
const pause = 120

/** What is typed, once it has stayed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The screen on which records of a resource are read: one that the menu shows, where there is one. */
export function screenFor(name: string): Screen | undefined {
  const resource = Object.values<Resource>(resources).find((one) => one.name === name || one.wire === name)
  const screens = resource ? screensOf(resource) : []
  return screens.find(({ hidden }) => !hidden) ?? screens[0]
}

/** Where a record that was found is read, in the language of its name. */
export function addressOf(screen: Screen, id: number, lang: Locale | undefined): Address {
  const { to, search } = seenAddress(screen, id)
  return { to, search: { ...search, ...(lang && { lang }) } }
}

export interface FoundRecord {
  screen: Screen
  id: number
  name: string
  locale: Locale | undefined
}

export interface FoundRecords {
  records: FoundRecord[]
  isSearching: boolean
  isFailed: boolean
}

/** Asks for records 120 ms after the last letter; an answer that nobody waits for any more is given up. */
export function useFoundRecords(typed: string, reader: Locale): FoundRecords {
  const text = typed.trim()
  const settled = useSettled(text)
  const { data, isFetching, isError } = useQuery({
    queryKey: ['search', settled, reader],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/search', { query: { q: settled, locale: reader }, signal })).data,
    enabled: settled !== '',
    retry: false,
    meta: { inPlace: true },
  })
  const isOwn = settled === text && text !== ''
  const records = (isOwn ? (data ?? []) : []).flatMap(({ resource, id, name, locale }): FoundRecord[] => {
    const screen = screenFor(resource)
    return screen ? [{ screen, id, name, locale: locale ?? undefined }] : []
  })
  return {
    records,
    isSearching: text !== '' && (settled !== text || isFetching),
    isFailed: isOwn && isError,
  }
}
