/** The list of price days, with the calendar beside it, and state and coverage of each day. */
import type { Screen } from '@dala/model'
import type { CellProps, FormSlots, ListSlots } from '../../resource/screen-parts.ts'
import { FieldDisplay } from '../../fields/field-display.tsx'
import { resourceNamed } from '../../fields/relation/targets.ts'
import { narrowQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { CalendarButton, CalendarSheet, TodayLink } from './day-calendar.tsx'
import { PriceTabs } from './outlook/price-tabs.tsx'
import { CoverageBar } from './coverage-bar.tsx'
import { MarkLabel } from './day-mark.tsx'
import { markOf, toCoverage, today } from './day-marks.ts'

function StateCell({ entry }: CellProps) {
  return <MarkLabel mark={markOf(entry)} />
}

function CoverageCell({ resource, value }: CellProps) {
  const coverage = toCoverage(value)
  return coverage ? (
    <CoverageBar coverage={coverage} />
  ) : (
    <FieldDisplay resource={resource} name="coverage" value={null} />
  )
}

const DayTabs = () => <PriceTabs view="days" />

function DaysActions({ screen }: { screen: Screen }) {
  const isNarrow = useMedia(narrowQuery)
  return (
    <>
      {isNarrow ? <CalendarButton screen={screen} /> : null}
      {/* On a phone the calendar of days has this link. */}
      <span className="contents max-md:hidden">
        <TodayLink screen={screen} />
      </span>
    </>
  )
}

export const daysList: ListSlots = {
  Above: DayTabs,
  Beside: CalendarSheet,
  hasWideSegments: true,
  imports: resourceNamed('pricelists'),
  Actions: DaysActions,
  cells: { state: StateCell, coverage: CoverageCell },
  // The default date of a new day is a getter, because the panel may stay open past midnight.
  get preset() {
    return { date: today() }
  },
}

/** A new price day opens its table of prices. */
export const dayForm: FormSlots = { opensPage: true }
