import { sql } from '../db/sql.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { documentTable, textTable } from '../db/schema.ts'
import { resourceNamed, resources } from '../resources/attributes.ts'
import { verifyPassword } from '../domain/accounts/passwords.ts'
import { openTestApp, tokenOf } from '../testing/app.ts'
import { openTestDatabase } from '../testing/databases.ts'
import { testPassword } from '../testing/factories.ts'
import additions from './data/additions.json' with { type: 'json' }
import districts from './data/districts.json' with { type: 'json' }
import reference from './data/reference.json' with { type: 'json' }
import regions from './data/regions.json' with { type: 'json' }
import reports from './data/statistics.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import { Calendar } from './calendar.ts'
import { seed, type SeedReport, type SeedSettings } from './index.ts'
import type { SeedRecord } from './records.ts'

const demo: SeedSettings = { seed: 'samples', day: '2026-04-05', ownerEmail: 'owner@example.org' }

const { deliveryTypes: _labels, ...lists } = reference
const { _meta, priceList: _rule, chats, ...sampleLists } = samples

/** Every list of the data files by the collection that it fills. */
const filledRecords: Readonly<Record<string, readonly SeedRecord[]>> = {
  regions,
  districts,
  ...lists,
  ...reports,
  ...sampleLists,
  ...additions,
}

/** Counts the entries of the records of a localized list: one for each language of a record. */
function entriesOf(records: readonly SeedRecord[]): number {
  const languagesOf = (record: SeedRecord) =>
    new Set(
      Object.values(record).flatMap((value) =>
        typeof value === 'object' && value !== null && 'ru' in value ? Object.keys(value) : [],
      ),
    )
  return records.map((record) => languagesOf(record).size).reduce((sum, size) => sum + size, 0)
}

