/**
 * Proof that the figures of the desk are right: random histories of chats and questions, some by the API and
 * the others as rows of an earlier version, recounted by a plain program (statistics §10).
 * `node scripts/proofs/desk-histories.ts --runs 10000 --on embedded --seed 7`
 */
import type { ReportAnswer } from '@dala/model'
import type { Database } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { completeDeskFacts } from '../../packages/server/src/domain/conversations/complete-facts.ts'
import { buildRecord, buildRegion } from '../../packages/server/src/testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../packages/server/src/testing/people.ts'
import type { CountTally } from '../lib/step.ts'
import {
  type DeskEvent,
  type DeskHistory,
  type DeskQuery,
  dayOf,
  type Figures,
  followHistory,
  type PresentCase,
  type CaseRecount,
  recountCases,
  recountPerson,
} from './desk-recount.ts'
import { insertRows } from '../lib/insert-rows.ts'
import { runOnNamedPlaces, runOnPlace, optionOf, type DatabasePlace, type ProofApp } from './on-place.ts'

const hours = { days: [1, 2, 3, 4, 5, 6], from: 540, to: 1_080 }
const workingHours = '1-6 09:00-18:00'
const minute = 60_000
const weekMinutes = 7 * 1_440
/** First moment of the rows of an earlier version, in a year long past. */
const firstMoment = Date.parse('2025-01-06T00:00:00Z')
const yearMinutes = 360 * 1_440
const categoryMinutes = [90, null] as const
/** Largest difference of a figure, because the API rounds to two decimals. */
const tolerance = 0.02

/** Draws random numbers that are the same for a seed. */
class HistoryDraw {
  #state: number
  constructor(seed: number) {
    this.#state = seed
  }
  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * count)
  }
  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('Nothing to draw from')
    return item
  }
}

/** Records that the histories of the proof name: ids of documents, and wire ids for filters. */
interface DeskWorld {
  database: Database
  owner: TestPerson
  admin: TestPerson
  consultants: readonly TestPerson[]
  regions: readonly { document: number; wire: number }[]
  categories: readonly { document: number; wire: number; minutes: number }[]
}

async function buildWorld(app: ProofApp): Promise<DeskWorld> {
  const { database } = app
  for (const key of ['consultations', 'consultants'])
    await buildRecord(database, 'statistics', { key, title: { en: key } })
  const documentOf = async (table: string, wire: number) => {
    const [row] = await database.query(
      sql<{ id: number }>`select document_id as id from ${sql.table(table)} where id = ${wire}`,
    )
    return { wire, document: row?.id ?? 0 }
  }
  const regions = []
  for (let index = 0; index < 2; index += 1)
    regions.push(await documentOf('regions_texts', await buildRegion(database)))
  const categories = []
  for (const minutes of categoryMinutes) {
    const wire = await buildRecord(database, 'consultationcategories', {
      name: `C ${minutes}`,
      first_reply_minutes: minutes,
    })
    categories.push({ ...(await documentOf('consultationcategories_texts', wire)), minutes: minutes ?? 30 })
  }
  const consultants = []
  for (let index = 0; index < 4; index += 1) consultants.push(await buildConsultant(app))
  return {
    database,
    owner: await buildPerson(app, 'owner'),
    admin: await buildPerson(app, 'admin'),
    consultants,
    regions,
    categories,
  }
}

