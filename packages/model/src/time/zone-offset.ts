/**
 * The offset of a time zone. Apart from the panel's formats the only use of Intl: for numbers of a zone,
 * never for text.
 */

const minute = 60_000

/**
 * Returns a function that gives the offset of a zone from UTC in minutes, at a moment in milliseconds since
 * 1970.
 *
 * @throws `RangeError` for an unknown zone.
 * @example
 * zoneOffset('Asia/Tashkent')(Date.parse('2026-11-20T12:00Z')) // 300
 */
export function zoneOffset(zone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
  })
  return (moment) => {
    const timeParts: Partial<Record<string, number>> = {}
    for (const { type, value } of format.formatToParts(moment)) timeParts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0 } = timeParts
    return Math.round((Date.UTC(year, month - 1, day, hour, minutes) - Math.floor(moment / minute) * minute) / minute)
  }
}
