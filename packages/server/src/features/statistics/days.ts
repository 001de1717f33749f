/** Arithmetic of calendar days as texts, `YYYY-MM-DD`, without a zone or a clock. */
const dayLength = 86_400_000

const dayToTime = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const timeToDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

export const addDays = (day: string, count: number): string => timeToDay(dayToTime(day) + count * dayLength)

/** Counts the days between two days, including the first one. */
export const daysBetween = (startDay: string, endDay: string): number =>
  (dayToTime(endDay) - dayToTime(startDay)) / dayLength

/** Adds months to a day; a month without that day yields its last one. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const monthStart = new Date(Date.UTC(year, month - 1 + count, 1))
  const lastDate = new Date(Date.UTC(monthStart.getUTCFullYear(), monthStart.getUTCMonth() + 1, 0)).getUTCDate()
  return timeToDay(monthStart.getTime() + (Math.min(date, lastDate) - 1) * dayLength)
}

/** Returns the Monday of the week of a day. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(dayToTime(day)).getUTCDay() + 6) % 7))

export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`