/** Draws the next event that may follow in a history of the desk, without its time. */
function nextEvent(
  drawNumber: HistoryDraw,
  world: DeskWorld,
  history: DeskHistory,
  presentCase: PresentCase,
): Omit<DeskEvent, 'at'> | undefined {
  const { owner, isClosed, since } = presentCase
  const people = world.consultants.map(({ id }) => id)
  const isChat = history.desk === 'chat'
  // Only the owner of a room writes in it; a question can be answered by an administrator too.
  const actorId = owner !== null && (isChat || drawNumber.below(4) > 0) ? owner : world.admin.id
  const lastRatingIndex = history.events.findLastIndex(({ kind }) => kind === 'rate')
  const isFirst = !history.events.slice(lastRatingIndex + 1).some(({ kind }) => kind === 'reply')
  switch (drawNumber.below(9)) {
    case 0:
    case 1:
      return isChat ? { kind: 'ask' } : undefined
    case 2:
    case 3:
    case 4:
      return (isChat ? owner !== null : !isClosed && since !== null) ? { kind: 'reply', by: actorId } : undefined
    case 5:
      return isChat ? { kind: 'note', by: actorId } : undefined
    case 6:
      return isClosed ? (isChat ? undefined : { kind: 'reopen' }) : { kind: 'close' }
    case 7: {
      const targetOwner = drawNumber.of([...people, ...(isChat ? [] : [null])])
      return targetOwner === owner || (!isChat && isClosed) ? undefined : { kind: 'assign', to: targetOwner }
    }
    default: {
      // Only an episode with a reply is rated, and only once.
      const isAnswered = isChat && lastRatingIndex < 0 && !isFirst && isRatable(history)
      return isAnswered ? { kind: 'rate', caseScore: 1 + drawNumber.below(5) } : undefined
    }
  }
}

/** Whether the last conversation of a chat has a reply that ended a wait. */
function isRatable(history: DeskHistory): boolean {
  const sum = emptyRecount()
  const pastCase = followHistory(history, hours, sum)
  const openedAt = sum.cases.at(-1)?.opened ?? Number.POSITIVE_INFINITY
  return pastCase.episode > 0 && sum.replies.some(({ at }) => at >= openedAt)
}

const emptyRecount = (): CaseRecount => ({ cases: [], replies: [], caseWaits: [], handovers: [], ratings: [] })

/** Starts a history of the desk with the first question. */
function startHistory(draw: HistoryDraw, world: DeskWorld, startedAt: number): DeskHistory {
  const deskKind = draw.of(['chat', 'consultation'] as const)
  const category = draw.below(3) > 0 ? draw.of(world.categories) : undefined
  const region = draw.below(4) > 0 ? draw.of(world.regions) : undefined
  return {
    desk: deskKind,
    owner: draw.below(4) > 0 ? draw.of(world.consultants).id : null,
    region: region?.document ?? null,
    category: category?.document ?? null,
    minutes: category?.minutes ?? 30,
    events: [{ at: startedAt, kind: 'ask' }],
  }
}

/** Draws a whole history in the past. */
function drawHistory(draw: HistoryDraw, world: DeskWorld): DeskHistory {
  let eventMoment = firstMoment + draw.below(yearMinutes) * minute
  const history = startHistory(draw, world, eventMoment)
  const length = 1 + draw.below(10)
  for (let step = 0; step < length; step += 1) {
    const presentCase = followHistory(history, hours, emptyRecount())
    const event = nextEvent(draw, world, history, presentCase)
    eventMoment += (1 + draw.below(draw.of([20, 200, 3_000]))) * minute + draw.below(60) * 1_000
    if (event) history.events.push({ at: eventMoment, ...event })
  }
  return history
}

const iso = (eventMoment: number | null) => (eventMoment === null ? null : new Date(eventMoment).toISOString())

