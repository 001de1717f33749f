/** Reads the tiles of the map of regions, or of the districts of one, with their users (statistics §6). */
import { type Caller, type Locale, type MapTile, rankOfRole } from '@dala/model'
import type { Queries } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { languageOrder } from '../../resources/read/sql-entry.ts'
import { placeTiles } from './tiles.ts'

interface Area {
  id: number
  name: string | null
  lat: number
  lng: number
  users: number
}

/** The query of the map: the language of names, and a region for its districts. */
export interface MapQuery {
  region?: number | undefined
  locale?: Locale | undefined
}

/**
 * Reads the tiles of the map.
 *
 * @param runner - The database.
 * @param query - The language of names, and a region for its districts.
 * @param caller - The caller; consultants do not see the number of users.
 */
export async function readMapTiles(
  runner: Pick<Queries, 'query'>,
  { region, locale = 'en' }: MapQuery,
  caller: Caller,
): Promise<MapTile[]> {
  const isDistricts = region !== undefined
  const [table, texts, column] = isDistricts
    ? [sql`districts`, sql`districts_texts`, sql`u.district_id`]
    : [sql`regions`, sql`regions_texts`, sql`u.region_id`]
  const areaCondition = isDistricts
    ? sql`d.region_id = (select t.document_id from regions_texts t where t.id = ${region}::int)`
    : sql`true`
  const areas = await runner.query(sql<Area>`
    with people as (
      select ${column} as area, count(*)::int as n from users u join roles r on r.id = u.role_id and r.type = 'authenticated'
       where u.removed_at is null and not u.is_consultant group by ${column})
    select named.id, named.name, d.lat::float8 as lat, d.lng::float8 as lng, coalesce(p.n, 0) as users
      from ${table} d
     cross join lateral (
       select t.id, t.name from ${texts} t where t.document_id = d.id order by ${languageOrder(sql`t.locale`, undefined, locale)} limit 1) named
      left join people p on p.area = d.id
     where ${areaCondition} and d.lat is not null and d.lng is not null
     order by d."order", d.id`)
  const tiles = placeTiles(areas)
  const seesUsers = rankOfRole(caller.role) >= rankOfRole('admin')
  return areas.map(({ id, name, users }, index) => ({
    id,
    name,
    ...(tiles[index] ?? { x: 0, y: 0 }),
    users: seesUsers ? users : null,
  }))
}
