/** The row above the files: search, filters, order and layout; below it the active filters as chips. */
import { isLocale, type Locale, localeNames, locales } from '@dala/model'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import ListFilter from 'lucide-react/icons/list-filter'
import Rows3 from 'lucide-react/icons/rows-3'
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { ChipFrame } from '../../../ui/layout/chip-frame.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { sizeText } from './file.ts'
import type { LibraryMode } from './mode.ts'
import { LibrarySearch } from './search.tsx'
import {
  type FileKind,
  fileKinds,
  isType,
  type LibraryView,
  orderNames,
  sizes,
  types,
  wholeLibraryView,
} from './view.ts'

export interface LibraryBarProps {
  view: LibraryView
  onView: (viewChange: Partial<LibraryView>) => void
  mode: LibraryMode
  onMode: (mode: LibraryMode) => void
  search?: RefObject<HTMLInputElement | null> | undefined
  /** Whether the user can choose the kind of files. */
  hasKinds: boolean
  /** The choice of a folder, where no list of folders is shown beside it. */
  folders: ReactNode
}

const noValue = ''

export function LibraryBar({ view, onView, mode, onMode, search, hasKinds, folders }: LibraryBarProps) {
  const t = useT()
  const isPhone = useMedia(phoneQuery)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const isOfPictures = view.kind === 'pictures'
  const modes = isOfPictures ? (
    <SegmentedControl
      label={t('list.displayMode')}
      value={mode}
      onValueChange={onMode}
      segments={[
        { value: 'grid', label: t('library.mode.grid'), icon: <LayoutGrid size={17} aria-hidden /> },
        { value: 'list', label: t('library.mode.list'), icon: <Rows3 size={17} aria-hidden /> },
      ]}
    />
  ) : null
  // The focus stays in the row of tools after its last filter chip is removed.
  const focusBar = () => (button.current ?? bar.current?.querySelector<HTMLElement>('input'))?.focus()
  return (
    <div ref={bar}>
      <div className="flex flex-wrap items-center gap-2.5 px-4 py-3.5 max-md:px-3.5">
        {hasKinds ? <KindChoice kind={view.kind} onView={onView} /> : null}
        <LibrarySearch q={view.q} onSearch={(searchText) => onView({ q: searchText })} input={search} />
        {isPhone ? (
          <>
            <Button
              ref={button}
              aria-expanded={isOpen}
              aria-controls={id}
              icon={<ListFilter size={16} aria-hidden />}
              onClick={() => setOpen(!isOpen)}
              className="me-auto"
            >
              {t('list.filters')}
            </Button>
            {modes}
          </>
        ) : null}
        <div
          id={id}
          hidden={isPhone && !isOpen}
          className="contents max-md:flex max-md:w-full max-md:flex-wrap max-md:gap-2.5 [&[hidden]]:hidden"
        >
          {folders}
          <Filters view={view} onView={onView} />
        </div>
        {isPhone ? null : modes}
      </div>
      <Chips view={view} onView={onView} onEmptied={focusBar} />
    </div>
  )
}

/** The choice of a kind of files; filters that only pictures have are removed with the kind. */
function KindChoice({ kind, onView }: Pick<LibraryBarProps, 'onView'> & { kind: FileKind }) {
  const t = useT()
  return (
    <Select
      variant="filter"
      aria-label={t('library.kind')}
      value={kind}
      onValueChange={(chosenKind) => onView({ kind: chosenKind, type: undefined, missing: undefined })}
      choices={fileKinds.map((value) => ({ value, label: t(`library.kind.${value}`) }))}
    />
  )
}

