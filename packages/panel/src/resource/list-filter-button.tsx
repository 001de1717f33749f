/** The button behind which every filter of a list is found; the panel is loaded when it is first wanted. */
import { useQuery } from '@tanstack/react-query'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { type RefObject, Suspense, useState } from 'react'
import { askerOf, meQuery } from '../api/session.ts'
import { formatNumber } from '../lib/format.ts'
import { useLocale, useT } from '../lib/i18n.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Popover } from '../ui/popover.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { lazyFeature, lazyPart, preload } from '../ui/lazy-part.ts'
import { Awaited } from '../ui/awaited.tsx'
import { changeFilter, chipsOf } from './list-conditions.ts'
import { seesCards } from './seen-screen.ts'
import type { ResourceList } from './use-resource-list.ts'

const load = () => import('../fields/filters/filter-panel.tsx')
const loadBuilder = async () => (await import('./list-builder-dialog.tsx')).BuilderDialog
const BuilderDialog = lazyFeature(loadBuilder)
const FilterPanel = lazyPart(async () => (await load()).FilterPanel)

export function FilterButton({ list, button }: { list: ResourceList; button: RefObject<HTMLButtonElement | null> }) {
  const t = useT()
  const locale = useLocale()
  const { data: me } = useQuery(meQuery)
  const [building, setBuilding] = useState(false)
  const count = chipsOf(list).length + (list.search.where === undefined ? 0 : 1)
  // Of a card only the name is known, and that is searched for.
  if (!me || seesCards(list.screen.resource, askerOf(me))) return null
  return (
    <>
      <Popover
        title={t('list.filters')}
        onWanted={() => preload(load)}
        trigger={
          <button ref={button} type="button" className={buttonClass('plain', 'font-normal! px-3! max-md:flex-auto')}>
            <SlidersHorizontal size={16} aria-hidden className="text-muted" />
            {/* The number is read out as a part of the name, which starts with the word in sight. */}
            <span aria-hidden>{t('list.filters')}</span>
            <span className="sr-only">{t('list.filtersActive', { count })}</span>
            {count > 0 ? (
              <span aria-hidden className="rounded-full bg-brand-soft px-1.5 text-xs font-semibold text-on-brand-soft">
                {formatNumber(locale, count)}
              </span>
            ) : null}
          </button>
        }
      >
        {(close) => (
          <Suspense fallback={<Skeleton className="h-36 w-full" />}>
            <FilterPanel
              resource={list.screen.resource}
              asker={askerOf(me)}
              without={Object.keys(list.rows)}
              filter={list.search.filter ?? {}}
              onApply={(name, text) => {
                changeFilter(list, name, text)
                close()
              }}
              onRemove={(name) => {
                changeFilter(list, name, undefined)
                close()
              }}
            />
            <LinkButton
              onClick={() => {
                close()
                setBuilding(true)
              }}
              className="justify-self-start"
            >
              {t('list.builder')}
            </LinkButton>
          </Suspense>
        )}
      </Popover>
      {building ? (
        <Awaited onGiveUp={() => setBuilding(false)}>
          <BuilderDialog list={list} open onClose={() => setBuilding(false)} />
        </Awaited>
      ) : null}
    </>
  )
}
