/** Tests the tiles of the map and its figures (statistics §10, 4). */
import type { MapTile, ReportAnswer } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import regionsOfSeed from '../../seed/data/regions.json' with { type: 'json' }
import { buildRecord, buildDistrict, buildRegion, buildUser } from '../../testing/factories.ts'
import { buildConsultant } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { placeTiles } from './tiles.ts'

describe('tiles of the map', () => {
  it('places the regions of the country without a shared tile, the north-west above and left of the east', () => {
    const tiles = placeTiles(regionsOfSeed)
    expect(new Set(tiles.map(({ x, y }) => `${x} ${y}`)).size).toBe(regionsOfSeed.length)
    const tileOf = (code: string) => tiles[regionsOfSeed.findIndex((region) => region.slug === code)]
    const [west, eastTile, south] = [tileOf('karakalpakstan'), tileOf('fergana'), tileOf('surkhandarya')]
    expect(west?.x).toBeLessThan(eastTile?.x ?? 0)
    expect(west?.y).toBeLessThan(south?.y ?? 0)
  })
  it.each([0, 1, 2, 7, 23, 40])('gives each of %i points at one place a tile of its own', (count) => {
    const tiles = placeTiles(Array.from({ length: count }, () => ({ lat: 41, lng: 60 })))
    expect(new Set(tiles.map(({ x, y }) => `${x} ${y}`)).size).toBe(count)
    expect(tiles.every(({ x, y }) => x >= 0 && y >= 0)).toBe(true)
  })
})

describe('GET /api/statistics/map/regions', () => {
  const resourceApp = startResourceApp(async ({ database }) => {
    for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
  })
  const ids = { north: 0, south: 0, nowhere: 0, district: 0 }
  beforeAll(async () => {
    const { database } = resourceApp
    ids.north = await buildRegion(database, { name: 'North', lat: 43, lng: 59 })
    ids.south = await buildRegion(database, { name: 'South', lat: 38, lng: 67 })
    ids.nowhere = await buildRegion(database, { name: 'Nowhere' })
    ids.district = await buildDistrict(database, { name: 'Near', region: ids.north, lat: 42, lng: 60 })
    await buildDistrict(database, { name: 'Other', region: ids.south, lat: 38, lng: 67 })
    for (const region of [ids.north, ids.north, ids.south, ids.nowhere, null])
      await buildUser(database, 'authenticated', { region, ...(region === ids.north && { district: ids.district }) })
  })
  const readTiles = async (query = '') =>
    (await resourceApp.read<{ data: MapTile[] }>(`/statistics/map/regions${query}`)).data

  it('returns a tile and the users of each region with coordinates', async () => {
    const tiles = await readTiles()
    expect(tiles.map(({ id, name, users }) => [id, name, users])).toEqual([
      [ids.north, 'North', 2],
      [ids.south, 'South', 1],
    ])
  })
  it('adds the tiles of a map and the cases without a tile up to the report', async () => {
    const { data } = await resourceApp.read<ReportAnswer>('/statistics/people')
    const table = data.breakdowns.find(({ dim, metric }) => dim === 'region' && metric === 'users')
    const placedIds = new Set((await readTiles()).map(({ id }) => id))
    const sum = (rows: readonly { value: number | null }[]) =>
      rows.reduce((total, { value }) => total + (value ?? 0), 0)
    const onMap = sum(table?.rows.filter(({ id }) => typeof id === 'number' && placedIds.has(id)) ?? [])
    const unplacedCount =
      sum(table?.rows.filter(({ id }) => typeof id !== 'number' || !placedIds.has(id)) ?? []) +
      (table?.not_set?.value ?? 0)
    const [countRow] = await resourceApp.database.query(sql<{ on_map: number; off: number }>`
      select count(*) filter (where d.lat is not null)::int as on_map, count(*) filter (where d.lat is null)::int as off
        from users u join roles r on r.id = u.role_id and r.type = 'authenticated' left join regions d on d.id = u.region_id
       where not u.is_consultant`)
    expect(countRow?.on_map).toBe(3)
    expect([onMap, unplacedCount]).toEqual([countRow?.on_map, countRow?.off])
    expect(onMap + unplacedCount).toBe(data.metrics.find(({ key }) => key === 'users')?.value)
  })
  it('returns the districts of a region, and the report has their rows only then', async () => {
    expect((await readTiles(`?region=${ids.north}`)).map(({ id, users }) => [id, users])).toEqual([[ids.district, 2]])
    expect(await readTiles('?region=999999')).toEqual([])
    const dims = async (query: string) =>
      (await resourceApp.read<ReportAnswer>(`/statistics/people${query}`)).data.breakdowns.filter(
        ({ dim }) => dim === 'district',
      )
    expect(await dims('')).toEqual([])
    const [table] = await dims(`?filters[region]=${ids.north}`)
    expect(table?.rows.map(({ id, value }) => [id, value])).toEqual([[ids.district, 2]])
  })
  it('hides the number of users from consultants, and the map from everybody else', async () => {
    const consultant = await buildConsultant(resourceApp)
    const answer = await consultant.ask('GET', '/statistics/map/regions')
    expect(answer.body).toMatchObject({ data: [{ users: null }, { users: null }] })
    expect((await resourceApp.ask('GET', '/statistics/map/regions', undefined, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('GET', '/statistics/map/regions', undefined, 'public')).status).toBe(401)
  })
})