/** Stores histories as an earlier version stored them: without the reporting details, which the program adds later. */
async function storeRows(
  world: DeskWorld,
  histories: readonly DeskHistory[],
  customers: readonly number[],
): Promise<void> {
  const { database, admin } = world
  const number = async (table: string) => {
    const [row] = await database.query(
      sql<{ last: number }>`select coalesce(max(id), 0) as last from ${sql.table(table)}`,
    )
    return row?.last ?? 0
  }
  let [room, message, question] = [
    await number('chatrooms'),
    await number('chatmessages'),
    await number('consultations'),
  ]
  const rows: Record<
    | 'chatrooms'
    | 'chatmessages'
    | 'room_changes'
    | 'room_ratings'
    | 'consultations'
    | 'consultation_steps'
    | 'revisions',
    object[]
  > = {
    chatrooms: [],
    chatmessages: [],
    room_changes: [],
    room_ratings: [],
    consultations: [],
    consultation_steps: [],
    revisions: [],
  }
  for (const [index, history] of histories.entries()) {
    const presentCase = followHistory(history, hours, emptyRecount())
    const customer = customers[index % customers.length] ?? 0
    const sharedColumns = {
      region_id: history.region,
      category_id: history.category,
      created_at: iso(history.events[0]?.at ?? 0),
    }
    if (history.desk === 'chat') {
      room += 1
      let [owner, rev, state, episode, lastBy]: [number | null, number, string, number, number | null] = [
        history.owner,
        0,
        'open',
        0,
        null,
      ]
      for (const event of history.events) {
        const eventTime = iso(event.at)
        if (event.kind === 'rate') {
          rows.room_ratings.push({
            room_id: room,
            episode,
            score: event.caseScore,
            consultant_id: lastBy,
            created_at: eventTime,
          })
          continue
        }
        rev += 1
        if (event.kind === 'ask' || event.kind === 'reply' || event.kind === 'note') {
          message += 1
          const sender = event.kind === 'ask' ? customer : event.by
          const kind = event.kind === 'note' ? 'note' : 'message'
          rows.chatmessages.push({
            id: message,
            room_id: room,
            sender_id: sender,
            kind,
            text: 'x',
            seq: rev,
            created_at: eventTime,
          })
          const isReopening = event.kind === 'ask' && state !== 'open'
          if (event.kind === 'ask' && (episode === 0 || state === 'closed')) episode += 1
          if (event.kind === 'ask') state = 'open'
          // A rating is credited to the author of the last reply that ended a wait.
          if (event.kind === 'reply' && followHistory(cutHistory(history, event), hours, emptyRecount()).since !== null)
            lastBy = event.by ?? null
          rows.room_changes.push({
            room_id: room,
            rev,
            type: 'created',
            audience: kind === 'note' ? 'staff' : 'public',
            message_id: message,
            data: isReopening ? { state: 'open' } : {},
            user_id: sender,
            created_at: eventTime,
          })
        } else if (event.kind === 'close') {
          rows.room_changes.push({
            room_id: room,
            rev,
            type: 'state',
            audience: 'public',
            data: { from: state, to: 'closed' },
            user_id: admin.id,
            created_at: eventTime,
          })
          state = 'closed'
        } else if (event.kind === 'assign') {
          rows.room_changes.push({
            room_id: room,
            rev,
            type: 'assigned',
            audience: 'staff',
            data: { from: owner, to: event.to },
            user_id: admin.id,
            created_at: eventTime,
          })
          owner = event.to ?? null
        }
      }
      rows.chatrooms.push({
        ...sharedColumns,
        id: room,
        sender_id: customer,
        assignee_id: owner,
        state,
        episode: presentCase.episode,
        revision: rev,
        waiting_since: iso(presentCase.since),
        warn_at: iso(presentCase.since),
        due_at: iso(presentCase.due),
      })
      continue
    }
    question += 1
    let owner = history.owner
    let [answeredAt, finishedAt, reopenedAt]: (string | null)[] = [null, null, null]
    for (const event of history.events) {
      const eventTime = iso(event.at)
      const step = { consultation_id: question, user_id: admin.id, created_at: eventTime }
      if (event.kind === 'reply') {
        rows.revisions.push({
          resource: 'consultations',
          document_id: question,
          operation: 'update',
          user_id: event.by,
          changes: { answered_at: { before: answeredAt, after: eventTime } },
          created_at: eventTime,
        })
        answeredAt = eventTime
      } else if (event.kind === 'assign') {
        rows.consultation_steps.push({ ...step, action: 'assign', from_user_id: owner, to_user_id: event.to })
        owner = event.to ?? null
      } else if (event.kind === 'close') {
        rows.consultation_steps.push({ ...step, action: 'finish' })
        finishedAt = eventTime
      } else if (event.kind === 'reopen') {
        rows.consultation_steps.push({ ...step, action: 'reopen' })
        finishedAt = null
        reopenedAt = eventTime
      }
    }
    rows.consultations.push({
      ...sharedColumns,
      id: question,
      question: 'x',
      user_id: customer,
      consultant_id: owner,
      answered_at: answeredAt,
      finished_at: finishedAt,
      reopened_at: reopenedAt,
    })
  }
  for (const [table, list] of Object.entries(rows)) {
    await insertRows(database, table, list)
    // PostgreSQL plans the foreign key checks of later rows while these tables are still empty, so it needs statistics.
    if (table === 'chatrooms' || table === 'chatmessages') await database.query(sql`analyze ${sql.table(table)}`)
  }
  for (const table of ['chatrooms', 'chatmessages', 'consultations'])
    await database.query(
      sql`select setval(pg_get_serial_sequence(${table}::text, 'id'), (select max(id) from ${sql.table(table)}) + 1)`,
    )
}

