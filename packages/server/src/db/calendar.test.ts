import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError } from '../settings.ts'
import { testCalendar, testDatabaseWith } from '../testing/databases.ts'
import { calendarOf, setZone, zonedMoment, zoneSql } from './calendar.ts'
import type { Queries } from './database.ts'
import { compileTemplate, sql } from './sql.ts'

const zones = ['Pacific/Kiritimati', 'Etc/GMT+12']
const zoneQuery = sql<{ zone: string }>`select ${1}::int as one, ${zoneSql} as zone`
const readZone = async (queries: Queries) => (await queries.query(zoneQuery))[0]?.zone
const lastColumnIn = async (queries: Queries) => {
  const texts: unknown[] = []
  await queries.forEachRow(compileTemplate(zoneQuery), (row) => texts.push(row.text(1)))
  return texts[0]
}

describe('the zone of a statement', () => {
  it.each(zones)('runs every statement in the time zone %s of the calendar, however it is sent', async (zone) => {
    const database = await testDatabaseWith(testCalendar(zone))
    const transactionZones = await database.transaction(async (trx) => [
      await readZone(trx),
      await lastColumnIn(trx),
      trx.calendar.zone,
    ])
    const lastZone = await database.transaction(
      () => Promise.resolve(),
      (_done, queries) => readZone(queries),
    )
    const foundZones = [await readZone(database), await lastColumnIn(database), ...transactionZones, lastZone]
    expect(new Set(foundZones)).toEqual(new Set([zone]))
  })

  it('leaves a statement without the time zone unchanged', () => {
    const statement = { sql: 'select $1', parameters: [1] }
    expect(setZone(statement, testCalendar())).toBe(statement)
    expect(setZone(compileTemplate(zoneQuery), testCalendar('UTC'))).toEqual({
      ...compileTemplate(zoneQuery),
      parameters: [1, 'UTC'],
    })
  })
})

describe('a local time in the zone', () => {
  it.each([
    ['a usual time', 'Asia/Tashkent', '2026-11-29 15:20:00.073'],
    ['midnight', 'Asia/Tashkent', '2026-11-29 00:00:00'],
    ['a day alone', 'Asia/Tashkent', '2026-11-29'],
    ['a time that the clock skips', 'Europe/Berlin', '2026-03-29 02:30:00'],
    ['a time that the clock repeats', 'Europe/Berlin', '2026-10-25 02:30:00'],
    ['a zone without a place', 'UTC', '2026-11-29 15:20:00'],
    ['a zone with a sign', 'Etc/GMT+5', '2026-11-29 15:20:00'],
  ])('is the moment to which PostgreSQL converts %s in %s', async (_time, zone, localTime) => {
    const database = await testDatabaseWith(testCalendar(zone))
    const [row] = await database.query(sql<{ same: boolean }>`
      select ${zonedMoment(localTime)} = (${localTime}::text::timestamp at time zone ${zoneSql}) as same`)
    expect(row?.same).toBe(true)
  })
})

describe('a calendar', () => {
  it('gives a calendar the defaults of a server without settings', () => {
    const { zone, workingHours } = calendarOf()
    expect({ zone, workingHours }).toEqual({ zone: 'Asia/Tashkent', workingHours: readSettings({}).workingHours })
  })

  it('refuses a time zone that does not exist', () => {
    expect(() => calendarOf(readSettings({ TIME_ZONE: 'Mars/Base' }))).toThrow(SettingsError)
  })
})
