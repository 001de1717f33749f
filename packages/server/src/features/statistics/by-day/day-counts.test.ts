/** Compares answers that are put together from counted days with answers that are counted from the facts alone. */
import { expect, it } from 'vitest'
import { sql, type Template } from '../../../db/sql.ts'
import { countDays } from '../../../testing/counted-days.ts'
import { buildReportWorld } from '../../../testing/report-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { dayMeasures, nameOfDayCounts } from './definitions.ts'
import { DayRecount } from './recount.ts'

/** Adds rooms with two conversations each, the second one open in every third room. */
const addRooms = sql`
  with room as (
    insert into chatrooms (state, sender_id, receiver_id, region_id, category_id, language, episode, created_at, waiting_since, due_at)
    select case when n % 3 = 0 then 'open' else 'closed' end, people.ids[1 + n], case when n % 2 = 0 then helpers.ids[1 + n % 3] end,
           places.ids[1 + n % 2], topics.ids[1 + n % 2], (array['ru', 'kaa'])[1 + n % 2], 2, at.first,
           case when n % 3 = 0 then at.first + interval '4 days' end, case when n % 3 = 0 then at.first + interval '4 days 2 hours' end
      from generate_series(0, 8) n
     cross join lateral (select '2025-03-20T03:00:00Z'::timestamptz + n * interval '3 days 7 hours' as first) at
     cross join (select array_agg(id order by id) as ids from users where not is_consultant) people
     cross join (select array_agg(id order by id) as ids from users where is_consultant) helpers
     cross join (select array_agg(id order by id) as ids from regions) places
     cross join (select array_agg(id order by id) as ids from consultationcategories) topics
    returning *),
  step as (
    insert into room_steps (room_id, episode, action, owner_id, region_id, category_id, language, created_at)
    select r.id, e.episode, e.action, r.receiver_id, r.region_id, r.category_id, r.language, r.created_at + e.after
      from room r cross join (values (1, 'open', interval '0'), (1, 'close', interval '30 hours'),
        (2, 'open', interval '4 days'), (2, 'close', interval '5 days')) as e(episode, action, after)
     where r.state = 'closed' or e.episode = 1 or e.action = 'open'
     order by r.id, e.after)
  insert into room_replies (room_id, episode, consultant_id, asked_at, due_at, replied_at, wall_seconds, working_seconds, target_minutes, first, breached, region_id, category_id, language)
  select r.id, 1, coalesce(r.receiver_id, (select min(id) from users where is_consultant)), r.created_at, r.created_at + interval '3 hours',
         r.created_at + interval '26 hours' + r.id * interval '7 seconds', 93600 + r.id * 7, 7200 + r.id * 7, 180, true, true, r.region_id, r.category_id, r.language
    from room r`

let regions: readonly number[] = []
let categories: readonly number[] = []
let consultants: readonly number[] = []
const resourceApp = startResourceApp(async (startedApp) => {
  ;({ regions, categories, consultants } = await buildReportWorld(startedApp))
  await startedApp.database.query(addRooms)
})
const run = (template: Template<unknown>) => resourceApp.database.query(template)

/** Figures of the present moment, which differ between two answers. */
const passing = new Set(['oldest_wait', 'waiting', 'untouched', 'published'])
const withoutPassing = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_key, value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      (('key' in value && passing.has(String(value.key))) || ('metric' in value && passing.has(String(value.metric))))
        ? null
        : value,
    ),
  )

const ask = async (address: string) =>
  withoutPassing((await resourceApp.read<{ data: unknown }>(`/statistics/${address}`)).data)

/** Answers an address without the counted days. */
async function askFacts(address: string): Promise<unknown> {
  await run(sql`update report_days set made_by = 'facts'`)
  const answer = await ask(address)
  await run(sql`update report_days set made_by = ${nameOfDayCounts(resourceApp.database.calendar)}`)
  return answer
}

const quarter = 'from=2025-03-01&to=2025-05-31'
const addresses = () => [
  ...['overview', 'consultations', 'consultants', 'prices', 'people'].flatMap((key) => [
    `${key}?${quarter}`,
    `${key}?from=2025-04-10&to=2025-04-16&interval=day&compare=weekday`,
    `${key}?from=2024-06-01&to=2026-03-01&compare=year`,
    `${key}?${quarter}&filters[region]=${regions[0]}`,
  ]),
  `consultations?${quarter}&hours=wall&interval=week`,
  `consultations?${quarter}&filters[category]=${categories[1]}`,
  `consultations?${quarter}&filters[consultant]=${consultants[0]}`,
  `consultants?${quarter}&filters[consultant]=${consultants[1]}`,
  ...['consultations', 'consultants', 'people'].map((key) => `${key}?${quarter}&filters[locale]=ru`),
  `prices?${quarter}&filters[district]=1`,
  `consultants?${quarter}&hours=wall&filters[category]=${categories[0]}`,
]

