import { expect, it } from 'vitest'
import { quietMinutesLeft } from './quiet-hours.ts'

const hours = (quietFrom: string | null, quietTo: string | null) => ({ quietFrom, quietTo })

it('supports quiet hours that pass midnight', () => {
  const nightHours = hours('22:00', '07:30')
  expect([21, 22, 23, 0, 7].map((hour) => quietMinutesLeft(nightHours, hour * 60))).toEqual([0, 570, 510, 450, 30])
  expect(quietMinutesLeft(nightHours, 7 * 60 + 30)).toBe(0)
})

it('supports quiet hours within a day, and no quiet hours without both ends', () => {
  expect(quietMinutesLeft(hours('12:00', '13:00'), 12 * 60 + 59)).toBe(1)
  expect(quietMinutesLeft(hours('12:00', '13:00'), 13 * 60)).toBe(0)
  expect(quietMinutesLeft(hours('22:00', null), 23 * 60)).toBe(0)
  expect(quietMinutesLeft(hours('22:00', '22:00'), 22 * 60)).toBe(0)
})
