/**
 * The picture modes of a list: small pictures beside text, or large ones with the text below, never over
 * them.
 */
import type { Entry } from '@dala/model'
import { Fragment, use } from 'react'
import { useTitleOf } from '../../../fields/field-display.tsx'
import { galleryPictureOf } from '../../../fields/picture/picture.ts'
import { cx } from '../../../lib/class-names.ts'
import { GalleryButton } from '../../../ui/overlays/gallery.tsx'
import { LanguageCoverage } from '../../../ui/language-coverage.tsx'
import { languagesOf, outdatedLocalesOf } from '../../entry-languages.ts'
import { GroupContext } from './group-context.ts'
import { RowCheck } from './check.tsx'
import { isPictured, NameLines, RecordPicture } from './name.tsx'
import { pictureFieldOf } from '../search.ts'
import { Cell, type ListRowsProps } from './row.tsx'
import { allowedMoves } from './row-actions.ts'
import { RowMenu } from './row-menu.tsx'

/** Names of fields with the state of a record, shown on its card. */
const states = ['active', 'status', 'state'] as const

const columns = {
  // The columns of the picture mode leave space for a name beside the picture and the controls.
  thumb: 'grid-cols-[repeat(auto-fill,minmax(min(100%,17.5rem),1fr))]',
  image: 'max-md:grid-cols-2 md:grid-cols-3 lg:grid-cols-4',
} as const

/** Columns for cards that a screen renders itself, which have more than a name and need more space. */
const cardColumns = {
  thumb: 'md:grid-cols-2 xl:grid-cols-3',
  image: 'md:grid-cols-2 lg:grid-cols-3',
} as const

export function ListGallery({
  mode,
  list,
  slots,
  entries,
  selection,
  onToggle,
  onDelete,
  onMove,
}: ListRowsProps & { mode: 'thumb' | 'image' }) {
  const { screen, query } = list
  const { language } = query
  const { resource } = screen
  const { Card, rowItems } = slots
  const { headingOf, isFolded } = use(GroupContext)
  return (
    <ul className={cx('grid gap-3 border-t border-line p-4 max-md:px-3.5', Card ? cardColumns[mode] : columns[mode])}>
      {entries.map((entry, index) => {
        const menu = (
          <>
            {selection ? (
              <RowCheck resource={resource} selection={selection} entry={entry} onToggle={onToggle} />
            ) : null}
            <RowMenu
              screen={screen}
              entry={entry}
              items={rowItems}
              allowedMoves={allowedMoves(entries, index, onMove)}
              onDelete={onDelete}
              onMove={onMove}
            />
          </>
        )
        return (
          <Fragment key={entry.id}>
            {headingOf(index, 0)}
            {isFolded(index) ? null : (
              <li data-row={entry.id} className="list-row min-w-0 rounded-2 border border-line">
                {Card ? (
                  <Card
                    screen={screen}
                    entry={entry}
                    language={language}
                    mode={mode}
                    menu={<div className="-me-1.5 -mt-1.5 -mb-3 flex items-center">{menu}</div>}
                  />
                ) : mode === 'thumb' ? (
                  <div className="flex items-start gap-3 p-3">
                    <CardPicture list={list} slots={slots} entries={entries} entry={entry} size="lg" />
                    <div className="min-w-0 flex-1">
                      <NameLines screen={screen} language={language} entry={entry} />
                      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm empty:hidden">
                        <Languages list={list} entry={entry} />
                        <State list={list} slots={slots} entry={entry} />
                      </div>
                    </div>
                    <div className="-me-1.5 -mt-1.5 flex items-center">{menu}</div>
                  </div>
                ) : (
                  <div className="flex h-full flex-col gap-1 p-2">
                    <CardPicture list={list} slots={slots} entries={entries} entry={entry} size="fill" />
                    <div className="px-1 pt-1">
                      <NameLines screen={screen} language={language} entry={entry} />
                    </div>
                    <div className="ps-1 text-sm empty:hidden">
                      <Languages list={list} entry={entry} />
                    </div>
                    <div className="mt-auto -mb-1 flex flex-wrap items-center justify-between gap-x-1 ps-1 text-sm">
                      <State list={list} slots={slots} entry={entry} />
                      <div className="ms-auto -me-1 flex items-center">{menu}</div>
                    </div>
                  </div>
                )}
              </li>
            )}
          </Fragment>
        )
      })}
    </ul>
  )
}

interface CardPictureProps extends PartProps, Pick<ListRowsProps, 'slots'> {
  /** All records of the page, for the gallery of their pictures. */
  entries: readonly Entry[]
  size: 'lg' | 'fill'
}

/** The picture of a card: a press shows it large, while the name beside it links to the record. */
function CardPicture({ list, slots, entries, entry, size }: CardPictureProps) {
  const { resource } = list.screen
  const titleOf = useTitleOf(resource)
  const picture = <RecordPicture resource={resource} entry={entry} size={size} slots={slots} />
  if (!isPictured(resource, entry)) return picture
  const entriesWithPictures = entries.filter((listedEntry) => isPictured(resource, listedEntry))
  const pictures = entriesWithPictures.flatMap(
    (listedEntry) => galleryPictureOf(listedEntry[pictureFieldOf(resource) ?? ''], titleOf(listedEntry)) ?? [],
  )
  return (
    <GalleryButton
      pictures={pictures}
      index={entriesWithPictures.indexOf(entry)}
      className={size === 'fill' ? 'w-full' : 'shrink-0'}
    >
      {picture}
    </GalleryButton>
  )
}

type PartProps = Pick<ListRowsProps, 'list'> & { entry: Entry }

function Languages({ list, entry }: PartProps) {
  if (!list.screen.resource.localized) return null
  return <LanguageCoverage availableLocales={languagesOf(entry)} outdated={outdatedLocalesOf(entry)} />
}

function State({ list, slots, entry }: PartProps & Pick<ListRowsProps, 'slots'>) {
  const { resource } = list.screen
  const state = states.find((name) => resource.list?.columns.some((column) => column === name))
  return state ? <Cell resource={resource} slots={slots} name={state} entry={entry} /> : null
}
