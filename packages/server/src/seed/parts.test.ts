import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { resourceNamed } from '../resources/attributes.ts'
import { openTestDatabase } from '../testing/databases.ts'
import { partNames, seed, type SeedSettings } from './index.ts'
import { referenceLists } from './lists.ts'
import { partsOf } from './parts.ts'
import { fieldsOf } from './records.ts'
import { generatePassword } from './seed-settings.ts'

const reference: SeedSettings = { seed: 'reference', ownerEmail: 'owner@example.org' }
const bareSettings: SeedSettings = { ...reference, seed: 'none' }

async function countRows(database: Database): Promise<Record<string, number> | undefined> {
  const tables = ['roles', 'regions', 'regions_texts', 'districts', 'districts_texts', 'units', 'users', 'news']
  const counts = tables.map((table) => sql`(select count(*)::int from ${sql.table(table)}) as ${sql.ref(table)}`)
  const [row] = await database.query(sql<Record<string, number>>`select ${sql.join(counts)}`)
  return row
}

describe('partNames', () => {
  it.each(['none', 'reference', 'samples', 'demo'] as const)(
    'lists every part of the seed setting %s in its order',
    (name) => {
      const parts = partsOf({ ...bareSettings, seed: name }, { filledParts: [] })
      expect(parts.map(([partName]) => partName)).toEqual(partNames[name])
    },
  )
})

describe('the reference lists', { timeout: 120_000 }, () => {
  it('seeds a reference list after the lists that it links to', () => {
    const names = referenceLists().map(([name]) => name)
    const isEarlierPart = (earlierName: string, laterName: string) =>
      names.indexOf(earlierName) < names.indexOf(laterName)
    expect(isEarlierPart('regions', 'districts')).toBe(true)
    expect(isEarlierPart('productcategories', 'products')).toBe(true)
    expect(isEarlierPart('units', 'products')).toBe(true)
  })

  it('seeds reference lists without samples on request, and continues after an interruption', async () => {
    const { database } = await openTestDatabase()
    await database.script(`create function refuse() returns trigger language plpgsql as
      'begin if new.code = ''1710'' or new.id > 100 then raise exception ''cut off''; end if; return new; end';
      create trigger refuse before insert on districts for each row execute function refuse()`)
    await expect(seed(database, reference)).rejects.toThrow('cut off')
    await database.script('drop trigger refuse on districts; drop function refuse()')
    const halfCounts = await countRows(database)
    expect(halfCounts).toMatchObject({ regions: 14, regions_texts: 56, units: 17, districts: 0, users: 0 })
    const { filledParts } = await seed(database, reference)
    expect(filledParts).toEqual(['list districts'])
    expect(await countRows(database)).toMatchObject({
      regions: 14,
      districts: 206,
      districts_texts: 824,
      users: 1,
      news: 0,
    })
  })

  it('uses an existing record of a user as a seeded list item', async () => {
    const { database } = await openTestDatabase()
    await seed(database, bareSettings)
    await database.script(`insert into units (code, name) values ('kg', '{"ru": "кг"}')`)
    await seed(database, reference)
    expect(await countRows(database)).toMatchObject({ units: 17 })
  })
})

describe('a record of the data files', () => {
  it('refuses a key of a data file that would be lost', () => {
    const tags = resourceNamed('tags')
    expect(fieldsOf(tags, { slug: 'wheat', order: 3, name: { ru: 'Пшеница' } })).toEqual({
      slug: { en: 'wheat' },
      name: { ru: 'Пшеница' },
    })
    expect(() => fieldsOf(tags, { slug: 'wheat', colour: '#aa0000' })).toThrow('"colour"')
  })
})

describe('a seed without content', () => {
  it('creates the roles and the owner with the password of the settings', async () => {
    const { database } = await openTestDatabase()
    const report = await seed(database, {
      seed: 'none',
      ownerEmail: 'boss@example.org',
      ownerPassword: 'given-by-hand',
    })
    expect(report).toEqual({ filledParts: ['roles'], owner: { email: 'boss@example.org', password: undefined } })
    expect(await countRows(database)).toMatchObject({ roles: 5, regions: 0, users: 1, news: 0 })
  })
})

describe('two servers that start together', () => {
  it('seeds a database once when two servers start at the same time', async () => {
    const { database } = await openTestDatabase()
    const reports = await Promise.all([seed(database, bareSettings), seed(database, bareSettings)])
    expect(reports.flatMap(({ filledParts }) => filledParts)).toEqual(['roles'])
    expect(reports.filter(({ owner }) => owner)).toHaveLength(1)
    expect(await countRows(database)).toMatchObject({ roles: 5, users: 1 })
  })
})

describe('generated passwords', () => {
  it('generates passwords of 16 letters and digits, all of them different', () => {
    const passwords = Array.from({ length: 50 }, generatePassword)
    expect(passwords.every((password) => /^[a-zA-Z2-9]{16}$/.test(password))).toBe(true)
    expect(new Set(passwords).size).toBe(50)
  })
})
