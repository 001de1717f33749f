/**
 * Filters and order of the rooms: owner, search and roomMarks are visible, the rest is behind a button; all
 * combine.
 */
import ListFilter from 'lucide-react/icons/list-filter'
import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, useId, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useTypedSearch } from '../../../lib/hooks/use-typed-search.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { FramedInput } from '../../../ui/inputs/input.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import {
  type DeskSearch,
  hasFurtherFilters,
  isDesk,
  type RoomMark,
  roomMarks,
  ownerFilters,
  removeParameters,
} from '../desk-search.ts'
import type { Reader } from '../reader.ts'
import { FurtherFilters } from './further-filters.tsx'
import { SearchDays } from './search-days.tsx'
import { RoomViews } from './views.tsx'

export interface RoomsFiltersProps {
  reader: Reader
  search: DeskSearch
  counts: Readonly<Record<string, number>> | undefined
  /** Id of the room that is open, for a search within it. */
  chosen: number | undefined
  onChange: (newSearch: DeskSearch) => void
}

export function RoomsFilters({ reader, search, counts, chosen, onChange }: RoomsFiltersProps) {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const { who = 'all' } = search
  const [isOpen, setOpen] = useState(hasFurtherFilters(search))
  const [text, setText] = useTypedSearch(search.q ?? '', (searchText) => {
    onChange(searchText ? { ...search, q: searchText } : removeParameters(search, 'q', 'in', 'from', 'to'))
  })
  const countOf = (name: string) => {
    const count = counts?.[name]
    return count === undefined ? {} : { count: formatNumber(locale, count) }
  }
  const focusRooms = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowDown') return
    const row = document.querySelector<HTMLElement>('[data-rooms] [tabindex="0"]')
    if (!row) return
    event.preventDefault()
    row.focus()
  }
  return (
    <div className="grid gap-2 px-4 py-3">
      <div className="flex gap-2">
        <FramedInput
          type="search"
          icon={<Search size={16} aria-hidden />}
          aria-label={t('chat.searchRooms')}
          // The whole label of the room search does not fit into the narrow room list of a tablet.
          placeholder={t('list.searchPlaceholder')}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={focusRooms}
          className="flex-1"
        />
        <IconButton
          label={t('list.filters')}
          icon={<ListFilter size={18} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="h-(--control) w-(--control) border border-line-strong aria-expanded:bg-brand-soft aria-expanded:text-on-brand-soft"
        />
        {/* The saved views of the rooms would take a separate row beside the filter buttons. */}
        {isDesk(reader) && search.in === undefined ? <RoomViews search={search} onChange={onChange} /> : null}
      </div>
      {search.q ? (
        <SegmentedControl
          label={t('chat.searchIn')}
          // Without an open room a message search covers all rooms.
          value={search.in === 'room' && chosen === undefined ? 'messages' : (search.in ?? 'rooms')}
          onValueChange={(value) =>
            onChange(value === 'rooms' ? removeParameters(search, 'in', 'from', 'to') : { ...search, in: value })
          }
          segments={[
            { value: 'rooms', label: t('chatrooms.many') },
            { value: 'messages', label: t('chatmessages.many') },
            ...(chosen === undefined ? [] : [{ value: 'room' as const, label: t('chat.searchHere') }]),
          ]}
          className="flex! w-full"
        />
      ) : null}
      {isDesk(reader) && search.in === undefined ? (
        <SegmentedControl
          label={t('chat.show')}
          value={who}
          onValueChange={(value) =>
            onChange(value === 'all' ? removeParameters(search, 'who') : { ...search, who: value })
          }
          segments={ownerFilters.map((value) => ({ value, label: t(`chat.show.${value}`), ...countOf(value) }))}
          className="flex! w-full [&>*]:px-1.5!"
        />
      ) : null}
      <div className={search.in ? 'hidden' : 'flex flex-wrap items-center gap-1.5'}>
        {(isDesk(reader) ? roomMarks : (['unread'] as const)).map((mark) => (
          <MarkToggle
            key={mark}
            isOn={search[mark] === 'yes'}
            label={t(`chat.show.${mark}`)}
            {...countOf(mark)}
            onToggle={() => onChange(toggleMark(search, mark))}
          />
        ))}
      </div>
      {search.in ? <SearchDays search={search} onChange={onChange} /> : null}
      {/* The panel with the filters of the rooms can be closed while no filter is set; the order is chosen in
          it too. */}
      <div id={id} hidden={!isOpen} className="grid gap-2">
        <FurtherFilters search={search} open={isOpen} onChange={onChange} />
      </div>
    </div>
  )
}

const toggleMark = (search: DeskSearch, mark: RoomMark): DeskSearch =>
  search[mark] ? removeParameters(search, mark) : { ...search, [mark]: 'yes' }

interface MarkToggleProps {
  isOn: boolean
  label: string
  count?: string
  onToggle: () => void
}

function MarkToggle({ isOn, label, count, onToggle }: MarkToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-line-strong px-3 text-sm font-medium text-muted hover:bg-hover hover:text-ink aria-pressed:border-transparent aria-pressed:bg-brand-soft aria-pressed:text-on-brand-soft max-md:min-h-11"
    >
      {label}
      {count === undefined ? null : <small className="text-xs font-normal tabular-nums">{count}</small>}
    </button>
  )
}