/** Counts the rows of all tables of the model, the history and the marks. */
async function countRows(database: Database): Promise<Record<string, number>> {
  const tables = Object.values(resources).flatMap((resource) =>
    resource.localized ? [documentTable(resource), textTable(resource)] : [documentTable(resource)],
  )
  const allTables = [...new Set(tables), 'revisions', 'audit', 'seeds', 'chat_reads', 'room_changes']
  const counts = allTables.map(
    (table) => sql`select ${sql.lit(table)} as name, count(*)::int as count from ${sql.table(table)}`,
  )
  const rows = await database.query(sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

// The seed runs some ten thousand statements, which take long on a loaded machine.
describe('the samples', { timeout: 120_000 }, () => {
  let database: Database
  let report: SeedReport
  let count: Record<string, number>
  let readPath: (path: string) => Promise<{ data: { attributes: Record<string, unknown> }[]; meta: ListMeta }>
  interface ListMeta {
    pagination: { total: number }
  }
  /** Reads one number from the database by an SQL statement. */
  const number = async (query: string): Promise<number> =>
    Number((await database.rows({ sql: query, parameters: [] }))[0]?.[0])

  beforeAll(async () => {
    const openedApp = await openTestApp()
    database = openedApp.database
    report = await seed(database, { ...demo, ownerPassword: testPassword })
    count = await countRows(database)
    const token = await tokenOf(openedApp.app, 'owner')
    readPath = async (path) => {
      const answer = await openedApp.app.inject({ url: `/api/${path}`, headers: { authorization: `Bearer ${token}` } })
      if (answer.statusCode !== 200) throw new Error(`${path} was refused: ${answer.body}`)
      return answer.json()
    }
    return () => openedApp.app.close()
  }, 180_000)

  it.each(Object.keys(filledRecords))('seeds all sample records of %s in all their languages', (name) => {
    const resource = resourceNamed(name)
    const records = filledRecords[name] ?? []
    const entries = resource.localized ? entriesOf(records) : undefined
    expect(count[documentTable(resource)]).toBe(records.length)
    expect(count[textTable(resource)]).toBe(entries)
  })

  it('seeds each part of a sample course in its languages', () => {
    const groups = samples.courses.flatMap(({ lessongroups }) => lessongroups)
    const lessons = groups.flatMap((group) => group.lessons)
    expect(count).toMatchObject({
      lessongroups: groups.length,
      lessongroups_texts: entriesOf(groups),
      lessons: lessons.length,
      lessons_texts: entriesOf(lessons),
    })
  })

  it('seeds an account for each role and each person of the conversations, and reports their password once', async () => {
    expect(count.users).toBe(4 + 12)
    expect(report.owner).toEqual({ email: 'owner@example.org', password: undefined })
    expect(report.demo?.emails).toHaveLength(15)
    expect(report.demo?.password).toHaveLength(16)
    const [person] = await database.query(
      sql<{ password: string }>`select password from users where email = ${report.demo?.emails[14]}`,
    )
    expect(await verifyPassword(person?.password ?? '', report.demo?.password ?? '')).toBe(true)
    expect(await number('select count(distinct role_id) from users')).toBe(4)
    expect(
      await number('select count(*) from users where is_consultant and region_id is not null and language is not null'),
    ).toBe(6)
    expect(
      await number(`select count(*) from consultantcategories_consultants l join users u on u.id in (l.holder_id, l.target_id)
        where u.is_consultant`),
    ).toBeGreaterThanOrEqual(6)
  })

  it.each([
    ['districts', 'region_id'],
    ['products', 'productcategory_id, unit_id'],
    ['branches', 'region_id, district_id'],
    ['companies', 'companycategory_id, region_id, district_id'],
    ['courses', 'coursecategory_id, coursetype_id, author_id, published_at'],
    ['lessongroups', 'course_id'],
    ['lessons', 'course_id, lessongroup_id'],
    ['attachments', 'course_id'],
    ['tradinposts', 'tradingposttype_id, tradingpostcategory_id, product_id, unit_id, region_id, district_id, user_id'],
    ['consultations', 'category_id, user_id, region_id, district_id, language'],
    ['chatrooms', 'sender_id, receiver_id, assignee_id, region_id, category_id, last_message'],
    ['pricedates', 'published_at, published_by_id'],
    ['pricelists', 'region_id, author_id, price'],
  ])('seeds no sample in %s without %s', async (table, columns) => {
    expect(await number(`select count(*) from ${table} where num_nulls(${columns}) > 0`)).toBe(0)
  })

  it('seeds the lists of links of the data files', async () => {
    const linkedCodes = (listField: 'directions' | 'delivery_regions') =>
      samples.companies.flatMap((company) => company[listField]).length
    const tags = samples.news.flatMap((item) => item.tags).length
    expect(await number('select count(*) from companies_directions')).toBe(linkedCodes('directions'))
    expect(await number('select count(*) from companies_delivery_regions')).toBe(linkedCodes('delivery_regions'))
    expect(await number('select count(*) from news_tags')).toBe(tags)
  })

  it('seeds the times, days of the week and states of the data files', async () => {
    const moveDate = new Calendar('2026-04-05').mover(samples.tradinposts.map((samplePost) => samplePost.createdAt))
    const [post] = samples.tradinposts
    const { data } = await readPath(
      `tradinposts?locale=ru&pagination[pageSize]=100&fields[0]=title&fields[1]=status&fields[2]=createdAt&fields[3]=updatedAt`,
    )
    const stateOf = new Map(samples.tradinposts.map(({ title, status }) => [title.ru, status]))
    expect(new Map(data.map(({ attributes }) => [attributes.title, attributes.status]))).toEqual(stateOf)
    // A sample post is moved by whole weeks with the newest post, so its day of the week and time stay.
    const createdAt = moveDate(post?.createdAt ?? '')
    const storedPost = data.find(({ attributes }) => attributes.title === post?.title.ru)
    expect(storedPost?.attributes).toMatchObject({ status: post?.status, createdAt, updatedAt: createdAt })
    expect(
      await number(`select count(*) from tradinposts where status = 'processed' and not expires_at > '2026-04-30'`),
    ).toBe(0)
  })

  it('seeds published courses that have not changed since their publication', async () => {
    const { data } = await readPath(
      'courses?locale=ru&fields[0]=state&fields[1]=changed_since_publish&fields[2]=duration_minutes',
    )
    expect(data).toHaveLength(samples.courses.length)
    for (const { attributes } of data) {
      expect(attributes).toMatchObject({ state: 'published', changed_since_publish: false })
      expect(attributes.duration_minutes).toBeGreaterThan(0)
    }
  })

  it('seeds 13 published days with a price for each product in each district', async () => {
    const { data } = await readPath('pricedates?sort=date&pagination[pageSize]=100&fields[0]=date&fields[1]=state')
    const mondays = Array.from({ length: 13 }, (_, week) => new Date(Date.UTC(2026, 0, 5 + 7 * week)).toISOString())
    expect(data.map(({ attributes }) => attributes.date)).toEqual(mondays.map((day) => day.slice(0, 10)))
    expect(data.every(({ attributes }) => attributes.state === 'published')).toBe(true)
    expect(count.pricelists).toBe(2_340)
    expect(await number('select count(distinct (product_id, district_id)) from pricelists')).toBe(180)

    const [row] = await database.query(sql<{ low: number; high: number; base: number | null; sum: number }>`
      select min(l.price) filter (where p.slug = 'potato') as low, max(l.price) filter (where p.slug = 'potato') as high,
             max(price_base / l.price) filter (where p.slug = 'eggs') as base, sum(l.price) as sum
        from pricelists l join products p on p.id = l.product_id`)
    // Prices range from a tenth below the samples to 15 percent above, rounded to 50; eggs are sold by ten.
    expect(row?.low).toBeGreaterThanOrEqual(3_800 * 0.9 - 50)
    expect(row?.high).toBeLessThanOrEqual(8_000 * 1.15 + 50)
    expect(row?.base).toBeCloseTo(0.1, 5)
    const joinSoldUnit = sql`join products p on p.id = l.product_id join units u on u.id = l.unit_id`
    const deviantRows = await database.query(sql`select 1 from pricelists l ${joinSoldUnit}
      where l.price_base is distinct from round(l.price / u.factor, 4) or l.origin <> 'entered' or l.state <> 'ok'`)
    expect(deviantRows).toEqual([])
  })

  it('seeds each sample consultation in its status', async () => {
    const { data } = await readPath('consultations?pagination[pageSize]=100&fields[0]=question&fields[1]=status')
    const statuses = new Map(data.map(({ attributes }) => [attributes.question, attributes.status]))
    expect(statuses).toEqual(new Map(samples.consultations.map(({ question, status }) => [question, status])))
    const calendar = new Calendar('2026-04-05')
    const moveDate = calendar.mover(samples.consultations.map((sampleQuestion) => sampleQuestion.createdAt))
    for (const { question, createdAt, answeredAfterMinutes } of samples.consultations) {
      const [row] = await database.query(sql<{ after: number | null; asked: string }>`
        select extract(epoch from answered_at - created_at) / 60 as after, created_at as asked
          from consultations where question = ${question}`)
      expect(row?.after).toEqual(answeredAfterMinutes)
      const askedAt = row?.asked ?? ''
      const isMoved = askedAt === moveDate(createdAt)
      expect(isMoved || Date.parse(askedAt) > Date.parse(calendar.before(5, '00:00'))).toBe(true)
    }
  })

  it('seeds each conversation with its messages in order, and counts unread ones', async () => {
    expect(count).toMatchObject({
      chatrooms: 6,
      chatmessages: chats.flatMap(({ messages }) => messages).length,
      chat_reads: 12,
    })
    expect(count.room_changes).toBe(count.chatmessages)
    for (const { consultant, messages, unread_message } of chats) {
      const [room] = await database.query(sql<Record<string, unknown>>`
        select r.revision as rev, (select string_agg(text, '|' order by seq) from chatmessages where room_id = r.id) as texts,
               r.last_message ->> 'text' as last, r.waiting_since is not null as waits,
               (select count(*)::int from chatmessages m where m.room_id = r.id and m.sender_id = r.sender_id and m.seq > c.last_read_seq) as unread,
               (select count(*)::int from chatmessages m where m.room_id = r.id and not m.seen) as unseen
          from chatrooms r join users u on u.id = r.receiver_id and u.name = ${consultant.split(' ')[0]}
          join chat_reads c on c.room_id = r.id and c.user_id = u.id`)
      expect(room).toEqual({
        rev: messages.length,
        texts: messages.map(({ text }) => text).join('|'),
        last: messages.at(-1)?.text,
        waits: unread_message > 0,
        unread: unread_message,
        unseen: unread_message,
      })
    }
  })

  it('seeds the same content on the same day in another database', async () => {
    const tables = [
      'news',
      'companies',
      'tradinposts',
      'pricedates',
      'pricelists',
      'consultations',
      'chatrooms',
      'chatmessages',
    ]
    const contentOf = async (seededDatabase: Database) => {
      const hashes: unknown[] = []
      for (const table of tables) {
        const text = `select md5(string_agg(t::text, ',' order by t.id)) from ${table} t`
        hashes.push([table, await seededDatabase.rows({ sql: text, parameters: [] })])
      }
      return hashes
    }
    // The databases of a worker are one database, which is emptied when it is opened again.
    const contentBefore = await contentOf(database)
    const { database: otherDatabase } = await openTestDatabase()
    expect(await contentOf(otherDatabase)).not.toEqual(contentBefore)
    await seed(otherDatabase, demo)
    expect(await contentOf(otherDatabase)).toEqual(contentBefore)
  })

  it('changes nothing when the samples are seeded again', async () => {
    const countsBefore = await countRows(database)
    expect(await seed(database, demo)).toEqual({ filledParts: [] })
    expect(await countRows(database)).toEqual(countsBefore)
  })
})
