/** Compares every figure with an independent recount of the raw rows (statistics §10). */
import {
  isReportKey,
  type ReportAnswer,
  type ReportBreakdown,
  type ReportPoint,
  reports,
  wholeReport,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildReportWorld, type ReportWorld } from '../../testing/report-world.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { addDays } from './days.ts'

let world: ReportWorld = { regions: [], categories: [], consultants: [] }
const resourceApp = startResourceApp(async (startedApp) => {
  world = await buildReportWorld(startedApp)
})
const ask = (address: string) => resourceApp.read<ReportAnswer>(`/statistics/${address}`)
const valueOf = ({ data }: ReportAnswer, key: string) => data.metrics.find((metric) => metric.key === key)?.value
const metricOf = ({ data }: ReportAnswer, key: string) => data.metrics.find((metric) => metric.key === key)
const rowsOf = ({ data }: ReportAnswer, dim: string, metric: string): ReportBreakdown | undefined =>
  data.breakdowns.find((breakdown) => breakdown.dim === dim && breakdown.metric === metric)

const expectNear = (value: number): unknown => expect.closeTo(value, 1)
const hour = 3_600_000
/** Returns the day of a time in Tashkent, which has been UTC+5 for thirty years. */
const dayOf = (time: number) => new Date(time + 5 * hour).toISOString().slice(0, 10)
const isWithin = (time: number | null, from: string, to: string): time is number =>
  time !== null && dayOf(time) >= from && dayOf(time) <= to

const periods = [
  ['2025-04-01', '2025-04-30', '2025-03-01', '2025-03-31', 'day'],
  ['2025-04-10', '2025-04-16', '2025-04-03', '2025-04-09', 'week'],
  ['2025-03-31', '2025-03-31', '2025-03-30', '2025-03-30', 'month'],
  ['2025-03-01', '2025-05-31', '2024-12-01', '2025-02-28', 'week'],
] as const

describe.each(Object.keys(reports))('the report %s', (key) => {
  it.each(periods)(
    'checks that the parts of a report add up from %s to %s',
    async (from, to, _before, _until, interval) => {
      const answer = await ask(`${key}?from=${from}&to=${to}&interval=${interval}`)
      const declaredReport = isReportKey(key) ? wholeReport(key) : undefined
      expect(answer.data.metrics.map((metric) => metric.key)).toEqual(Object.keys(declaredReport?.metrics ?? {}))
      expect(answer.meta).toMatchObject({ from, to, interval, compare: 'previous', tz: 'Asia/Tashkent' })
      for (const { dim, metric, rows, not_set: notSet } of answer.data.breakdowns) {
        if (declaredReport?.metrics[metric]?.unit !== 'count') continue
        const wholeMetric = metricOf(answer, metric)
        const sum = rows.reduce((total, row) => total + (row.value ?? 0), notSet?.value ?? 0)
        expect([dim, metric, sum]).toEqual([dim, metric, wholeMetric?.value])
        if (typeof wholeMetric?.previous !== 'number' || dim === 'age') continue
        const earlierSum = rows.reduce((total, row) => total + (row.previous ?? 0), notSet?.previous ?? 0)
        expect([dim, metric, earlierSum]).toEqual([dim, metric, wholeMetric.previous])
      }
      for (const { key: metric, points } of answer.data.series) checkLine(answer, metric, points)
      for (const { metric, rows, not_set: notSet } of answer.data.stacks) {
        const sum = [...rows.map(({ values }) => values), notSet ?? []]
          .flat()
          .reduce((total, value) => total + value, 0)
        expect([metric, sum]).toEqual([metric, valueOf(answer, metric)])
      }
      for (const { metric, rows } of answer.data.matrices)
        expect([metric, rows.reduce((total, { value }) => total + value, 0)]).toEqual([metric, valueOf(answer, metric)])
    },
  )
})

/** Checks that the buckets of a report's flow add up to it and a stock ends at its level. */
function checkLine(answer: ReportAnswer, key: string, points: readonly ReportPoint[]) {
  const report = String(answer.data.attributes.key)
  const declaredMetric = isReportKey(report) ? wholeReport(report).metrics[key] : undefined
  if (declaredMetric?.unit !== 'count') return
  const lastValue = points.at(-1)?.value
  const sum = points.reduce((total, { value }) => total + (value ?? 0), 0)
  expect([key, declaredMetric.level ? lastValue : sum]).toEqual([key, valueOf(answer, key)])
}