/** The part of a history before an event. */
const cutHistory = (history: DeskHistory, event: DeskEvent): DeskHistory => ({
  ...history,
  events: history.events.slice(0, history.events.indexOf(event)),
})

/** Tables with times of the desk, which an API history moves into the past. */
const timedTables: Readonly<Record<string, { key: 'room_id' | 'consultation_id' | 'id'; times: readonly string[] }>> = {
  chatrooms: { key: 'id', times: ['created_at', 'waiting_since', 'warn_at', 'due_at'] },
  chatmessages: { key: 'room_id', times: ['created_at'] },
  room_changes: { key: 'room_id', times: ['created_at'] },
  room_steps: { key: 'room_id', times: ['created_at'] },
  room_replies: { key: 'room_id', times: ['asked_at', 'due_at', 'replied_at'] },
  room_ratings: { key: 'room_id', times: ['created_at'] },
  consultations: {
    key: 'id',
    times: ['created_at', 'answered_at', 'finished_at', 'reopened_at', 'waiting_since', 'warn_at', 'due_at'],
  },
  consultation_replies: { key: 'consultation_id', times: ['asked_at', 'due_at', 'replied_at'] },
  consultation_steps: { key: 'consultation_id', times: ['created_at'] },
}
const endedTimes = ['asked_at', 'due_at', 'ended_at']

/** Moves a case and its history into the past by whole weeks, so that working hours stay where they were. */
async function age({ database }: DeskWorld, history: DeskHistory, id: number, weeks: number): Promise<void> {
  const intervalSql = sql`make_interval(mins => ${weeks * weekMinutes}::int)`
  const [caseTable, column] = history.desk === 'chat' ? ['chatrooms', 'room_id'] : ['consultations', 'consultation_id']
  const moveTimesSql = (times: readonly string[]) =>
    sql.join(times.map((time) => sql`${sql.ref(time)} = ${sql.ref(time)} - ${intervalSql}`))
  for (const [table, { key, times }] of Object.entries(timedTables))
    if (table === caseTable || key === column)
      await database.query(sql`update ${sql.table(table)} set ${moveTimesSql(times)} where ${sql.ref(key)} = ${id}`)
  await database.query(sql`update desk_waits_ended set ${moveTimesSql(endedTimes)} where ${sql.ref(column)} = ${id}`)
  for (const event of history.events) event.at -= weeks * weekMinutes * minute
}

