import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWorkingHours, type WorkingHours, workingTime, writeWorkingHours } from './working-time.ts'
import { zoneOffset } from './zone-offset.ts'

const zone = 'Asia/Tashkent'
const hoursOf = (text: string): WorkingHours => {
  const hours = readWorkingHours(text)
  if (!hours) throw new Error(text)
  return hours
}
const momentOf = (text: string) => Date.parse(`${text}+05:00`)
const officeTime = workingTime(hoursOf('1-6 09:00-18:00'), zone)

describe('readWorkingHours', () => {
  it('reads working hours by day, where later entries replace earlier ones', () => {
    expect(readWorkingHours('1-6 09:00-18:00')).toMatchObject({ 1: { from: 540, to: 1_080 }, 6: { to: 1_080 } })
    expect(readWorkingHours('1-5 09:00-18:00, 6 09:00-13:00')).toMatchObject({ 6: { from: 540, to: 780 } })
    expect(readWorkingHours('1-7 00:00-24:00')).toMatchObject({ 7: { from: 0, to: 1_440 } })
  })
  it.each([
    '',
    '0-6 09:00-18:00',
    '6-1 09:00-18:00',
    '1-6 18:00-09:00',
    '1-6 09:00-09:00',
    '1-6 9-18',
    '1-6 09:00-24:01',
  ])('rejects the working hours %j', (text) => expect(readWorkingHours(text)).toBeUndefined())
})

describe('zoneOffset', () => {
  it.each([
    ['Asia/Tashkent', '2026-11-20T12:00Z', 300],
    ['Europe/Berlin', '2026-03-29T00:59Z', 60],
    ['Europe/Berlin', '2026-03-29T01:00Z', 120],
    ['America/New_York', '2026-01-01T00:00Z', -300],
    ['Asia/Kathmandu', '2026-01-01T00:00Z', 345],
  ])('returns for the zone %s at %s the offset of %i minutes', (timeZone, moment, minutes) =>
    expect(zoneOffset(timeZone)(Date.parse(moment))).toBe(minutes),
  )
})

describe('workingTime', () => {
  it.each([
    ['within a day', '2026-11-20T10:00', 30, '2026-11-20T10:30'],
    ['across a night', '2026-11-20T17:45', 30, '2026-11-21T09:15'],
    ['across the closed day', '2026-11-21T17:00', 120, '2026-11-23T10:00'],
    ['from before the opening', '2026-11-20T03:00', 30, '2026-11-20T09:30'],
    ['from the closed day', '2026-11-22T12:00', 30, '2026-11-23T09:30'],
    ['to the closing time', '2026-11-20T17:30', 30, '2026-11-20T18:00'],
    ['zero minutes, to the next opening', '2026-11-20T20:00', 0, '2026-11-21T09:00'],
  ])('adds working minutes %s', (_what, start, minutes, end) => {
    expect(new Date(officeTime.add(momentOf(start), minutes))).toEqual(new Date(momentOf(end)))
  })
  it('counts only open hours between two moments', () => {
    expect(officeTime.between(momentOf('2026-11-20T17:00'), momentOf('2026-11-21T10:00'))).toBe(2 * 3_600_000)
    expect(officeTime.between(momentOf('2026-11-22T00:00'), momentOf('2026-11-22T23:59'))).toBe(0)
    expect(officeTime.between(momentOf('2026-11-20T12:00'), momentOf('2026-11-20T11:00'))).toBe(0)
  })
  it('counts the working time of a day with a clock change by the hours of its clock', () => {
    // On 29 March 2026 clocks in Berlin were set from two to three.
    const berlin = workingTime(hoursOf('1-7 00:00-24:00'), 'Europe/Berlin')
    const midnight = Date.parse('2026-03-29T00:00+01:00')
    expect(berlin.between(midnight, Date.parse('2026-03-30T00:00+02:00'))).toBe(23 * 3_600_000)
    expect(new Date(berlin.add(midnight, 23 * 60))).toEqual(new Date('2026-03-30T00:00+02:00'))
  })
})

describe('writeWorkingHours', () => {
  it.each([
    ['1-6 09:00-18:00', '1-6 09:00-18:00'],
    ['7 00:00-24:00,1 09:05-10:00', '1 09:05-10:00, 7 00:00-24:00'],
    ['1 09:00-18:00, 2 09:00-18:00, 4 09:00-18:00', '1-2 09:00-18:00, 4 09:00-18:00'],
    ['1-5 09:00-18:00, 3 10:00-12:00', '1-2 09:00-18:00, 3 10:00-12:00, 4-5 09:00-18:00'],
  ])('writes %s in the shortest form', (text, written) => {
    expect(writeWorkingHours(hoursOf(text))).toBe(written)
    expect(readWorkingHours(written)).toEqual(hoursOf(text))
  })
})

describe('workingTime for any hours and moment', () => {
  const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
  const officeSpans = fc
    .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 1, max: 1_440 }))
    .filter(([a, b]) => b - a >= 60)
  const workingHoursArbitrary = fc
    .tuple(days, officeSpans, fc.constantFrom('Asia/Tashkent', 'UTC', 'America/New_York', 'Asia/Kathmandu'))
    .map(([openDays, [openingTime, closingTime], timeZone]) => {
      const hours = Object.fromEntries(openDays.map((day) => [day, { from: openingTime, to: closingTime }]))
      return { hours, place: timeZone, time: workingTime(hours, timeZone) }
    })
  const minutes = fc.integer({ min: 0, max: 3_000 })

  it('counts as many working minutes as were added', () => {
    fc.assert(
      fc.property(workingHoursArbitrary, moments, minutes, ({ time }, start, count) => {
        expect(time.between(start, time.add(start, count))).toBe(count * 60_000)
      }),
      { numRuns: 100 },
    )
  })
  it('ends added working time within open hours of an open day', () => {
    fc.assert(
      fc.property(workingHoursArbitrary, moments, minutes, ({ time, hours, place }, start, count) => {
        const end = time.add(start, count)
        // The moment of closing belongs to the working day that it ends, even at midnight.
        const moment = count > 0 ? end - 1 : end
        const localDate = new Date(moment + zoneOffset(place)(moment) * 60_000)
        const span = hours[localDate.getUTCDay() || 7]
        const clock = localDate.getUTCHours() * 60 + localDate.getUTCMinutes()
        expect(span && clock >= span.from && clock < span.to).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
  it('counts more working time for a later end, and sums over parts', () => {
    fc.assert(
      fc.property(workingHoursArbitrary, moments, minutes, minutes, ({ time }, start, firstMinutes, secondMinutes) => {
        const [middleMoment, end] = [start + firstMinutes * 60_000, start + (firstMinutes + secondMinutes) * 60_000]
        expect(time.between(start, middleMoment) + time.between(middleMoment, end)).toBe(time.between(start, end))
      }),
      { numRuns: 100 },
    )
  })
})
