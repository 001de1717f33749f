/** Searches records of every resource by name, for the palette. */
import type { Locale, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callRoute } from '../../api/route.ts'
import { type Address, recordAddress, screenOfRecords } from '../../resource/screen-address.ts'

/** Milliseconds without typing before the palette searches. */
const debounceTime = 120

/** Text typed in the palette, after a pause. */
function useSettled(text: string): string {
  const [settledText, setSettledText] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettledText(text), debounceTime)
    return () => clearTimeout(timer)
  }, [text])
  return settledText
}

/** Address of a found record, in the language of its name. */
export function addressOf(screen: Screen, id: number, lang: Locale | undefined): Address {
  const { to, search } = recordAddress(screen, id)
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

/** Searches records 120 ms after the last letter; an outdated call is aborted. */
export function useFoundRecords(typedText: string, reader: Locale): FoundRecords {
  const text = typedText.trim()
  const searchedText = useSettled(text)
  const { data, isFetching, isError } = useQuery({
    queryKey: ['search', searchedText, reader],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/search', { query: { q: searchedText, locale: reader }, signal })).data,
    enabled: searchedText !== '',
    retry: false,
    meta: { inPlace: true },
  })
  const isOwn = searchedText === text && text !== ''
  const records = (isOwn ? (data ?? []) : []).flatMap(({ resource, id, name, locale }): FoundRecord[] => {
    const screen = screenOfRecords(resource)
    return screen ? [{ screen, id, name, locale: locale ?? undefined }] : []
  })
  return {
    records,
    isSearching: text !== '' && (searchedText !== text || isFetching),
    isFailed: isOwn && isError,
  }
}
