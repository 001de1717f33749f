/** The map of a report: tiles of regions, or of the districts of the chosen one, with a list beside it. */
import { metricLabel, type MapTile, type ReportBreakdown, type ReportKey } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { callRoute } from '../../../api/route.ts'
import { cx } from '../../../lib/class-names.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { StepSquare, StepLegend } from '../charts/step-legend.tsx'
import { levelOf, stepsOf } from '../charts/steps.ts'
import { figureText } from '../figure-text.ts'
import { FigureExplanation } from '../how-counted.tsx'
import { withFilter } from '../report-search.ts'
import type { ReportState } from '../use-report.ts'
import { mapFigures } from './map-figures.ts'
import { tableId } from './map-table.ts'

const tilesQuery = (locale: ReportState['locale'], region: string | undefined) =>
  queryOptions({
    queryKey: ['statistics', 'map', locale, region],
    queryFn: ({ signal }) =>
      callRoute('GET /api/statistics/map/regions', {
        query: { locale, ...(region !== undefined && { region: Number(region) }) },
        signal,
      }),
    meta: { inPlace: true },
  })

interface RegionMapProps {
  report: ReportKey
  table: ReportBreakdown
  state: ReportState
}

export function RegionMap({ report, table, state }: RegionMapProps) {
  const t = useT()
  const isDistricts = table.dim === 'district'
  const { data } = useQuery(tilesQuery(state.locale, isDistricts ? state.search.filters.region : undefined))
  const name = t('statistics.map.name', { name: firstTranslation(metricLabel(report, table.metric)) })
  return (
    <Sheet hasPadding aria-label={name} className="min-w-0">
      <div className="mb-3 flex items-center gap-1.5">
        <h2 className="min-w-0 text-lg leading-tight font-semibold">{name}</h2>
        <FigureExplanation report={report} metric={table.metric} />
      </div>
      {data ? (
        <TileMap name={name} table={table} tiles={data.data} state={state} />
      ) : (
        <Skeleton className="h-[260px] w-full" />
      )}
    </Sheet>
  )
}

interface TileMapProps {
  name: string
  table: ReportBreakdown
  tiles: readonly MapTile[]
  state: ReportState
}

function TileMap({ name, table, tiles, state: { search, change } }: TileMapProps) {
  const t = useT()
  const locale = useLocale()
  const [isPerUsers, setPerUsers] = useState(false)
  const isDistricts = table.dim === 'district'
  const hasUsers = tiles.some(({ users }) => users !== null)
  const { areas, off } = mapFigures(table, tiles, isPerUsers && hasUsers)
  const steps = stepsOf(areas.map(({ value }) => value))
  const text = (value: number) => figureText(t, locale, 'count', value)
  const [topArea] = areas
  const nameOf = (area: MapTile) => area.name ?? ''
  const chosenRegion = search.filters.region
  const width = Math.max(0, ...areas.map(({ x }) => x)) + 1
  const tileClass = 'flex min-h-16 min-w-0 flex-col items-start gap-1 bg-sunken p-1.5 text-start text-xs max-md:p-1'
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {hasUsers ? (
          <SegmentedControl
            label={t('statistics.map.unit')}
            value={isPerUsers ? 'perUsers' : 'count'}
            onValueChange={(unit) => setPerUsers(unit === 'perUsers')}
            segments={[
              { value: 'count', label: t('statistics.map.count') },
              { value: 'perUsers', label: t('statistics.map.perUsers') },
            ]}
          />
        ) : null}
        {chosenRegion === undefined ? null : (
          <Button onClick={() => change({ filters: withFilter(search.filters, 'region', undefined) })}>
            {t('statistics.map.all')}
          </Button>
        )}
      </div>
      {topArea ? (
        <figure className="grid gap-x-6 gap-y-4 lg:grid-cols-[3fr_2fr]">
          <div className="min-w-0">
            <p className="sr-only">
              {t('statistics.map.summary', { name, area: nameOf(topArea), value: text(topArea.value) })}
            </p>
            {/* East is on the right in every language. */}
            <ul dir="ltr" className="grid gap-1" style={{ gridTemplateColumns: `repeat(${width}, minmax(0, 1fr))` }}>
              {areas
                .toSorted((left, right) => left.y - right.y || left.x - right.x)
                .map((area) => (
                  <li key={area.id} className="grid min-w-0" style={{ gridColumn: area.x + 1, gridRow: area.y + 1 }}>
                    <Tile
                      className={tileClass}
                      {...(isDistricts
                        ? {}
                        : {
                            onChoose: () => change({ filters: withFilter(search.filters, 'region', String(area.id)) }),
                          })}
                      isChosen={!isDistricts && chosenRegion === String(area.id)}
                    >
                      <i aria-hidden className="grid size-4 place-items-center bg-surface">
                        <StepSquare level={levelOf(steps, area.value)} />
                      </i>
                      <TileName name={nameOf(area)} />
                      <b className="tabular-nums">{text(area.value)}</b>
                      {isDistricts ? null : <span className="sr-only">{t('statistics.map.only')}</span>}
                    </Tile>
                  </li>
                ))}
            </ul>
            <StepLegend steps={steps} />
          </div>
          <ol className="min-w-0 text-sm">
            {areas.map((area) => (
              <li key={area.id} className="flex justify-between gap-3 border-b border-line py-1">
                <span className="min-w-0 wrap-break-word">{nameOf(area)}</span>
                <span className="tabular-nums">{text(area.value)}</span>
              </li>
            ))}
          </ol>
        </figure>
      ) : (
        <p className="text-muted">{t('empty.noData')}</p>
      )}
      <p className="mt-2 text-sm">
        <a
          href={`#${tableId(table.dim)}`}
          className="inline-flex min-h-6 items-center text-brand-text hover:underline max-md:min-h-11"
        >
          {t('statistics.map.off', { value: text(off) })}
        </a>
      </p>
    </>
  )
}

/** Name of an area whose long words end in an ellipsis instead of breaking; the whole name is read and shown on hover. */
function TileName({ name }: { name: string }) {
  return (
    <span title={name} className="max-w-full leading-tight">
      {name.split(' ').map((namePart, partIndex) => (
        <Fragment key={partIndex}>
          {partIndex > 0 ? ' ' : ''}
          <span className="inline-block max-w-full truncate align-bottom">{namePart}</span>
        </Fragment>
      ))}
    </span>
  )
}

interface TileProps {
  className: string
  isChosen: boolean
  /** Chooses the region; absent for districts, which have no filter. */
  onChoose?: () => void
  children: ReactNode
}

function Tile({ className, isChosen, onChoose, children }: TileProps) {
  if (!onChoose) return <div className={className}>{children}</div>
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cx(className, 'hover:bg-hover', isChosen && 'outline-2 outline-brand')}
    >
      {children}
    </button>
  )
}
