/** The day of prices by the clock of reports: the answer of `GET /pricedates/today` (market §6). */

/** The cells of today: those it has, and those of the published day before that it lacks. */
export interface DayProgress {
  /** The record of the day; null while nobody has begun it. */
  pricedate: number | null
  state: string | null
  expected: number
  entered: number
  carried: number
  missing: number
  /** Districts with cells that are missing or only carried over, those with the most first; three at most. */
  districts: { id: number; name: string; count: number }[]
  /** All districts with such cells. */
  districts_count: number
}

export interface PriceToday {
  /** `2026-03-01`, in the zone of TIME_ZONE. */
  date: string
  zone: string
  /** Minutes by which the clock of the zone is ahead of UTC now. */
  offset_minutes: number
  /** Days on which prices are usual and none are published, newest first. */
  missing: string[]
  /** Null for callers who may not write prices. */
  progress: DayProgress | null
}
