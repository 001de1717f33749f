/** The list of price days: the calendar above it, state and coverage of each day. */
import type { Screen } from '@dala/model'
import type { CellProps, FormParts, ListParts } from '../../resource/screen-parts.ts'
import { FieldDisplay } from '../../fields/field-display.tsx'
import { resourceNamed } from '../../fields/targets.ts'
import { ImportLink } from '../../resource/import-link.tsx'
import { CalendarStrip, TodayLink } from './calendar-strip.tsx'
import { PriceTabs } from './outlook/price-tabs.tsx'
import { CoverageBar } from './coverage-bar.tsx'
import { MarkWords } from './day-mark.tsx'
import { markOf, toCoverage, today } from './day-marks.ts'

function StateCell({ entry }: CellProps) {
  return <MarkWords mark={markOf(entry)} />
}

function CoverageCell({ resource, value }: CellProps) {
  const coverage = toCoverage(value)
  return coverage ? (
    <CoverageBar coverage={coverage} />
  ) : (
    <FieldDisplay resource={resource} name="coverage" value={null} />
  )
}

function AboveDays({ screen }: { screen: Screen }) {
  return (
    <>
      <PriceTabs view="days" />
      <CalendarStrip screen={screen} />
    </>
  )
}

function DaysActions({ screen }: { screen: Screen }) {
  return (
    <>
      <ImportLink resource={resourceNamed('pricelists')} look="button" />
      <TodayLink screen={screen} />
    </>
  )
}

export const daysList: ListParts = {
  Above: AboveDays,
  Actions: DaysActions,
  cells: { state: StateCell, coverage: CoverageCell },
  // A getter: the panel may stay open over midnight.
  get preset() {
    return { date: today() }
  },
}

/** A new day leads on to its table. */
export const dayForm: FormParts = { opensPage: true }
