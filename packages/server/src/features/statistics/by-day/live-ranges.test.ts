import { describe, expect, it } from 'vitest'
import { divideTime } from './live-ranges.ts'

const span = (startDay: string, endTime: string) => ({
  from: `${startDay} 00:00:00`,
  until: endTime.includes(' ') ? endTime : `${endTime} 00:00:00`,
})
const range = (startDay: string | null, endTime: string) => ({
  from: startDay === null ? null : `${startDay} 00:00:00`,
  until: endTime.includes(' ') ? endTime : `${endTime} 00:00:00`,
})

describe('the time of a report', () => {
  it('counts a report from the facts while no day is counted', () => {
    expect(divideTime([span('2026-03-01', '2026-03-08')], [])).toEqual({
      days: [],
      flow: [range('2026-03-01', '2026-03-08')],
      stock: [range(null, '2026-03-08')],
    })
  })
  it('leaves counted days, and days after the period, out of the counting of facts', () => {
    const countedDays = ['2026-02-27', '2026-02-28', '2026-03-02', '2026-03-03', '2026-03-06', '2026-03-09']
    expect(divideTime([span('2026-03-01', '2026-03-08')], countedDays)).toEqual({
      days: countedDays.slice(0, -1),
      flow: [range('2026-03-01', '2026-03-02'), range('2026-03-04', '2026-03-06'), range('2026-03-07', '2026-03-08')],
      stock: [
        range(null, '2026-02-27'),
        range('2026-03-01', '2026-03-02'),
        range('2026-03-04', '2026-03-06'),
        range('2026-03-07', '2026-03-08'),
      ],
    })
  })
  it('counts days from the facts that one of the periods cuts', () => {
    const spans = [span('2026-03-08', '2026-03-09 10:30:00.000'), span('2026-03-01', '2026-03-02 10:30:00.000')]
    expect(divideTime(spans, ['2026-03-01', '2026-03-02', '2026-03-08'])).toEqual({
      days: ['2026-03-01', '2026-03-08'],
      flow: [range('2026-03-02', '2026-03-02 10:30:00.000'), range('2026-03-09', '2026-03-09 10:30:00.000')],
      stock: [
        range(null, '2026-03-01'),
        range('2026-03-02', '2026-03-08'),
        range('2026-03-09', '2026-03-09 10:30:00.000'),
      ],
    })
  })
  it('joins periods that overlap', () => {
    expect(
      divideTime([span('2026-03-03', '2026-03-08'), span('2026-03-01', '2026-03-06')], ['2026-03-04']),
    ).toMatchObject({
      flow: [range('2026-03-01', '2026-03-04'), range('2026-03-05', '2026-03-08')],
    })
  })
  it('counts nothing in a period that has not begun', () => {
    expect(divideTime([span('2099-01-01', '2099-01-01')], ['2026-03-04'])).toMatchObject({
      days: ['2026-03-04'],
      flow: [],
    })
  })
  it('drops the shortest runs of counted days when there are many', () => {
    const countedDays = Array.from({ length: 60 }, (_value, index) =>
      new Date(Date.UTC(2026, 0, 1 + index * 2)).toISOString().slice(0, 10),
    )
    const longRun = ['2026-05-01', '2026-05-02', '2026-05-03']
    const { days, flow } = divideTime([span('2026-01-01', '2026-06-01')], [...countedDays, ...longRun])
    expect(flow.length).toBeLessThanOrEqual(24)
    expect(days.slice(-3)).toEqual(longRun)
  })
})