async function expectSame(reportAddresses: readonly string[]) {
  for (const address of reportAddresses)
    expect([address, await ask(address)]).toEqual([address, await askFacts(address)])
}

const countMarks = async () =>
  (await resourceApp.database.query(sql<{ n: number }>`select count(*)::int as n from report_marks`))[0]?.n

it('answers from counted days exactly as from the facts', async () => {
  const recount = new DayRecount(resourceApp.database)
  expect(await countDays(recount)).toBeGreaterThan(100)
  expect(await countMarks()).toBe(0)
  const storedMeasures = await resourceApp.database.query(
    sql<{ measure: string }>`select distinct measure from report_counts`,
  )
  const names = (['desk', 'prices'] as const).flatMap((subject) =>
    dayMeasures(subject).map(({ measure }) => measure.key),
  )
  // The world of the tests has no ratings, hand-overs, later replies and reopened cases.
  const missingNames = names.filter((name) => !storedMeasures.some(({ measure }) => measure === name))
  expect(missingNames.filter((name) => !/rated|handovers|reopened|next_replies/.test(name))).toEqual([])
  await expectSame(addresses())
  expect(await recount.check()).toEqual([])
})

const pastMomentSql = sql`'2025-04-15T06:00:00Z'::timestamptz`
const someone = sql`(select max(id) from users where is_consultant)`
const question = sql`(select max(id) from consultations where created_at < ${pastMomentSql} and not recorded)`
const room = sql`(select min(id) from chatrooms)`
const price = sql`(select p.id from pricelists p join pricedates d on d.id = p.pricedate_id where d.date = '2025-04-01' order by p.id limit 1)`

/** SQL that finishes questions later or earlier than they were. */
const moveFinish = (questions: Template<unknown>, intervalSql: Template<unknown>) => sql`
  with moved as (
    update consultations set finished_at = finished_at + ${intervalSql} where id in (${questions}) and finished_at is not null returning id, finished_at)
  update consultation_steps s set created_at = m.finished_at from moved m where m.id = s.consultation_id and s.action = 'finish'`

