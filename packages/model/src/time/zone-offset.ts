/** What clocks of a zone show. The one place beside the panel's formats that asks Intl: for numbers of a zone, never for words. */

const minute = 60_000

/** Minutes by which clocks in a zone are ahead of UTC at a moment, in milliseconds since 1970. Throws for an unknown zone. */
export function zoneOffset(zone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
  })
  return (moment) => {
    const at: Partial<Record<string, number>> = {}
    for (const { type, value } of format.formatToParts(moment)) at[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0 } = at
    return Math.round((Date.UTC(year, month - 1, day, hour, minutes) - Math.floor(moment / minute) * minute) / minute)
  }
}