/** Writes one random history by calls of the API. */
async function writeByApi(draw: HistoryDraw, world: DeskWorld, customer: TestPerson): Promise<DeskHistory> {
  const { admin, consultants, regions, categories } = world
  const callServer = async (actingPerson: TestPerson, method: 'POST' | 'PUT', url: string, data: object) => {
    const { status, body } = await actingPerson.ask(method, url, { data })
    if (status !== 200) throw new Error(`${method} ${url} ${JSON.stringify(data)}: ${status} ${JSON.stringify(body)}`)
    return (body as { data?: { id?: number } }).data?.id ?? 0
  }
  const history = startHistory(draw, world, Date.now())
  const links = {
    region: regions.find(({ document }) => document === history.region)?.wire ?? null,
    category: categories.find(({ document }) => document === history.category)?.wire ?? null,
  }
  const personOf = (id: number | undefined) => consultants.find((knownConsultant) => knownConsultant.id === id) ?? admin
  const isChat = history.desk === 'chat'
  const id = isChat
    ? await buildRecord(world.database, 'chatrooms', { sender: customer.id, assignee: history.owner, ...links })
    : await callServer(admin, 'POST', '/consultations', {
        question: 'How?',
        user: customer.id,
        consultant: history.owner,
        ...links,
      })
  if (isChat) await callServer(customer, 'POST', '/chatmessages', { room: id, text: 'How?' })
  let answers = 0
  const path = isChat ? `/chatrooms/${id}` : `/consultations/${id}`
  const length = 1 + draw.below(8)
  for (let step = 0; step < length; step += 1) {
    if (draw.below(2) > 0) await age(world, history, id, 1 + draw.below(3))
    const presentCase = followHistory(history, hours, emptyRecount())
    const event = nextEvent(draw, world, history, presentCase)
    if (!event) continue
    const { kind, by, to, caseScore: score } = event
    answers += 1
    if (kind === 'ask') await callServer(customer, 'POST', '/chatmessages', { room: id, text: `More ${answers}` })
    else if (kind === 'note')
      await callServer(personOf(by), 'POST', '/chatmessages', { room: id, text: 'For us', kind: 'note' })
    else if (kind === 'reply' && isChat)
      await callServer(personOf(by), 'POST', '/chatmessages', { room: id, text: `Reply ${answers}` })
    else if (kind === 'reply') await callServer(personOf(by), 'PUT', path, { answer: `<p>Answer ${answers}</p>` })
    else if (kind === 'close' && isChat) await callServer(admin, 'POST', `${path}/state`, { state: 'closed' })
    else if (kind === 'close') await callServer(admin, 'POST', `${path}/finish`, { reason: 'Done' })
    else if (kind === 'reopen') await callServer(admin, 'POST', `${path}/reopen`, { reason: 'Again' })
    // A question changes its consultant by a call or by a plain edit.
    else if (kind === 'assign' && !isChat && draw.below(2) > 0) await callServer(admin, 'PUT', path, { consultant: to })
    else if (kind === 'assign') await callServer(admin, 'POST', `${path}/assign`, { to, note: 'Yours' })
    else await callServer(customer, 'POST', `${path}/rating`, { episode: presentCase.episode, score })
    history.events.push({ at: Date.now(), ...event })
  }
  return history
}

const isNear = (firstFigure: number | null | undefined, secondFigure: number | null | undefined) =>
  firstFigure === secondFigure ||
  (typeof firstFigure === 'number' &&
    typeof secondFigure === 'number' &&
    Math.abs(firstFigure - secondFigure) <= tolerance)

/** Compares an answer with the recount. Throws with the first figure that differs. */
function compareFigures(subject: string, shownFigures: Figures, recountedFigures: Figures): void {
  for (const [key, value] of Object.entries(recountedFigures))
    if (!isNear(shownFigures[key], value))
      throw new Error(`${subject}: ${key} is ${shownFigures[key]}, recounted ${value}`)
}