const lateChanges: readonly [string, Template<unknown>][] = [
  [
    'a question of a past day',
    sql`insert into consultations (question, region_id, created_at, turn) select 'late', (select min(id) from regions), ${pastMomentSql}, 1`,
  ],
  [
    'another region of a question',
    sql`update consultations set region_id = (select max(r.id) from regions r where r.id is distinct from region_id) where id = ${question}`,
  ],
  ['another consultant of a question', sql`update consultations set consultant_id = ${someone} where id = ${question}`],
  [
    'an earlier finish',
    sql`insert into consultation_steps (consultation_id, action, turn, created_at) select ${question}, 'finish', 1, ${pastMomentSql}`,
  ],
  [
    'a changed step',
    moveFinish(
      sql`select min(consultation_id) from consultation_steps where action = 'finish'`,
      sql`interval '2 days'`,
    ),
  ],
  [
    'a hand-over',
    sql`insert into consultation_steps (consultation_id, action, turn, from_user_id, to_user_id, created_at)
    select ${question}, 'assign', 1, ${someone}, (select min(id) from users where is_consultant), ${pastMomentSql}`,
  ],
  [
    'a reply credited to a past day',
    sql`insert into consultation_replies (consultation_id, turn, consultant_id, asked_at, due_at, replied_at, wall_seconds, working_seconds, target_minutes, first, breached)
    select ${question}, 0, ${someone}, ${pastMomentSql}, ${pastMomentSql} + interval '1 hour', ${pastMomentSql} + interval '2 days', 172800, 777, 60, true, true`,
  ],
  [
    'a reply of another person',
    sql`update consultation_replies set consultant_id = ${someone}, working_seconds = 31 where id = (select min(id) from consultation_replies)`,
  ],
  ['a removed reply', sql`delete from consultation_replies where id = (select max(id) from consultation_replies)`],
  [
    'a rating',
    sql`insert into consultation_ratings (consultation_id, score, consultant_id, created_at) select ${question}, 1, ${someone}, ${pastMomentSql} on conflict (consultation_id) do update set score = 1`,
  ],
  [
    'a later step of a conversation',
    sql`insert into room_steps (room_id, episode, action, region_id, created_at) select ${room}, 1, 'reopen', (select max(id) from regions), ${pastMomentSql}`,
  ],
  [
    'a step that freezes another region',
    sql`insert into room_steps (room_id, episode, action, region_id, created_at) select ${room}, 1, 'close', (select max(id) from regions), ${pastMomentSql} + interval '1 day'`,
  ],
  [
    'another region of an open room',
    sql`update chatrooms set region_id = null, assignee_id = ${someone} where state = 'open'`,
  ],
  [
    'a reply in a room',
    sql`insert into room_replies (room_id, episode, consultant_id, asked_at, due_at, replied_at, wall_seconds, working_seconds, target_minutes, first, breached)
    select ${room}, 2, ${someone}, ${pastMomentSql}, ${pastMomentSql} + interval '1 hour', ${pastMomentSql} + interval '40 minutes', 2400, 2399, 60, false, false`,
  ],
  [
    'a rating of a room',
    sql`insert into room_ratings (room_id, episode, score, consultant_id, created_at) select ${room}, 1, 5, ${someone}, ${pastMomentSql}`,
  ],
  [
    'a hand-over in a room',
    sql`insert into room_changes (room_id, rev, type, audience, data, created_at)
    select ${room}, 900, 'assigned', 'staff', json_build_object('from', (select min(id) from users where is_consultant), 'to', ${someone})::jsonb, ${pastMomentSql}`,
  ],
  [
    'another category of a rated question',
    sql`update consultations set category_id = (select max(k.id) from consultationcategories k where k.id is distinct from category_id)
     where id in (select consultation_id from consultation_ratings)`,
  ],
  [
    'another category of a rated and handed-over room',
    sql`update chatrooms set category_id = (select max(k.id) from consultationcategories k where k.id is distinct from category_id)
     where id in (select room_id from room_ratings)`,
  ],
  [
    'a wait that ended without a reply',
    sql`insert into desk_waits_ended (consultation_id, turn, asked_at, due_at, ended_at, owner_id) select ${question}, 1, ${pastMomentSql}, ${pastMomentSql}, ${pastMomentSql} + interval '1 day', ${someone}`,
  ],
  ['a late price', sql`update pricelists set price = 555, origin = 'entered' where id = ${price}`],
  ['a removed price', sql`delete from pricelists where id = ${price}`],
  ['a day that is not published any more', sql`update pricedates set state = 'draft' where date = '2025-04-01'`],
  ['a published day', sql`update pricedates set state = 'published' where date = '2025-04-01'`],
  [
    'a district without a market',
    sql`insert into pricedates_no_market (holder_id, target_id) select d.id, p.district_id from pricedates d join pricelists p on true where d.date = '2025-04-15' and p.id = ${price}`,
  ],
  [
    'another category of a product',
    sql`update products set productcategory_id = null where productcategory_id is not null`,
  ],
  ['a removed person', sql`delete from users where id = (select min(id) from users where is_consultant)`],
  ['a removed region', sql`delete from regions where id = (select min(id) from regions)`],
  ['a removed question', sql`delete from consultations where id = ${question}`],
  ['a removed room', sql`delete from chatrooms where id = ${room}`],
  ['a removed market day', sql`delete from pricedates where date = '2025-04-15'`],
]

/** A report of each subject, with the rows and the filter that most facts concern. */
const ofDesk = () => [
  `consultations?${quarter}&compare=none`,
  `consultations?${quarter}&compare=none&filters[consultant]=${consultants[0]}`,
  `consultants?${quarter}&compare=none`,
  `consultants?${quarter}&compare=none&filters[category]=${categories[0]}`,
]
const ofPrices = () => [`prices?${quarter}&compare=none`]

it.each(lateChanges)('returns the right figures at once after %s, and after the next count', async (name, change) => {
  const recount = new DayRecount(resourceApp.database)
  await countDays(recount)
  const reportAddresses = /price|market|publish|product/.test(name) ? ofPrices() : ofDesk()
  await run(change)
  expect(await countMarks()).toBeGreaterThan(0)
  await expectSame(reportAddresses)
  await countDays(recount)
  expect(await countMarks()).toBe(0)
  await expectSame(reportAddresses.slice(0, 1))
})