interface Question {
  created: number
  answered: number | null
  finished: number | null
  target: number
  region: number | null
  category: number | null
  consultant: number | null
  rating: number | null
}

describe('figures of questions', () => {
  let questions: Question[] = []
  beforeAll(async () => {
    questions = await resourceApp.database.query(sql<Question>`
      select (extract(epoch from c.created_at) * 1000)::float8 as created,
             (extract(epoch from c.answered_at) * 1000)::float8 as answered,
             (extract(epoch from c.finished_at) * 1000)::float8 as finished,
             coalesce(k.first_reply_minutes, 30) as target, c.consultant_id as consultant, c.rating,
             (select min(id) from regions_texts t where t.document_id = c.region_id) as region,
             (select min(id) from consultationcategories_texts t where t.document_id = c.category_id) as category
        from consultations c left join consultationcategories k on k.id = c.category_id`)
  })
  const minutesOf = ({ created, answered }: Question) => ((answered ?? 0) - created) / 60_000
  const medianOf = (values: readonly number[]) => {
    const sortedValues = values.toSorted((left, right) => left - right)
    const middleIndex = (sortedValues.length - 1) / 2
    return (
      ((sortedValues[Math.floor(middleIndex)] ?? Number.NaN) + (sortedValues[Math.ceil(middleIndex)] ?? Number.NaN)) / 2
    )
  }
  const countOpenAfter = (chosenQuestions: readonly Question[], endDay: string) =>
    chosenQuestions.filter(
      ({ created, finished }) => dayOf(created) <= endDay && (finished === null || dayOf(finished) > endDay),
    ).length

  it.each(periods)(
    'matches figures of questions with a recount from %s to %s',
    async (from, to, earlierFrom, earlierTo) => {
      for (const [filter, chosenQuestions] of [
        ['', questions],
        [`&filters[region]=${world.regions[0]}`, questions.filter(({ region }) => region === world.regions[0])],
        [
          `&filters[category]=${world.categories[0]}&filters[consultant]=${world.consultants[1]}`,
          questions.filter(
            ({ category, consultant }) => category === world.categories[0] && consultant === world.consultants[1],
          ),
        ],
      ] as const) {
        const answer = await ask(`consultations?from=${from}&to=${to}${filter}`)
        const createdInPeriod = chosenQuestions.filter(({ created }) => isWithin(created, from, to))
        const answeredQuestions = chosenQuestions.filter((question) => isWithin(question.answered, from, to))
        expect(valueOf(answer, 'asked')).toBe(createdInPeriod.length)
        expect(metricOf(answer, 'asked')?.previous).toBe(
          chosenQuestions.filter(({ created }) => isWithin(created, earlierFrom, earlierTo)).length,
        )
        expect(valueOf(answer, 'answered')).toBe(answeredQuestions.length)
        expect(valueOf(answer, 'finished')).toBe(
          chosenQuestions.filter(({ finished }) => isWithin(finished, from, to)).length,
        )
        expect(metricOf(answer, 'backlog')).toMatchObject({
          value: countOpenAfter(chosenQuestions, to),
          previous: countOpenAfter(chosenQuestions, earlierTo),
        })
        expect(rowsOf(answer, 'age', 'backlog')?.rows.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(
          countOpenAfter(chosenQuestions, to),
        )
        const median = valueOf(answer, 'reply_median')
        expect(median).toEqual(
          answeredQuestions.length === 0 ? null : expectNear(medianOf(answeredQuestions.map(minutesOf))),
        )
        const casesInTime = createdInPeriod.filter(
          (question) => question.answered !== null && minutesOf(question) <= question.target,
        )
        const share = valueOf(answer, 'within_target')
        expect(share).toEqual(
          createdInPeriod.length === 0 ? null : expectNear((casesInTime.length / createdInPeriod.length) * 100),
        )
      }
    },
  )
  it('shows the backlog of questions at the end of each day', async () => {
    const { data } = await ask('consultations?from=2025-04-01&to=2025-04-30&interval=day')
    const line = data.series.find(({ key }) => key === 'backlog')?.points ?? []
    expect(line.map(({ value }) => value)).toEqual(line.map(({ t }) => countOpenAfter(questions, t)))
  })
  it('counts days that have no counterpart in the earlier backlog', async () => {
    // The 31st of March is an earlier day of no day in June, but its questions are open on the 1st of April too.
    await resourceApp.database.query(
      sql`insert into consultations (question, created_at) values ('gap', '2025-03-31T08:00:00Z')`,
    )
    const { data } = await ask('consultations?from=2025-06-01&to=2025-08-31&interval=day')
    const point = data.series.find(({ key }) => key === 'backlog')?.points.find(({ t }) => t === '2025-07-01')
    expect(point?.previous_t).toBe('2025-04-01')
    expect(point?.previous).toBe(valueOf(await ask('consultations?from=2025-04-01&to=2025-04-01'), 'backlog'))
    await resourceApp.database.query(sql`delete from consultations where question = 'gap'`)
  })
  it('counts unanswered and reopened questions together with waiting chats as waiting now', async () => {
    const day = { from: '2025-04-01', to: '2025-04-30' }
    const countWaitsNow = async () => valueOf(await ask(`overview?from=${day.from}&to=${day.to}`), 'waiting')
    const [countRow] = await resourceApp.database.query(sql<{ questions: number; rooms: number }>`
      select (select count(*)::int from consultations where finished_at is null and (answered_at is null or reopened_at > answered_at)) as questions,
             (select count(*)::int from chatrooms where waiting_since is not null and state <> 'closed') as rooms`)
    const formerWaits = await countWaitsNow()
    expect(formerWaits).toBe((countRow?.questions ?? 0) + (countRow?.rooms ?? 0))

    // Reopening a finished question makes its customer wait again; an answer ends the wait.
    const [finishedQuestion] = await resourceApp.database.query(sql<{ id: number }>`
      select id from consultations where finished_at is not null order by id limit 1`)
    const address = `/consultations/${finishedQuestion?.id}`
    expect((await resourceApp.ask('POST', `${address}/reopen`, { data: { reason: 'R' } })).status).toBe(200)
    expect(await countWaitsNow()).toBe(Number(formerWaits) + 1)
    expect((await resourceApp.ask('PUT', address, { data: { answer: '<p>Again</p>' } })).status).toBe(200)
    expect(await countWaitsNow()).toBe(formerWaits)
    expect((await resourceApp.ask('POST', `${address}/finish`, { data: {} })).status).toBe(200)
  })
  it('credits answers to consultants, with a row for nobody', async () => {
    const answer = await ask('consultants?from=2025-03-01&to=2025-05-31')
    const answeredQuestions = questions.filter((question) => isWithin(question.answered, '2025-03-01', '2025-05-31'))
    const table = rowsOf(answer, 'consultant', 'answered')
    for (const id of world.consultants)
      expect(table?.rows.find((row) => row.id === id)?.value).toBe(
        answeredQuestions.filter(({ consultant }) => consultant === id).length,
      )
    expect(table?.not_set?.value).toBe(answeredQuestions.filter(({ consultant }) => consultant === null).length)
    const counts = world.consultants.map((id) => answeredQuestions.filter(({ consultant }) => consultant === id).length)
    expect(table?.team).toBe(medianOf(counts))
    const ratings = rowsOf(answer, 'consultant', 'rating')?.rows ?? []
    expect(ratings.length).toBeGreaterThan(0)
    for (const { n, value } of ratings) expect(value === null).toBe(n < 5)
  })
  it('credits an answer to the consultant who wrote it, also after a later reassignment', async () => {
    const [firstConsultant, secondConsultant] = world.consultants
    const address = 'consultants?from=2025-03-01&to=2025-05-31'
    const formerTable = rowsOf(await ask(address), 'consultant', 'answered')
    await resourceApp.database.query(sql`
      insert into consultation_steps (consultation_id, action, from_user_id, to_user_id)
      select id, 'assign', ${firstConsultant}::int, ${secondConsultant}::int from consultations where consultant_id = ${firstConsultant} and answered_at is not null`)
    await resourceApp.database.query(
      sql`update consultations set consultant_id = ${secondConsultant} where consultant_id = ${firstConsultant} and answered_at is not null`,
    )
    expect(rowsOf(await ask(address), 'consultant', 'answered')).toEqual(formerTable)
  })
})

describe('figures of prices', () => {
  it.each(periods)('matches figures of prices with a recount from %s to %s', async (from, to) => {
    const answer = await ask(`prices?from=${from}&to=${to}`)
    const { data } = await resourceApp.read<{
      data: { attributes: { date: string; coverage: { expected: number; filled: number; carried: number } } }[]
    }>('/pricedates?pagination[pageSize]=100')
    const days = data.map(({ attributes }) => attributes).filter(({ date }) => date >= from && date <= to)
    const sum = (cellKind: 'expected' | 'filled' | 'carried') =>
      days.reduce((total, { coverage }) => total + coverage[cellKind], 0)
    expect(valueOf(answer, 'market_days')).toBe(days.length)
    expect(valueOf(answer, 'cells')).toBe(sum('filled'))
    const share = (cellKind: 'filled' | 'carried') =>
      sum('expected') === 0 ? null : expectNear((sum(cellKind) / sum('expected')) * 100)
    expect([valueOf(answer, 'coverage'), valueOf(answer, 'carried')]).toEqual([share('filled'), share('carried')])
  })
  it('counts unconfirmed prices, whatever the period', async () => {
    const { meta } = await resourceApp.read<{ meta: { pagination: { total: number } } }>(
      '/pricelists?filters[state]=check',
    )
    expect(valueOf(await ask('prices'), 'to_check')).toBe(meta.pagination.total)
  })
})

describe('figures of posts, learning and users', () => {
  const total = async (address: string) =>
    (await resourceApp.read<{ meta: { pagination: { total: number } } }>(address)).meta.pagination.total
  const moments = 'filters[createdAt][$gte]=2025-03-31T19:00:00Z&filters[createdAt][$lt]=2025-04-30T19:00:00Z'

  it('matches figures of posts, learning and users with their lists', async () => {
    const trading = await ask('trading?from=2025-04-01&to=2025-04-30')
    expect(valueOf(trading, 'posts')).toBe(await total(`/tradinposts?${moments}`))
    for (const state of ['on_hold', 'processed', 'rejected'])
      expect([state, valueOf(trading, state)]).toEqual([state, await total(`/tradinposts?filters[status]=${state}`)])
    const learning = await ask('learning?from=2025-04-01&to=2025-04-30')
    expect(valueOf(learning, 'courses')).toBe(await total('/courses'))
    expect(valueOf(learning, 'courses_published')).toBe(await total('/courses?filters[state]=published'))
    expect(valueOf(learning, 'lessons')).toBe(await total('/lessons?filters[state]=visible'))
    expect(valueOf(learning, 'lessons_added')).toBe(await total(`/lessons?${moments}`))
    const people = await ask('people?from=2025-04-01&to=2025-04-30')
    const users = 'start=0&limit=1&filters[is_consultant]=false&filters[role][type]=authenticated'
    const count = async (conditions: string) =>
      (await resourceApp.read<{ count: number }>(`/users?${users}&${conditions}`)).count
    expect(valueOf(people, 'joined')).toBe(await count(moments))
    expect(valueOf(people, 'users')).toBe(await count('filters[createdAt][$lt]=2025-04-30T19:00:00Z'))
    expect(valueOf(people, 'seen')).toBe(await count(moments.replaceAll('createdAt', 'last_seen_at')))
    expect(valueOf(people, 'consultants')).toBe(3)
  })
})

describe('figures of translations', () => {
  it('counts published content, outdated and missing translations separately', async () => {
    // The content has three published news: one without a translation, one with a current, one with two
    // outdated ones.
    const formerAnswer = await ask('content')
    await resourceApp.database.query(sql`update news set active = false where active`)
    const laterAnswer = await ask('content')
    const decreaseOf = (key: string) => (valueOf(formerAnswer, key) ?? 0) - (valueOf(laterAnswer, key) ?? 0)
    expect(
      ['published', 'drafts', 'translations_current', 'translations_outdated', 'translations_missing'].map(decreaseOf),
    ).toEqual([3, -3, 1, 2, 6])
    await resourceApp.database.query(
      sql`update news set active = true where id in (select min(id) from news union select id from news where active)`,
    )
  })
  it('counts translations by language', async () => {
    const answer = await ask('content')
    for (const key of ['translations_current', 'translations_outdated', 'translations_missing'])
      expect(rowsOf(answer, 'locale', key)?.rows.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(
        valueOf(answer, key),
      )
    const translationCount = ['current', 'outdated', 'missing'].reduce(
      (sum, state) => sum + (valueOf(answer, `translations_${state}`) ?? 0),
      0,
    )
    expect(metricOf(answer, 'translated')?.n).toBe(translationCount)
  })
})

describe('changes of figures', () => {
  it('names the kind of each change of a figure', async () => {
    const answer = await ask('consultations?from=2025-03-01&to=2025-05-31')
    expect(metricOf(answer, 'asked')).toMatchObject({ previous: 0, change: null, change_kind: 'new', partial: false })
    expect(metricOf(answer, 'reply_median')).toMatchObject({ previous: null, change: null, change_kind: 'none' })
    const month = await ask('consultations?from=2025-04-01&to=2025-04-30')
    const { value = 0, previous = 0, change } = metricOf(month, 'asked') ?? {}
    expect(metricOf(month, 'asked')?.change_kind).toBe('percent')
    expect(change).toBeCloseTo((((value ?? 0) - (previous ?? 0)) / (previous ?? 1)) * 100, 1)
    expect(metricOf(month, 'within_target')?.change_kind).toBe('points')
    const weeks = ['2025-03-17', '2025-03-31', '2025-04-14', '2025-04-28', '2025-05-12']
    const metrics = (
      await Promise.all(weeks.map((monday) => ask(`consultations?from=${monday}&to=${addDays(monday, 6)}`)))
    ).flatMap(({ data }) => data.metrics)
    const countedMetrics = metrics.filter(
      ({ unit, previous: earlierValue }) => unit === 'count' && (earlierValue ?? 0) > 0,
    )
    const isFew = ({ n, previous: earlierValue }: (typeof countedMetrics)[number]) => Math.max(n, earlierValue ?? 0) < 5
    expect(countedMetrics.map((metric) => metric.change_kind)).toEqual(
      countedMetrics.map((metric) => (isFew(metric) ? 'few' : 'percent')),
    )
    expect(countedMetrics.some(isFew)).toBe(true)
    expect(countedMetrics.some(({ n, previous: earlierValue }) => n < 5 && (earlierValue ?? 0) >= 5)).toBe(true)
    const uncomparedAnswer = await ask('consultations?from=2025-04-01&to=2025-04-30&compare=none')
    expect(uncomparedAnswer.meta).toMatchObject({ compare_from: null, compare_to: null })
    for (const { previous: earlierValue, change_kind: kind } of uncomparedAnswer.data.metrics)
      expect([earlierValue, kind]).toEqual([null, 'none'])
  })
  it('compares figures of an unfinished period with the same part of the earlier period', async () => {
    const { data } = await ask('consultations?period=days7')
    const now = Date.now()
    const add = (time: number) =>
      resourceApp.database.query(
        sql`insert into consultations (question, created_at) values ('x', ${new Date(time).toISOString()})`,
      )
    const formerMetric = data.metrics.find(({ key }) => key === 'asked')
    // The earlier period includes the question of slightly more than a week ago, and not the one of slightly
    // less.
    const delayMs = 600_000
    for (const time of [now - delayMs, now - 7 * 24 * hour - delayMs, now - 7 * 24 * hour + delayMs]) await add(time)
    const laterMetric = metricOf(await ask('consultations?period=days7'), 'asked')
    expect(laterMetric?.partial).toBe(true)
    expect((laterMetric?.previous ?? 0) - (formerMetric?.previous ?? 0)).toBe(1)
    await resourceApp.database.query(sql`delete from consultations where question = 'x'`)
  })
  it('returns no data for a future period', async () => {
    const { data, meta } = await ask('consultations?from=2099-01-01&to=2099-01-31&interval=week')
    expect(meta.compare_from).toBe('2098-12-01')
    expect(data.series.flatMap(({ points }) => points).every((point) => point.no_data && point.value === null)).toBe(
      true,
    )
    expect(data.metrics.find(({ key }) => key === 'asked')).toMatchObject({ value: 0, partial: true })
  })
})

describe('names of rows', () => {
  it('names the rows of a report in the requested language, else in another', async () => {
    const address = 'consultations?from=2025-03-01&to=2025-05-31'
    await resourceApp.ask('POST', `/regions/${world.regions[0]}/localizations`, { locale: 'kaa', name: 'Aymaq' })
    const names = async (locale: string) =>
      rowsOf(await ask(`${address}&locale=${locale}`), 'region', 'asked')?.rows.map(({ name }) => name) ?? []
    expect(await names('kaa')).toContain('Aymaq')
    expect(await names('ru')).not.toContain('Aymaq')
    expect((await names('ru')).every(Boolean)).toBe(true)
  })
})