/** Asks one random question of both reports and compares every figure. Returns the number of figures. */
async function compareQuery(draw: HistoryDraw, world: DeskWorld, sum: CaseRecount): Promise<number> {
  const caseStarts = sum.cases.map(({ opened }) => opened)
  const periodStart = draw.of(caseStarts) - draw.below(20) * 1_440 * minute
  const [region, category] = [
    draw.below(3) > 0 ? undefined : draw.of(world.regions),
    draw.below(3) > 0 ? undefined : draw.of(world.categories),
  ]
  const person = draw.below(3) > 0 ? undefined : draw.of(world.consultants)
  const query: DeskQuery = {
    from: dayOf(periodStart),
    to: dayOf(periodStart + draw.of([0, 6, 29, 180]) * 1_440 * minute),
    hours: draw.of(['wall', 'working'] as const),
    ...(region && { region: region.document }),
    ...(category && { category: category.document }),
    ...(person && { consultant: person.id }),
  }
  const filters = [
    region ? `&filters[region]=${region.wire}` : '',
    category ? `&filters[category]=${category.wire}` : '',
    person ? `&filters[consultant]=${person.id}` : '',
  ].join('')
  const readReport = async (key: string) => {
    const url = `/statistics/${key}?from=${query.from}&to=${query.to}&interval=day&compare=none&hours=${query.hours}${filters}`
    const { status, body } = await world.owner.ask('GET', url)
    if (status !== 200) throw new Error(`${url}: ${status}`)
    return { url, answer: body as ReportAnswer }
  }
  const now = Date.now()
  const { url, answer } = await readReport('consultations')
  const line = answer.data.series.find(({ key }) => key === 'backlog')?.points.filter((point) => !point.no_data) ?? []
  const shownFigures: Figures = {
    ...Object.fromEntries(answer.data.metrics.map(({ key, value }) => [key, value])),
    ...Object.fromEntries(line.map(({ t, value }) => [`backlog ${t}`, value])),
  }
  const countedCases = recountCases(
    sum,
    query,
    line.map(({ t }) => t),
    now,
  )
  compareFigures(url, shownFigures, countedCases)
  let figures = Object.keys(countedCases).length
  const teamPeople = await readReport('consultants')
  for (const { id } of person ? [person] : world.consultants) {
    const row = (metric: string) =>
      teamPeople.answer.data.breakdowns
        .find((breakdown) => breakdown.dim === 'consultant' && breakdown.metric === metric)
        ?.rows.find((personRow) => personRow.id === id)?.value
    const ownFigures = recountPerson(sum, query, id, now)
    const keys = Object.keys(ownFigures)
    const isCount = (key: string) => key === 'answered' || key.startsWith('handovers')
    compareFigures(
      `${teamPeople.url} of ${id}`,
      Object.fromEntries(keys.map((key) => [key, row(key) ?? (isCount(key) ? 0 : null)])),
      ownFigures,
    )
    figures += keys.length
  }
  return figures
}

async function runProof(app: ProofApp, runs: number, seed: number): Promise<boolean> {
  const startMoment = performance.now()
  const [draw, world] = [new HistoryDraw(seed), await buildWorld(app)]
  const apiHistoryCount = Math.min(200, Math.ceil(runs / 12))
  const histories: DeskHistory[] = []
  const customers: number[] = []
  for (let index = 0; index < 10; index += 1) {
    const customer = await buildPerson(app, 'authenticated')
    customers.push(customer.id)
    for (let count = 0; count < apiHistoryCount / 10; count += 1)
      histories.push(await writeByApi(draw, world, customer))
  }
  const writtenCount = histories.length
  const pastCase = Array.from({ length: runs - writtenCount }, () => drawHistory(draw, world))
  await app.database.withoutTimeLimit(() => storeRows(world, pastCase, customers))
  await completeDeskFacts(app.database)
  const sum = emptyRecount()
  for (const history of [...histories, ...pastCase]) followHistory(history, hours, sum)
  const queries = Math.min(60, Math.max(8, Math.ceil(runs / 100)))
  let figures = 0
  for (let count = 0; count < queries; count += 1) figures += await compareQuery(draw, world, sum)
  const seconds = (performance.now() - startMoment) / 1_000
  console.log(
    `   ${runs} histories, ${writtenCount} of them by the API, with ${sum.replies.length} replies and ${sum.cases.length} cases; ` +
      `${figures} figures of ${queries} random queries equal the recount; seed ${seed}; ${seconds.toFixed(1)} s`,
  )
  return true
}

/**
 * Runs the proof of random histories of the desk, and prints figures.
 *
 * @param runs - Number of histories.
 * @param place - The database.
 * @param seed - Seed of a run to repeat.
 * @returns One step passed; skipped without PostgreSQL.
 * @throws With the query and the figure that differs.
 */
export const deskHistories = (runs: number, databaseKind: DatabasePlace, seed = 7): Promise<CountTally> =>
  runOnPlace(databaseKind, (app) => runProof(app, runs, seed), { WORKING_HOURS: workingHours })

if (import.meta.main) {
  const runs = Number(optionOf('--runs') ?? 10_000)
  await runOnNamedPlaces((databaseKind) => deskHistories(runs, databaseKind, Number(optionOf('--seed') ?? 7)))
}
