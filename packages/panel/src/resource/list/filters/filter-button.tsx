/**
 * The button that opens every filter of a list; in a narrow window also sorting, mode, columns and export.
 * Its content is loaded on first use.
 */
import { useQuery } from '@tanstack/react-query'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { type RefObject, Suspense, useState } from 'react'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { lazyFeature, lazyPart, preload } from '../../../ui/lazy-part.ts'
import { AwaitedPart } from '../../../ui/awaited.tsx'
import type { ListSlots } from '../../screen-parts.ts'
import { seesCards } from '../../screen-for-user.ts'
import type { ResourceList } from '../use-resource-list.ts'

const loadPane = () => import('./filter-pane.tsx')
const loadFoldedControls = () => import('./folded-controls.tsx')
const BuilderDialog = lazyFeature(async () => (await import('./builder-dialog.tsx')).BuilderDialog)
const FilterPane = lazyPart(async () => (await loadPane()).FilterPane)
const ListFold = lazyFeature(async () => (await loadFoldedControls()).ListFold)

interface FilterButtonProps {
  list: ResourceList
  slots: ListSlots
  button: RefObject<HTMLButtonElement | null>
  /** Names of fields with a filter of their own in the row, or in the sheet of a narrow window. */
  names: readonly string[]
  /** Whether the button opens all controls of the list, not the filters alone. */
  isFolded: boolean
  /** Whether the row has no space for the label of the filter button. */
  isBare: boolean
}

export function FilterButton({ list, slots, button, names, isFolded, isBare }: FilterButtonProps) {
  const t = useT()
  const locale = useLocale()
  const { data: me } = useQuery(meQuery)
  const [building, setBuilding] = useState(false)
  const count = list.query.chips.length + (list.query.search.where === undefined ? 0 : 1)
  if (!me) return null
  const callerRole = callerRoleOf(me)
  // The search covers the name, the only known field of a card.
  const isCard = seesCards(list.screen.resource, callerRole)
  if (isCard && !isFolded) return null
  const filtersLabel = t('list.filters')
  return (
    <>
      <Popover
        title={t(isFolded ? 'list.fold' : 'list.filters')}
        onWanted={() => preload(isFolded ? loadFoldedControls : loadPane)}
        trigger={
          <button
            ref={button}
            type="button"
            data-tip={isBare ? filtersLabel : undefined}
            className={buttonClass('plain', 'shrink-0 font-normal! px-3!')}
          >
            <SlidersHorizontal size={16} aria-hidden className="text-muted" />
            {/* The accessible name of the filter button includes the number of conditions, and starts with
                the visible label. */}
            <span aria-hidden className={cx(isBare && 'sr-only')}>
              {filtersLabel}
            </span>
            <span className="sr-only">{t(isFolded ? 'list.foldActive' : 'list.filtersActive', { count })}</span>
            {count > 0 ? (
              <span aria-hidden className="rounded-full bg-brand-soft px-1.5 text-xs font-semibold text-on-brand-soft">
                {formatNumber(locale, count)}
              </span>
            ) : null}
          </button>
        }
      >
        {(closePopover) => {
          const openBuilder = () => {
            closePopover()
            setBuilding(true)
          }
          return (
            <Suspense fallback={<Skeleton className="h-36 w-full" />}>
              {isFolded ? (
                <ListFold
                  list={list}
                  slots={slots}
                  names={isCard ? [] : names}
                  callerRole={callerRole}
                  isCard={isCard}
                  onDone={closePopover}
                  onBuild={openBuilder}
                />
              ) : (
                <FilterPane list={list} callerRole={callerRole} onDone={closePopover} onBuild={openBuilder} />
              )}
            </Suspense>
          )
        }}
      </Popover>
      {building ? (
        <AwaitedPart onGiveUp={() => setBuilding(false)}>
          <BuilderDialog list={list} open onClose={() => setBuilding(false)} />
        </AwaitedPart>
      ) : null}
    </>
  )
}
