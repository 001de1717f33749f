/** Compares the number of records behind each figure with the figure itself (statistics §10). */
import { type RecordRow, type ReportAnswer, type ReportKey, reports, wholeReport } from '@dala/model'
import readXlsx from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { completeDeskFacts } from '../../domain/conversations/complete-facts.ts'
import { buildConsultant, type TestPerson } from '../../testing/people.ts'
import { buildRecord } from '../../testing/factories.ts'
import { buildReportWorld, type ReportWorld } from '../../testing/report-world.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

interface Records {
  data: RecordRow[]
  count: number
}

let world: ReportWorld = { regions: [], categories: [], consultants: [] }
let person: TestPerson | undefined
const resourceApp = startResourceApp(async (startedApp) => {
  world = await buildReportWorld(startedApp)
  person = await buildConsultant(startedApp)
  const { database } = startedApp
  const customers = await database.query(
    sql<{ id: number }>`select id from users where username like 'person-%' order by id`,
  )
  // Rooms of an earlier version, whose facts the program completes: three conversations with three consultants.
  for (const [index, consultant] of world.consultants.entries()) {
    const room = await buildRecord(database, 'chatrooms', {
      sender: customers[index + 4]?.id,
      receiver: consultant,
      region: world.regions[index] ?? null,
    })
    await database.query(
      sql`update chatrooms set episode = 1, state = ${index === 0 ? 'closed' : 'open'}, revision = 3 where id = ${room}`,
    )
    await database.query(sql`
      with m as (
        insert into chatmessages (room_id, sender_id, kind, text, seq, created_at)
        select r.id, case when g.seq = 1 then r.sender_id else r.receiver_id end, 'message', 'x', g.seq,
               timestamptz '2025-04-10 08:00Z' + make_interval(days => ${index}::int, mins => g.seq * 7)
          from chatrooms r, generate_series(1, 2) as g(seq) where r.id = ${room} returning id, room_id, seq, sender_id, created_at)
      insert into room_changes (room_id, rev, type, audience, message_id, user_id, created_at)
      select room_id, seq, 'created', 'public', id, sender_id, created_at from m`)
    if (index === 0)
      await database.query(sql`
        insert into room_changes (room_id, rev, type, audience, data, created_at)
        values (${room}, 3, 'state', 'public', '{"from": "open", "to": "closed"}', '2025-04-12 08:00Z')`)
  }
  await completeDeskFacts(database)
})

const days = 'from=2025-04-01&to=2025-04-30'
const list = async (key: string, query: string): Promise<Records> =>
  resourceApp.read(`/statistics/${key}/records?${days}&limit=100&${query}`)

