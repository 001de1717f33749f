/** What narrows and orders the rooms: segments and search in sight, the rest behind a button. */
import { isLocale, localeNames, locales, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import ListFilter from 'lucide-react/icons/list-filter'
import Search from 'lucide-react/icons/search'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { labelOf, useTitleOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { FramedInput } from '../../ui/input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import type { Reader } from './reader.ts'
import { type DeskSearch, isStaff, shows, sorts } from './desk-search.ts'

export interface RoomsFiltersProps {
  reader: Reader
  search: DeskSearch
  counts: Readonly<Record<string, number>> | undefined
  onChange: (next: DeskSearch) => void
}

const everything = 'all'
const askerShows = ['all', 'unread'] as const

export function RoomsFilters({ reader, search, counts, onChange }: RoomsFiltersProps) {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const { show = 'all', sort = 'waiting' } = search
  // Who only asks has no desk to sort.
  const offered = isStaff(reader) || reader.isConsultant ? shows : askerShows
  const isFiltered = search.region !== undefined || search.language !== undefined
  const [open, setOpen] = useState(isFiltered)
  const countOf = (name: string) => {
    const count = counts?.[name]
    return count === undefined ? {} : { count: formatNumber(locale, count) }
  }
  return (
    <div className="grid gap-2.5 px-4 py-3">
      <div className="flex gap-2">
        <RoomSearch search={search} onChange={onChange} />
        <IconButton
          label={t('list.filters')}
          icon={<ListFilter size={18} aria-hidden />}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="h-(--control) w-(--control) border border-line-strong aria-expanded:bg-brand-soft aria-expanded:text-on-brand-soft"
        />
      </div>
      <Segmented
        label={t('chat.show')}
        value={show}
        onValueChange={(value) => {
          const { show: _show, ...rest } = search
          onChange(value === 'all' ? rest : { ...rest, show: value })
        }}
        segments={offered.map((value) => ({ value, label: t(`chat.show.${value}`), ...countOf(value) }))}
        className={cx(
          // Five do not fit side by side: three above two.
          offered.length > 2 && 'grid! grid-cols-6 [&>*]:col-span-2 [&>:nth-child(n+4)]:col-span-3 [&>*]:px-1.5!',
        )}
      />
      {/* Without a filter in force it may be closed; the order is chosen here too. */}
      <div id={id} hidden={!open} className="grid gap-2">
        <Select
          aria-label={t('list.sortBy')}
          value={sort}
          onValueChange={(value) => {
            const { sort: _sort, ...rest } = search
            onChange(value === 'waiting' ? rest : { ...rest, sort: value })
          }}
          choices={sorts.map((value) => ({ value, label: t(`chat.sort.${value}`) }))}
        />
        {open ? <RegionFilter search={search} onChange={onChange} /> : null}
        <Select
          aria-label={labelOf(resources.chatrooms, 'language')}
          value={search.language ?? everything}
          onValueChange={(value) => {
            const { language: _language, ...rest } = search
            onChange(isLocale(value) ? { ...rest, language: value } : rest)
          }}
          choices={[
            { value: everything, label: t('list.filterAll', { name: labelOf(resources.chatrooms, 'language') }) },
            ...locales.map((value) => ({ value, label: localeNames[value], lang: value })),
          ]}
        />
      </div>
    </div>
  )
}

type PartProps = Pick<RoomsFiltersProps, 'search' | 'onChange'>

function RegionFilter({ search, onChange }: PartProps) {
  const t = useT()
  const locale = useLocale()
  const { regions } = resources
  const titleOf = useTitleOf(regions)
  const { data } = useQuery(
    resourceQueries(regions).list({
      ...languageOf(regions, locale),
      fields: ['name'],
      sort: 'name:asc',
      pagination: { pageSize: 100, withCount: false },
    }),
  )
  const label = labelOf(resources.chatrooms, 'region')
  return (
    <Select
      aria-label={label}
      value={search.region ?? 0}
      onValueChange={(value) => {
        const { region: _region, ...rest } = search
        onChange(value > 0 ? { ...rest, region: value } : rest)
      }}
      choices={[
        { value: 0, label: t('list.filterAll', { name: label }) },
        ...(data?.entries ?? []).map((entry) => ({ value: entry.id, label: titleOf(entry) })),
      ]}
    />
  )
}

function RoomSearch({ search, onChange }: PartProps) {
  const t = useT()
  const addressed = search.q ?? ''
  const [text, setText] = useState(addressed)
  const sent = useRef(addressed)
  // Back, or "clear filters", changes the address from outside.
  useEffect(() => {
    if (addressed === sent.current) return
    sent.current = addressed
    setText(addressed)
  }, [addressed])
  const find = useEffectEvent((q: string) => {
    const { q: _q, ...rest } = search
    onChange(q ? { ...rest, q } : rest)
  })
  useEffect(() => {
    if (text === sent.current) return
    // A pause in typing, so that a weak link does not carry a call for every letter.
    const timer = setTimeout(() => {
      sent.current = text
      find(text)
    }, 300)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <FramedInput
      type="search"
      icon={<Search size={16} aria-hidden />}
      aria-label={t('chat.searchRooms')}
      placeholder={t('chat.searchRooms')}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      className="flex-1"
    />
  )
}
