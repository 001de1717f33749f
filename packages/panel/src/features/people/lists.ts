/** The lists of people. */
import type { ListParts } from '../../resource/screen-parts.ts'
import { AnsweredCell, PlaceCell, StateCell, YearsCell } from './person-cells.tsx'

export const consultantsList: ListParts = {
  cells: { district: PlaceCell, answered: AnsweredCell, experience_years: YearsCell, active: StateCell },
  after: { consultantcategories: 'answered' },
}

export const accountsList: ListParts = { cells: { district: PlaceCell, active: StateCell } }