describe.each(Object.keys(reports) as ReportKey[])('the records of the report %s', (key) => {
  let answer: ReportAnswer | undefined
  beforeAll(async () => {
    answer = await resourceApp.read<ReportAnswer>(`/statistics/${key}?${days}&interval=week`)
  })
  const isListed = (metric: string) => !wholeReport(key).metrics[metric]?.unlisted
  const listedMetrics = Object.keys(wholeReport(key).metrics).filter(isListed)
  it('refuses the records of a figure that is declared without them', async () => {
    const unlistedMetric = Object.keys(wholeReport(key).metrics).filter((metric) => !isListed(metric))
    const answers = await Promise.all(
      unlistedMetric.map((metric) => resourceApp.ask('GET', `/statistics/${key}/records?${days}&metric=${metric}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(unlistedMetric.map(() => 422))
  })
  it.runIf(listedMetrics.length > 0)('lists as many records as each figure counts', async () => {
    const counts = await Promise.all(
      listedMetrics.map(async (metric) => [metric, (await list(key, `metric=${metric}`)).count]),
    )
    expect(counts).toEqual(
      listedMetrics.map((metric) => [
        metric,
        answer?.data.metrics.find((answeredMetric) => answeredMetric.key === metric)?.n,
      ]),
    )
  })
  it.runIf(listedMetrics.length > 0)('lists as many records as each row of a table counts', async () => {
    const rows = (answer?.data.breakdowns ?? [])
      .filter(({ metric }) => listedMetrics.includes(metric))
      .flatMap(({ dim, metric, rows: shownRows, not_set }) => [
        ...shownRows.map(({ id, n }) => ({ dim, metric, id: String(id), n })),
        ...(not_set ? [{ dim, metric, id: 'not_set', n: not_set.n }] : []),
      ])
    const counts = await Promise.all(
      rows.map(async ({ n: _n, ...row }) => ({
        ...row,
        n: (await list(key, `metric=${row.metric}&dim=${row.dim}&dim_id=${row.id}`)).count,
      })),
    )
    expect(counts).toEqual(rows.map(({ n, ...row }) => ({ ...row, n })))
  })
  it.runIf(wholeReport(key).series.some((metric) => listedMetrics.includes(metric)))(
    'lists as many records as each interval of a chart counts',
    async () => {
      const points = (answer?.data.series ?? [])
        .filter((line) => listedMetrics.includes(line.key))
        .flatMap((line) => line.points.map(({ t, value }) => ({ metric: line.key, t, value })))
      const counts = await Promise.all(
        points.map(async ({ metric, t }) => ({
          metric,
          t,
          value: (await list(key, `interval=week&metric=${metric}&bucket=${t}`)).count,
        })),
      )
      expect(counts).toEqual(points)
    },
  )
})

describe('GET /api/statistics/:id/records', () => {
  it('shows the record, its time and the person who has the credit', async () => {
    const { data, count } = await list('consultants', 'metric=answered&dim=desk&dim_id=chat')
    expect([count, data[0]?.resource, data[0]?.person?.id]).toEqual([3, 'chatrooms', world.consultants[2]])
    expect(data.map(({ value }) => value)).toEqual([null, null, null])
    const { data: times } = await list('consultants', 'metric=reply_median&dim=desk&dim_id=chat&hours=wall')
    expect(times.map(({ value }) => value)).toEqual([7, 7, 7])
  })
  it('lists the pages of the records behind a figure in a stable order', async () => {
    const allRecords = await list('consultations', 'metric=asked')
    const page = await resourceApp.read<Records>(
      `/statistics/consultations/records?${days}&metric=asked&start=2&limit=3`,
    )
    expect([page.count, page.data]).toEqual([allRecords.count, allRecords.data.slice(2, 5)])
  })
  it('sends all records behind a figure as a sheet, in the order of the list and with true times', async () => {
    const { data, count } = await list('consultations', 'metric=reply_median')
    const { rawPayload, headers } = await resourceApp.app.inject({
      url: `/api/statistics/consultations/records?${days}&metric=reply_median&format=xlsx&locale=ru&limit=1`,
      headers: { authorization: `Bearer ${resourceApp.tokens.admin}` },
    })
    expect(headers['content-disposition']).toMatch(/^attachment; filename="records-\d{4}-\d\d-\d\d\.xlsx"$/)
    const [{ data: [heading, ...lines] } = { data: [] }] = await readXlsx(rawPayload)
    expect(heading).toEqual(['Запись', 'ID', 'Время', 'Консультант', 'Значение'])
    expect([lines.length, lines.map((line) => line[1])]).toEqual([count, data.map(({ id }) => id)])
    expect(lines.every((line) => line[2] instanceof Date)).toBe(true)
  })
  it('has its labels in the other script, and the names of records in the language', async () => {
    const path = `/api/statistics/consultations/records?${days}&metric=asked&format=xlsx&columns=resource,at`
    const readCells = async (locale: string) => {
      const headers = { authorization: `Bearer ${resourceApp.tokens.admin}` }
      const { rawPayload } = await resourceApp.app.inject({ url: `${path}&locale=${locale}`, headers })
      return (await readXlsx(rawPayload))[0]?.data ?? []
    }
    const [latin, cyrillic] = [await readCells('uz'), await readCells('uz-Cyrl')]
    expect(latin[0]).toEqual(['Yozuv', 'Turi', 'Vaqt'])
    expect(cyrillic[0]).toEqual(['Ёзув', 'Тури', 'Вақт'])
    expect(cyrillic.slice(1).every(([, kind]) => /^[\u0400-\u04FF ]+$/.test(String(kind)))).toBe(true)
    expect(cyrillic.slice(1).map(([name]) => name)).toEqual(latin.slice(1).map(([name]) => name))
  })
  it('has the chosen columns in their order, and refuses an unknown one', async () => {
    const path = `/api/statistics/consultations/records?${days}&metric=asked&format=xlsx`
    const { rawPayload, statusCode } = await resourceApp.app.inject({
      url: `${path}&columns=resource,at`,
      headers: { authorization: `Bearer ${resourceApp.tokens.admin}` },
    })
    expect(statusCode).toBe(200)
    const [head, ...rows] = (await readXlsx(rawPayload))[0]?.data ?? []
    expect(head).toEqual(['Record', 'Kind', 'Time'])
    expect(new Set(rows.map(([, kind]) => kind))).toEqual(new Set(['Consultation', 'Chat room']))
    const refusedAnswer = await resourceApp.ask(
      'GET',
      `/statistics/consultations/records?${days}&metric=asked&columns=at,password`,
    )
    expect(refusedAnswer.status).toBe(422)
  })
  it('limits the sheet of records to the rights of the caller', async () => {
    const sheet = (address: string) => person?.ask('GET', `/statistics/${address}&format=xlsx`)
    expect((await sheet(`overview/records?${days}&metric=asked`))?.status).toBe(404)
    expect((await resourceApp.ask('GET', `/statistics/consultations/records?metric=asked&format=pdf`)).status).toBe(400)
  })
  it('shows a consultant the records of their own figures alone', async () => {
    const { status, body } = (await person?.ask('GET', `/statistics/consultants/records?${days}&metric=answered`)) ?? {}
    expect([status, body]).toMatchObject([200, { data: [], count: 0 }])
    expect((await person?.ask('GET', `/statistics/overview/records?${days}&metric=asked`))?.status).toBe(404)
  })
  it.each([
    ['metric=bogus', 'report.choice'],
    ['metric=posts', 'report.choice'],
    ['', 'report.choice'],
    ['metric=coverage', 'report.metric'],
    ['metric=asked&bucket=2025-04-02&interval=month', 'report.choice'],
    ['metric=asked&bucket=x', 'report.date'],
    ['metric=asked&dim=age&dim_id=day1', 'report.choice'],
    ['metric=asked&dim=region&dim_id=x', 'report.choice'],
    ['metric=waiting&bucket=2025-04-01', 'report.choice'],
  ])('refuses the query %s for records with the code %s', async (query, code) => {
    expect(await resourceApp.ask('GET', `/statistics/overview/records?${days}&${query}`)).toMatchObject({
      status: 422,
      body: { error: { code } },
    })
  })
})