it('returns the right figures during and after many changes on random days', async () => {
  const recount = new DayRecount(resourceApp.database)
  await countDays(recount)
  for (let round = 0; round < 4; round += 1) {
    const moment = sql`'2025-03-05T00:00:00Z'::timestamptz + (floor(random() * 80 * 24) || ' hours')::interval`
    await run(
      sql`insert into consultations (question, category_id, created_at, turn) select 'random', (select min(id) from consultationcategories), ${moment}, 1`,
    )
    await run(
      moveFinish(sql`select id from consultations order by random() limit 2`, sql`interval '1 day' * (random() * 9)`),
    )
    await run(
      sql`update consultation_replies set replied_at = ${moment}, consultant_id = ${someone} where id in (select id from consultation_replies order by random() limit 2)`,
    )
    await run(
      sql`update consultations set category_id = null, consultant_id = null where id in (select id from consultations order by random() limit 2)`,
    )
    await run(
      sql`update pricelists set price = 77, origin = 'carried' where id in (select id from pricelists order by random() limit 2)`,
    )
    await expectSame([`consultations?${quarter}`, `prices?${quarter}`, `consultants?${quarter}`])
    expect(await countMarks()).toBeGreaterThan(0)
    if (round % 2 === 0) await countDays(recount)
  }
  await countDays(recount)
  await expectSame(addresses())
}, 60_000)

it('marks no day for a fact of the present', async () => {
  await countDays(new DayRecount(resourceApp.database))
  await run(sql`insert into consultations (question, created_at, turn) values ('now', now(), 1)`)
  expect(await countMarks()).toBe(0)
})

it('leaves a day uncounted while time alone will change it', async () => {
  const waitingSinceSql = sql`'2025-05-20T06:00:00Z'::timestamptz`
  await run(
    sql`insert into consultations (question, created_at, turn, waiting_since, due_at) values ('open', ${waitingSinceSql}, 1, ${waitingSinceSql}, now() + interval '1 hour')`,
  )
  const recount = new DayRecount(resourceApp.database)
  await countDays(recount)
  const readCountedDays = () =>
    resourceApp.database.query(sql`select day from report_days where subject = 'desk' and day = '2025-05-20'`)
  expect(await readCountedDays()).toEqual([])
  await run(sql`update consultations set due_at = now() - interval '1 hour' where question = 'open'`)
  await countDays(recount)
  expect(await readCountedDays()).toHaveLength(1)
  await expectSame([`consultations?${quarter}`])
})

it('counts days again when the working hours change while the program runs', async () => {
  const recount = new DayRecount(resourceApp.database)
  await countDays(recount)
  expect(await countDays(recount)).toBe(0)
  const { replyMinutes } = resourceApp.database.calendar
  const formerName = nameOfDayCounts(resourceApp.database.calendar)
  const address = `consultations?${quarter}`
  const formerAnswer = await ask(address)
  resourceApp.database.setCalendar({ workingHours: { 1: { from: 540, to: 1080 } }, replyMinutes })
  try {
    expect(await ask(address)).toEqual(formerAnswer)
    expect(await countDays(recount)).toBeGreaterThan(100)
    const stored = await resourceApp.database.query(
      sql<{ name: string }>`select distinct made_by as name from report_days`,
    )
    expect(stored).toEqual([{ name: nameOfDayCounts(resourceApp.database.calendar) }])
    expect(stored[0]?.name).not.toBe(formerName)
    await expectSame(addresses().slice(0, 3))
  } finally {
    resourceApp.database.setCalendar({ workingHours: undefined, replyMinutes })
  }
  expect(nameOfDayCounts(resourceApp.database.calendar)).toBe(formerName)
})

it('finds and repairs counts that differ from the facts', async () => {
  const recount = new DayRecount(resourceApp.database)
  await countDays(recount)
  await run(
    sql`update report_counts set cases = array_fill(99, array[cardinality(cases)]) where measure = 'asked' and slice = 'all'`,
  )
  let differenceCount = 0
  for (let night = 0; night < 10 && differenceCount === 0; night += 1) {
    const differences = await recount.check()
    expect(differences.every(({ measure, slice }) => measure === 'asked' && slice === 'all')).toBe(true)
    differenceCount += differences.length
    await countDays(recount)
  }
  expect(differenceCount).toBeGreaterThan(0)
  const [storedTotal] = await resourceApp.database.query(
    sql<{ n: number }>`select sum(jsonb_array_length(differences))::int as n from report_checks`,
  )
  expect(storedTotal?.n).toBe(differenceCount)
})

it('counts days again after a change of the zone or of the working hours', () => {
  const { calendar } = resourceApp.database
  const calendars = [calendar, { ...calendar, zone: 'Asia/Tokyo' }, { ...calendar, workingHours: [] }]
  const names = calendars.map((variant) => nameOfDayCounts(variant))
  expect(new Set(names).size).toBe(3)
})
