/** The filter row: active or not, search, the declared filters, and the content language. */
import { choiceLabel, type Field, isLink, isLocale, localeNames, locales, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import Languages from 'lucide-react/icons/languages'
import Search from 'lucide-react/icons/search'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { languageOf, resourceQueries } from '../api/resource-queries.ts'
import { labelOf, useTitleOf } from '../fields/field-display.tsx'
import { resourceNamed } from '../fields/targets.ts'
import { formatList, formatNumber } from '../lib/format.ts'
import { tFirst, useLocale, useT } from '../lib/i18n.ts'
import { FramedInput } from '../ui/input.tsx'
import { Segmented } from '../ui/segmented.tsx'
import type { Choice } from '../ui/select-props.ts'
import { Select } from '../ui/select.tsx'
import type { ListParts } from './screen-parts.ts'
import { type ResourceList, useActiveCounts } from './use-resource-list.ts'

/** Stands for "no filter": a select needs a value for it. */
const everything = 'all'

interface FilterProps {
  resource: Resource
  list: ResourceList
}

export function ListFilters({ list, parts: { Segments } }: { list: ResourceList; parts: ListParts }) {
  const t = useT()
  const { resource } = list.screen
  const names = (resource.list?.filters ?? []).filter((name) => name !== 'active')
  return (
    <div className="flex flex-wrap items-center gap-2.5 px-4 py-3.5 max-md:px-3.5">
      {Segments ? <Segments screen={list.screen} list={list} /> : <ActiveFilter resource={resource} list={list} />}
      <SearchField key={resource.name} resource={resource} list={list} />
      {names.map((name) => {
        const field = resource.fields[name]
        if (!field) return null
        return isLink(field) ? (
          <LinkFilter key={name} resource={resource} list={list} name={name} target={resourceNamed(field.target)} />
        ) : (
          <ChoiceFilter key={name} resource={resource} list={list} name={name} field={field} />
        )
      })}
      {resource.localized ? (
        <Select
          look="filter"
          aria-label={t('lang.content')}
          icon={<Languages size={16} aria-hidden className="text-muted" />}
          value={list.language}
          onValueChange={(lang) => isLocale(lang) && list.change({ lang })}
          choices={locales.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale }))}
        />
      ) : null}
    </div>
  )
}

/** Sets one filter of the address, or takes it away. */
function setFilter(list: ResourceList, name: string, value: string) {
  const { [name]: _before, ...others } = list.search.filter ?? {}
  list.change({ filter: value === everything ? others : { ...others, [name]: value } })
}

function ActiveFilter({ resource, list }: FilterProps) {
  const t = useT()
  const locale = useLocale()
  const counts = useActiveCounts(list)
  if (!resource.list?.filters?.includes('active')) return null
  const count = (value: number | undefined) => (value === undefined ? {} : { count: formatNumber(locale, value) })
  return (
    <Segmented
      label={t('field.status')}
      value={list.search.filter?.active ?? everything}
      onValueChange={(value) => setFilter(list, 'active', value)}
      segments={[
        { value: everything, label: t('list.all'), ...count(counts?.all) },
        { value: 'true', label: t('status.active'), ...count(counts?.active) },
        { value: 'false', label: t('status.inactive'), ...count(counts?.inactive) },
      ]}
      className="max-md:w-full"
    />
  )
}

function SearchField({ resource, list }: FilterProps) {
  const t = useT()
  const [text, setText] = useState(list.search.q ?? '')
  const sent = useRef(list.search.q ?? '')
  const fields = (resource.list?.search ?? []).map((name) => labelOf(resource, name))

  // Back, or "clear filters", changes the address from outside.
  const addressed = list.search.q ?? ''
  useEffect(() => {
    if (addressed === sent.current) return
    sent.current = addressed
    setText(addressed)
  }, [addressed])

  const search = useEffectEvent((q: string) => list.change({ q }))
  useEffect(() => {
    if (text === sent.current) return
    // A pause in typing, so that a weak link does not carry a call for every letter.
    const timer = setTimeout(() => {
      sent.current = text
      search(text)
    }, 300)
    return () => clearTimeout(timer)
  }, [text])

  const label = t('list.searchIn', { fields: formatList(t, fields) })
  return (
    <FramedInput
      type="search"
      icon={<Search size={16} aria-hidden />}
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      className="w-[260px] lg:ms-auto max-lg:min-w-[200px] max-lg:flex-1 max-md:w-full max-md:flex-none"
    />
  )
}

function FilterSelect({ resource, list, name, choices }: FilterProps & { name: string; choices: readonly Choice[] }) {
  const t = useT()
  const label = labelOf(resource, name)
  const value = list.search.filter?.[name]
  return (
    <Select
      look="filter"
      aria-label={label}
      value={value ?? everything}
      onValueChange={(chosen) => setFilter(list, name, chosen)}
      choices={[{ value: everything, label: t('list.filterAll', { name: label }) }, ...choices]}
      className="max-w-[240px]"
    />
  )
}

function ChoiceFilter({ resource, name, field, ...rest }: FilterProps & { name: string; field: Field }) {
  const t = useT()
  const choices =
    'values' in field
      ? field.values.map((value) => ({ value, label: tFirst(choiceLabel(resource, name, value)) }))
      : [
          { value: 'true', label: t('action.yes') },
          { value: 'false', label: t('action.no') },
        ]
  return <FilterSelect resource={resource} name={name} choices={choices} {...rest} />
}

function LinkFilter({ resource, list, name, target }: FilterProps & { name: string; target: Resource }) {
  const locale = useLocale()
  const titleOf = useTitleOf(target)
  const query = {
    ...languageOf(target, locale),
    fields: [target.title],
    sort: `${target.title}:asc`,
    pagination: { pageSize: 100, withCount: false },
  }
  const { data } = useQuery(resourceQueries(target).list(query))
  const choices = (data?.entries ?? []).map((entry) => ({ value: String(entry.id), label: titleOf(entry) }))
  return <FilterSelect resource={resource} list={list} name={name} choices={choices} />
}