function Filters({ view, onView }: Pick<LibraryBarProps, 'view' | 'onView'>) {
  const t = useT()
  const locale = useLocale()
  const isOfPictures = view.kind === 'pictures'
  return (
    <>
      {isOfPictures ? (
        <Select
          variant="filter"
          aria-label={t('library.type')}
          value={view.type ?? noValue}
          onValueChange={(type) => onView({ type: isType(type) ? type : undefined })}
          choices={[
            { value: noValue, label: t('library.anyType') },
            ...Object.entries(types).map(([value, label]) => ({ value, label })),
          ]}
        />
      ) : null}
      <Select
        variant="filter"
        aria-label={t('library.size')}
        value={String(view.size ?? noValue)}
        onValueChange={(size) => onView({ size: sizes.find((pictureSize) => String(pictureSize) === size) })}
        choices={[
          { value: noValue, label: t('library.anySize') },
          ...sizes.map((size) => ({
            value: String(size),
            label: t('library.over', { size: sizeText(t, locale, size) }),
          })),
        ]}
      />
      {isOfPictures ? (
        <Select
          variant="filter"
          aria-label={t('library.missing')}
          value={view.missing ?? noValue}
          onValueChange={(missingLocale: Locale | typeof noValue) =>
            onView({ missing: isLocale(missingLocale) ? missingLocale : undefined })
          }
          choices={[
            { value: noValue, label: t('library.anyText') },
            ...locales.map((textLocale) => ({
              value: textLocale,
              label: t('library.missingIn', { language: localeNames[textLocale] }),
            })),
          ]}
        />
      ) : null}
      <Button
        aria-pressed={view.unused}
        onClick={() => onView({ unused: !view.unused })}
        className="font-normal! aria-pressed:border-brand-ui aria-pressed:bg-brand-soft aria-pressed:text-on-brand-soft"
      >
        {t('library.unused')}
      </Button>
      <Select
        variant="filter"
        aria-label={t('list.sortBy')}
        value={view.sort}
        onValueChange={(sort) => onView({ sort })}
        choices={orderNames.map((value) => ({ value, label: t(`library.sort.${value}`) }))}
        className="md:me-auto"
      />
    </>
  )
}

function Chips({ view, onView, onEmptied }: Pick<LibraryBarProps, 'view' | 'onView'> & { onEmptied: () => void }) {
  const t = useT()
  const locale = useLocale()
  const row = useRef<HTMLUListElement>(null)
  const chips: { label: string; reset: Partial<LibraryView> }[] = []
  const addChip = (isSet: boolean, getLabel: () => string, reset: Partial<LibraryView>) => {
    if (isSet) chips.push({ label: getLabel(), reset })
  }
  const { type, size, missing, unused } = view
  addChip(type !== undefined, () => t('filter.chip', { name: t('library.type'), value: type ? types[type] : '' }), {
    type: undefined,
  })
  addChip(
    size !== undefined,
    () =>
      t('filter.chip', {
        name: t('library.size'),
        value: t('library.over', { size: sizeText(t, locale, size) }),
      }),
    { size: undefined },
  )
  addChip(missing !== undefined, () => t('library.missingIn', { language: missing ? localeNames[missing] : '' }), {
    missing: undefined,
  })
  addChip(unused, () => t('library.unused'), { unused: false })
  if (chips.length === 0) return null
  const remove = (index: number, reset: Partial<LibraryView>) => {
    // The focus moves to the filter chip beside the removed one.
    const buttons = [...(row.current?.querySelectorAll<HTMLButtonElement>('button[data-chip]') ?? [])]
    const nextChip = buttons[index + 1] ?? buttons[index - 1]
    if (nextChip) nextChip.focus()
    else onEmptied()
    onView(reset)
  }
  const { type: anyType, size: anySize, missing: anyText, unused: anyUse } = wholeLibraryView
  return (
    <ul
      ref={row}
      aria-label={t('filter.active')}
      className="flex flex-wrap items-center gap-2 px-4 pb-3.5 max-md:px-3.5"
    >
      {chips.map(({ label, reset }, index) => (
        <li key={label} className="min-w-0">
          <ChipFrame label={label} onRemove={() => remove(index, reset)}>
            {label}
          </ChipFrame>
        </li>
      ))}
      <li>
        <LinkButton
          onClick={() => {
            onEmptied()
            onView({ type: anyType, size: anySize, missing: anyText, unused: anyUse })
          }}
        >
          {t('filter.removeAll')}
        </LinkButton>
      </li>
    </ul>
  )
}
