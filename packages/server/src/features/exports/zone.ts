/** Reads days and times of zones from the database, which knows their rules. */
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { badParameter } from '../../resources/read/context.ts'
import type { Clock } from '../../domain/files/sheet/cells.ts'

/** Error code of PostgreSQL for a zone that does not exist. */
const invalidValue = '22023'
const zoneNamePattern = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/

/**
 * Reads the present day in a zone, `YYYY-MM-DD`.
 *
 * @throws 400 for a zone that does not exist.
 */
export async function readDayInZone(queries: Queries, zone: string): Promise<string> {
  if (!zoneNamePattern.test(zone)) throw badParameter('timeZone')
  try {
    const [row] = await queries.query(
      sql<{ day: string }>`select to_char(now() at time zone ${zone}::text, 'YYYY-MM-DD') as day`,
    )
    return row?.day ?? ''
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === invalidValue) throw badParameter('timeZone')
    throw error
  }
}

/** Creates a clock of a zone for the given moments, with one statement for all of them. */
export async function readZoneClock(queries: Queries, zone: string, moments: readonly string[]): Promise<Clock> {
  if (moments.length === 0) return () => undefined
  const rows = await queries.rows({
    sql: `select (extract(epoch from (moment::timestamptz at time zone $1::text)) * 1000)::float8
            from unnest($2::text[]) with ordinality as given(moment, place) order by place`,
    parameters: [zone, moments],
  })
  const offsetsByMoment = new Map(moments.map((moment, index) => [moment, Number(rows[index]?.[0])]))
  return (moment) => offsetsByMoment.get(moment)
}
