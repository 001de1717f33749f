import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { verifyPassword } from '../resources/passwords.ts'
import { openTestDatabase } from '../testing/databases.ts'
import { generatePassword, seed, type SeedSettings } from './index.ts'

const demo: SeedSettings = { seed: 'demo', ownerEmail: 'owner@example.org' }

const tables = [
  'roles',
  'regions',
  'regions_texts',
  'districts',
  'districts_texts',
  'tags',
  'units',
  'genders',
  'news',
  'faqs',
  'about',
  'users',
  'revisions',
  'audit',
] as const
async function open() {
  const { database } = await openTestDatabase()
  const counts = async () => {
    const entries = await Promise.all(
      tables.map(async (table) => {
        const [row] = await database.query(
          sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`,
        )
        return [table, row?.count ?? -1] as const
      }),
    )
    return Object.fromEntries(entries)
  }
  return { database, counts }
}

// Some ten thousand statements: a loaded machine takes its time.
describe('the demo', { timeout: 120_000 }, () => {
  it('has what a visitor is promised, tells its passwords once, and changes nothing the second time', async () => {
    const { database, counts } = await open()
    const report = await seed(database, demo)
    const first = await counts()
    expect(first).toMatchObject({
      roles: 5,
      regions: 14,
      regions_texts: 56,
      districts: 206,
      districts_texts: 824,
      news: 12,
      faqs: 8,
      about: 1,
    })

    const [people] = await database.query(sql<{ consultants: number; kinds: number }>`
      select count(*) filter (where is_consultant)::int as consultants, count(distinct role_id)::int as kinds from users`)
    expect(people).toEqual({ consultants: 6, kinds: 4 })

    const [owner] = await database.query(
      sql<{ password: string }>`select password from users where email = 'owner@example.org'`,
    )
    expect(report.owner?.password).toHaveLength(16)
    expect(report.demo?.password).toHaveLength(16)
    expect(await verifyPassword(owner?.password ?? '', report.owner?.password ?? '')).toBe(true)

    const [placed] = await database.query(
      sql<{ count: number }>`select count(*)::int as count from districts where region_id is null`,
    )
    expect(placed?.count).toBe(0)

    expect(await seed(database, demo)).toEqual({ made: [] })
    expect(await counts()).toEqual(first)
  })
  it('goes on where it was cut off', async () => {
    const { database, counts } = await open()
    await database.script(`create function refuse() returns trigger language plpgsql as
      'begin if new.code = ''1710'' or new.id > 100 then raise exception ''cut off''; end if; return new; end';
      create trigger refuse before insert on districts for each row execute function refuse()`)
    await expect(seed(database, { ...demo, seed: 'reference' })).rejects.toThrow('cut off')
    await database.script('drop trigger refuse on districts; drop function refuse()')
    const half = await counts()
    expect(half.regions).toBe(14)
    expect(half.districts).toBeLessThan(206)
    await seed(database, { ...demo, seed: 'reference' })
    expect(await counts()).toMatchObject({ regions: 14, regions_texts: 56, districts: 206, districts_texts: 824 })
  })
})

describe('a seed without content', () => {
  it('makes the roles and the owner with the password of the settings', async () => {
    const { database, counts } = await open()
    const report = await seed(database, {
      seed: 'none',
      ownerEmail: 'boss@example.org',
      ownerPassword: 'given-by-hand',
    })
    expect(report).toEqual({ made: ['roles'], owner: { email: 'boss@example.org', password: undefined } })
    expect(await counts()).toMatchObject({ roles: 5, regions: 0, users: 1, news: 0 })
  })
})

describe('generated passwords', () => {
  it('are 16 letters and digits, and no two alike', () => {
    const passwords = Array.from({ length: 50 }, generatePassword)
    expect(passwords.every((password) => /^[a-zA-Z2-9]{16}$/.test(password))).toBe(true)
    expect(new Set(passwords).size).toBe(50)
  })
})
