/**
 * Random facts of three years for the proofs of reports: the desk, prices, posts, courses, content and people,
 * stored as rows, with times at the edges of days and values that are not set.
 */
import { locales } from '@dala/model'
import type { Database } from '../../../packages/server/src/db/database.ts'
import { sql } from '../../../packages/server/src/db/sql.ts'
import reports from '../../../packages/server/src/seed/data/statistics.json' with { type: 'json' }
import {
  buildDistrict,
  buildRecord,
  buildRegion,
  buildRole,
  buildTranslation,
  publishCourses,
} from '../../../packages/server/src/testing/factories.ts'
import { RandomDraws } from '../../lib/draws.ts'
import { insertRows } from '../../lib/insert-rows.ts'

const minute = 60_000
const hour = 60 * minute
const dayLength = 24 * hour
/** Days of the past that the facts are spread over. */
const pastDays = 820

/** Names of categories, with letters of all languages of the platform. */
export const reportedNames = ['Қарақалпақстан Oʻzbekiston', 'ў ғ қ ҳ ә ң ө ү ǵ ń ı'] as const

/** Wire ids that filters of the reports may name. */
export interface FilterIds {
  regions: readonly number[]
  districts: readonly number[]
  tradingposttypes: readonly number[]
  coursetypes: readonly number[]
  consultationcategories: readonly number[]
  productcategories: readonly number[]
  tradingpostcategories: readonly number[]
  coursecategories: readonly number[]
  users: readonly number[]
}

type Row = Record<string, unknown>

const iso = (moment: number) => new Date(moment).toISOString()
const dateOf = (moment: number) => iso(moment + 5 * hour).slice(0, 10)

/** Random values of the facts, and the keys of the records that they name. */
class FactDraws extends RandomDraws {
  readonly now: number
  constructor(seed: number, now: number) {
    super(seed, 0)
    this.now = now
  }
  /** Returns one of the items, or null once in four times. */
  maybe<T>(items: readonly T[]): T | null {
    return this.chance(0.75) ? this.pick(items) : null
  }
  /** Returns a past time: half of them of the last months, some at midnight in Tashkent. */
  past(): number {
    const age = (this.chance(0.5) ? 120 : pastDays) * this.next() * dayLength
    const pastMoment = Math.floor(this.now - 3 * hour - age)
    if (!this.chance(0.12)) return pastMoment
    return Math.floor((pastMoment + 5 * hour) / dayLength) * dayLength - 5 * hour
  }
  /** Returns a time after another one, but not of the present hours, whose rows would change while they are counted. */
  after(formerMoment: number): number {
    const drawnTime = formerMoment + this.pick([5, 90, 2_000, 30_000]) * this.next() * minute
    return Math.floor(Math.max(formerMoment, Math.min(drawnTime, this.now - 2 * hour - this.next() * hour)))
  }
}

async function documentsOf(database: Database, resource: string): Promise<number[]> {
  const rows = await database.query(sql<{ id: number }>`select id from ${sql.table(resource)} order by id`)
  return rows.map(({ id }) => id)
}

const lastId = async (database: Database, table: string): Promise<number> =>
  Math.max(0, ...(await documentsOf(database, table)))

/** Adds users of all kinds, and returns the keys of customers and of consultants. */
async function addPeople(database: Database, draws: FactDraws, regions: number[], districts: number[]) {
  const role = await buildRole(database, 'authenticated')
  const roleRow = await database.query(sql<{ id: number }>`select id from roles where type = 'authenticated'`)
  const [staffRole] = await database.query(sql<{ id: number }>`select id from roles where type = 'owner'`)
  let id = await lastId(database, 'users')
  const rows = draws.list(70, (): Row & { id: number; is_consultant: boolean } => {
    id += 1
    const createdAt = draws.past()
    const isRemoved = draws.chance(0.15)
    return {
      id,
      version: 1,
      username: `reported-${id}`,
      email: `reported-${id}@example.org`,
      password: 'x',
      provider: 'local',
      confirmed: true,
      blocked: draws.chance(0.1),
      active: draws.chance(0.9),
      language: draws.pick(locales),
      is_consultant: draws.chance(0.2),
      chat_notify: 'mine',
      answers_en: false,
      answers_ru: false,
      answers_uz: false,
      answers_kaa: false,
      role_id: draws.chance(0.93) ? (roleRow[0]?.id ?? role) : (staffRole?.id ?? role),
      region_id: draws.maybe(regions),
      district_id: draws.maybe(districts),
      created_at: iso(createdAt),
      updated_at: iso(createdAt),
      last_seen_at: draws.chance(0.8) ? iso(draws.after(createdAt)) : null,
      removed_at: isRemoved ? iso(draws.after(createdAt)) : null,
    }
  })
  await insertRows(database, 'users', rows)
  const visits = new Map<string, Row>()
  for (const { id: user } of rows)
    for (const visitTime of draws.list(draws.below(12), () => iso(draws.past())))
      visits.set(`${user} ${visitTime.slice(0, 10)}`, {
        user_id: user,
        day: visitTime.slice(0, 10),
        first_at: visitTime,
      })
  await insertRows(database, 'user_days', [...visits.values()])
  const keysOf = (isConsultant: boolean) =>
    rows.filter(({ is_consultant: isRowConsultant }) => isRowConsultant === isConsultant).map((row) => row.id)
  return { customers: keysOf(false), consultants: keysOf(true) }
}

interface DeskKeys {
  customers: readonly number[]
  consultants: readonly number[]
  regions: readonly number[]
  districts: readonly number[]
  categories: readonly number[]
}

interface DeskRows {
  consultations: Row[]
  consultation_replies: Row[]
  consultation_steps: Row[]
  consultation_ratings: Row[]
  chatrooms: Row[]
  room_steps: Row[]
  room_replies: Row[]
  room_ratings: Row[]
  room_changes: Row[]
  desk_waits_ended: Row[]
  consultation_publications: Row[]
  room_drafts: Row[]
  online_hours: Row[]
}

/** Facts of questions and chats. */
class DeskFacts {
  readonly rows: DeskRows = {
    consultations: [],
    consultation_replies: [],
    consultation_steps: [],
    consultation_ratings: [],
    chatrooms: [],
    room_steps: [],
    room_replies: [],
    room_ratings: [],
    room_changes: [],
    desk_waits_ended: [],
    consultation_publications: [],
    room_drafts: [],
    online_hours: [],
  }
  readonly #draws: FactDraws
  readonly #keys: DeskKeys
  readonly #pairs = new Set<string>()
  #last = 0

  constructor(draws: FactDraws, keys: DeskKeys) {
    this.#draws = draws
    this.#keys = keys
  }

  #id(): number {
    this.#last += 1
    return this.#last
  }

  #place(): Row {
    const { regions, categories } = this.#keys
    return {
      region_id: this.#draws.maybe(regions),
      category_id: this.#draws.maybe(categories),
      language: this.#draws.maybe(locales),
    }
  }

  /** Returns a case's place at a time, which is mostly the present one. */
  #placeAt(dimensionColumns: Row): Row {
    return this.#draws.chance(0.8) ? dimensionColumns : this.#place()
  }

  /** Draws what the desk did with one wait: a reply, an end without one, or nothing yet. */
  #wait(askedAt: number, isFirst: boolean) {
    const draws = this.#draws
    const minutes = draws.pick([30, 120, 600])
    const repliedAt = draws.after(askedAt)
    const wall = Math.floor((repliedAt - askedAt) / 1_000)
    // Working hours may put the target days later than its minutes, even into the future.
    const dueAt = draws.chance(0.05)
      ? draws.now + 2 * dayLength
      : Math.min(askedAt + minutes * minute * 3, draws.now - 2 * hour)
    return {
      replied: repliedAt,
      due: dueAt,
      reply: {
        asked_at: iso(askedAt),
        due_at: iso(dueAt),
        replied_at: iso(repliedAt),
        wall_seconds: wall,
        working_seconds: draws.below(wall + 1),
        target_minutes: minutes,
        first: isFirst,
        breached: repliedAt > dueAt,
        consultant_id: draws.maybe(this.#keys.consultants),
      },
    }
  }

  addQuestion(): void {
    const draws = this.#draws
    const { rows } = this
    const id = this.#id()
    const dimensionColumns = this.#place()
    const openedAt = draws.past()
    const isRecorded = draws.chance(0.1)
    const owner = draws.maybe(this.#keys.consultants)
    let moment = openedAt
    let [turn, replies, isClosed]: [number, number, boolean] = [isRecorded ? 0 : 1, 0, false]
    let answeredAt: number | null = null
    let finishedAt: number | null = null
    let reopenedAt: number | null = null
    let waitsSince: number | null = isRecorded ? null : openedAt
    const addStep = (action: string, extraColumns: Row = {}) =>
      rows.consultation_steps.push({
        id: this.#id(),
        consultation_id: id,
        action,
        from_user_id: null,
        to_user_id: null,
        turn,
        created_at: iso(moment),
        ...extraColumns,
      })
    for (let event = draws.below(7); event > 0; event -= 1) {
      const choice = draws.below(4)
      moment = draws.after(moment)
      if (choice === 0 && waitsSince !== null) {
        const { reply, replied } = this.#wait(waitsSince, replies === 0)
        moment = Math.max(moment, replied)
        rows.consultation_replies.push({
          id: this.#id(),
          consultation_id: id,
          turn,
          ...reply,
          ...this.#placeAt(dimensionColumns),
        })
        replies += 1
        answeredAt = replied
        waitsSince = null
      } else if (choice === 1 && !isClosed) {
        addStep('finish')
        if (waitsSince !== null) {
          const { due } = this.#wait(waitsSince, false)
          rows.desk_waits_ended.push({
            id: this.#id(),
            consultation_id: id,
            turn,
            asked_at: iso(waitsSince),
            due_at: iso(due),
            ended_at: iso(moment),
            owner_id: draws.maybe(this.#keys.consultants),
            ...this.#placeAt(dimensionColumns),
          })
        }
        waitsSince = null
        isClosed = true
        finishedAt = moment
      } else if (choice === 2 && isClosed) {
        turn += isRecorded ? 0 : 1
        addStep('reopen')
        isClosed = false
        finishedAt = null
        reopenedAt = moment
        if (!isRecorded) waitsSince = moment
      } else
        addStep('assign', {
          from_user_id: draws.maybe(this.#keys.consultants),
          to_user_id: draws.maybe(this.#keys.consultants),
        })
    }
    if (draws.chance(0.3))
      rows.consultation_ratings.push({
        consultation_id: id,
        score: 1 + draws.below(5),
        consultant_id: draws.maybe(this.#keys.consultants.slice(0, 3)),
        created_at: iso(draws.after(moment)),
      })
    const isPublic = draws.chance(0.3)
    if (isPublic)
      rows.consultation_publications.push({
        consultation_id: id,
        user_id: draws.maybe(this.#keys.consultants),
        created_at: iso(draws.after(openedAt)),
        ...this.#placeAt(dimensionColumns),
      })
    rows.consultations.push({
      ...dimensionColumns,
      id,
      version: 1,
      question: 'x',
      is_public: isPublic && draws.chance(0.9),
      recorded: isRecorded,
      user_id: draws.pick(this.#keys.customers),
      consultant_id: owner,
      turn: isRecorded ? null : turn,
      created_at: iso(openedAt),
      updated_at: iso(moment),
      district_id: draws.maybe(this.#keys.districts),
      answered_at: answeredAt === null ? null : iso(answeredAt),
      finished_at: finishedAt === null ? null : iso(finishedAt),
      reopened_at: reopenedAt === null ? null : iso(reopenedAt),
      ...this.#openWait(waitsSince),
    })
  }

  #openWait(waitingSince: number | null): Row {
    if (waitingSince === null) return { waiting_since: null, warn_at: null, due_at: null }
    const { due } = this.#wait(waitingSince, false)
    return { waiting_since: iso(waitingSince), warn_at: iso(waitingSince), due_at: iso(due) }
  }

  /** Draws a customer and a receiver who have no room yet. */
  #pair(): { customer: number; receiver: number | null } {
    const customer = this.#draws.pick(this.#keys.customers)
    const receiver = this.#draws.maybe(this.#keys.consultants)
    const key = `${customer} ${receiver}`
    if (this.#pairs.has(key)) return this.#pair()
    this.#pairs.add(key)
    return { customer, receiver }
  }

  /** Adds days on which consultants were online for some hours, each with minutes at random. */
  addOnlineDays(): void {
    const draws = this.#draws
    const rowByUserHour = new Map<string, Row>()
    for (const user of this.#keys.consultants)
      for (let day = draws.below(25); day > 0; day -= 1) {
        const firstHour = Math.floor(draws.past() / hour) * hour
        for (const hourTime of draws.list(1 + draws.below(5), () => firstHour + draws.below(6) * hour))
          if (hourTime < draws.now - 3 * hour)
            rowByUserHour.set(`${user} ${hourTime}`, {
              user_id: user,
              hour: iso(hourTime),
              minutes: draws.list(60, () => String(draws.below(2))).join(''),
            })
      }
    this.rows.online_hours.push(...rowByUserHour.values())
  }

  addRoom(): void {
    const draws = this.#draws
    const { rows } = this
    const { consultants } = this.#keys
    const id = this.#id()
    const dimensionColumns = this.#place()
    const { customer, receiver } = this.#pair()
    let moment = draws.past()
    const createdAt = moment
    let [episode, revision]: [number, number] = [0, 0]
    let isClosed = true
    let waitsSince: number | null = null
    const addStep = (action: string) =>
      rows.room_steps.push({
        id: this.#id(),
        room_id: id,
        episode,
        action,
        owner_id: draws.maybe(consultants),
        ...this.#placeAt(dimensionColumns),
        created_at: iso(moment),
      })
    for (let round = draws.below(4); round > 0; round -= 1) {
      episode += 1
      isClosed = false
      addStep('open')
      waitsSince = moment
      let replies = 0
      for (let event = draws.below(6); event > 0; event -= 1) {
        const choice = draws.below(5)
        moment = draws.after(moment)
        if (choice < 2 && waitsSince !== null) {
          const { reply, replied } = this.#wait(waitsSince, replies === 0)
          moment = Math.max(moment, replied)
          rows.room_replies.push({ id: this.#id(), room_id: id, episode, ...reply, ...this.#placeAt(dimensionColumns) })
          replies += 1
          waitsSince = null
        } else if (choice === 2 && !isClosed && waitsSince === null) waitsSince = moment
        else if (choice === 3) {
          revision += 1
          const [fromUser, toUser] = [draws.maybe(consultants), draws.maybe(consultants)]
          rows.room_changes.push({
            room_id: id,
            rev: revision,
            type: 'assigned',
            audience: 'staff',
            data: { from: fromUser, to: toUser },
            created_at: iso(moment),
          })
        } else if (choice === 4 && isClosed) {
          addStep('reopen')
          isClosed = false
          waitsSince ??= moment
        } else if (!isClosed && draws.chance(0.6)) {
          addStep('close')
          isClosed = true
          if (waitsSince !== null) {
            const { due } = this.#wait(waitsSince, false)
            rows.desk_waits_ended.push({
              id: this.#id(),
              room_id: id,
              turn: episode,
              asked_at: iso(waitsSince),
              due_at: iso(due),
              ended_at: iso(moment),
              owner_id: draws.maybe(consultants),
              ...this.#placeAt(dimensionColumns),
            })
          }
          waitsSince = null
        }
      }
      if (draws.chance(0.5))
        rows.room_ratings.push({
          room_id: id,
          episode,
          score: 1 + draws.below(5),
          consultant_id: draws.maybe(consultants.slice(0, 3)),
          created_at: iso(draws.after(moment)),
        })
      moment = draws.after(moment)
      if (!isClosed) break
    }
    if (draws.chance(0.3))
      rows.room_drafts.push({
        room_id: id,
        resource: draws.pick(['faqs', 'faqs', 'consultations']),
        messages: [id],
        document_id: id,
        user_id: draws.maybe(consultants),
        created_at: iso(draws.after(createdAt)),
      })
    rows.chatrooms.push({
      ...dimensionColumns,
      id,
      version: 1,
      sender_id: customer,
      receiver_id: receiver,
      assignee_id: draws.maybe(consultants),
      state: isClosed && episode > 0 ? 'closed' : draws.pick(['open', 'waiting_customer']),
      episode,
      revision,
      created_at: iso(createdAt),
      updated_at: iso(moment),
      ...this.#openWait(waitsSince),
    })
  }
}

/** Adds market days with prices: late, carried, empty, unusual, corrected, in several units and kinds of market. */
async function addPrices(database: Database, draws: FactDraws): Promise<void> {
  const unitOf = (code: string, unitFields: object) =>
    buildRecord(database, 'units', { name: { en: code }, short: { en: code }, code, ...unitFields })
  const kilogram = await unitOf('kg', { kind: 'mass', factor: 1 })
  const tonne = await unitOf('t', { kind: 'mass', factor: 1_000 })
  const pieceUnit = await unitOf('piece', { kind: 'count' })
  for (const [index, unit] of [kilogram, kilogram, tonne, pieceUnit, pieceUnit].entries())
    await buildRecord(database, 'products', { name: `Product ${index}`, unit })
  const [products, districts, categories] = [
    await documentsOf(database, 'products'),
    await database.query(sql<{ id: number; region: number | null }>`select id, region_id as region from districts`),
    await documentsOf(database, 'productcategories'),
  ]
  for (const product of products)
    await database.query(
      sql`update products set productcategory_id = ${draws.maybe(categories)}::int where id = ${product}`,
    )
  const recentDays = Array.from({ length: 45 }, (_, index) => index)
  const pastYear = Array.from({ length: 24 }, (_, index) => 355 + index)
  const earlierDays = Array.from({ length: 20 }, () => 60 + draws.below(280))
  const days = [...new Set([...recentDays, ...pastYear, ...earlierDays])]
    .filter(() => draws.chance(0.7))
    .toSorted((a, b) => b - a)
  const dateRows: Row[] = []
  const noMarket: Row[] = []
  const prices: Row[] = []
  const corrections: Row[] = []
  for (const [index, age] of days.entries()) {
    const date = dateOf(draws.now - age * dayLength)
    const start = Date.parse(`${date}T00:00:00+05:00`)
    const pricedate = index + 1
    const isPublished = draws.chance(0.85)
    const publishedAt = Math.min(start + 14 * hour, draws.now - 3 * hour)
    dateRows.push({
      id: pricedate,
      version: 1,
      date,
      state: isPublished ? 'published' : draws.pick(['draft', 'checking']),
      published_at: isPublished ? iso(publishedAt) : null,
      created_at: iso(start),
      updated_at: iso(start),
    })
    for (const { id } of districts)
      if (draws.chance(0.1)) noMarket.push({ holder_id: pricedate, target_id: id, position: 0, inverse_position: 0 })
    for (const product of products)
      for (const { id: district, region } of districts)
        for (const market of ['retail', 'wholesale']) {
          if (draws.chance(market === 'retail' ? 0.2 : 0.8)) continue
          const price = draws.chance(0.85) ? 100 * (1 + draws.below(90)) : null
          const unit = draws.chance(0.9) ? draws.pick([kilogram, tonne]) : pieceUnit
          const isLate = draws.chance(0.15)
          const createdAt = isLate ? start + dayLength + draws.below(30) * hour : start + draws.below(24) * hour
          const id = prices.length + 1
          prices.push({
            id,
            version: 1,
            price,
            price_base: price === null || unit === pieceUnit ? null : price / (unit === tonne ? 1_000 : 1),
            market_type: market,
            currency: 'UZS',
            origin: draws.pick(['entered', 'entered', 'imported', 'carried']),
            state: draws.pick(['ok', 'ok', 'confirmed', 'check']),
            product_id: product,
            district_id: district,
            region_id: region,
            pricedate_id: pricedate,
            unit_id: unit,
            created_at: iso(createdAt),
            updated_at: iso(createdAt),
          })
          if (!draws.chance(0.06)) continue
          for (let count = 1 + draws.below(2); count > 0; count -= 1)
            corrections.push({
              resource: 'pricelists',
              document_id: id,
              operation: draws.pick(['update', 'update', 'update', 'create']),
              changes: { [draws.pick(['price', 'price_max', 'unit_id', 'note'])]: { before: 1, after: 2 } },
              created_at: iso(draws.after(start + draws.below(40) * hour)),
            })
        }
  }
  await insertRows(database, 'pricedates', dateRows)
  if (noMarket.length > 0) await insertRows(database, 'pricedates_no_market', noMarket)
  await insertRows(database, 'pricelists', prices)
  for (const { resource, document_id: document, operation, changes, created_at: correctedAt } of corrections)
    await database.query(sql`insert into revisions (resource, document_id, operation, changes, created_at)
      values (${String(resource)}, ${Number(document)}, ${String(operation)}, ${JSON.stringify(changes)}::jsonb, ${String(correctedAt)})`)
}

/** Adds posts in all states, with decisions on them and on their edits. Returns the types of posts. */
async function addPosts(
  database: Database,
  draws: FactDraws,
  regions: number[],
  districts: number[],
): Promise<number[]> {
  const types = [
    await buildRecord(database, 'tradingposttypes', { name: { en: 'Selling' }, code: 'selling' }),
    await buildRecord(database, 'tradingposttypes', { name: { en: 'Buying' }, code: 'purchase' }),
  ]
  for (const code of ['spam', 'photo', 'price'])
    await buildRecord(database, 'moderationreasons', { label: { en: code }, code, text: { en: code } })
  const categories = await documentsOf(database, 'tradingpostcategories')
  const [posts, texts, decisions, renewals]: [Row[], Row[], Row[], Row[]] = [[], [], [], []]
  for (let id = 1; id <= 70; id += 1) {
    const createdAt = draws.past()
    const source = draws.pick(locales)
    posts.push({
      id,
      source_locale: source,
      source_changes: 0,
      negotiable: false,
      currency: 'UZS',
      delivery: draws.chance(0.4),
      status: draws.pick(['on_hold', 'processed', 'processed', 'needs_changes', 'rejected', 'archived', 'expired']),
      views: 0,
      reports_open: 0,
      tradingposttype_id: draws.pick(types),
      tradingpostcategory_id: draws.maybe(categories),
      region_id: draws.maybe(regions),
      district_id: draws.maybe(districts),
      // Half a day away from any limit of days, so that no post passes it while the figures are compared.
      expires_at: draws.chance(0.8) ? iso(draws.now + (0.5 + draws.below(20)) * dayLength) : null,
    })
    for (const locale of locales)
      if (locale === source || draws.chance(0.3)) {
        const writtenAt = locale === source ? createdAt : draws.after(createdAt)
        texts.push({
          id: texts.length + 1,
          document_id: id,
          locale,
          seen_changes: 0,
          version: 1,
          title: 'x',
          created_at: iso(writtenAt),
          updated_at: iso(writtenAt),
        })
      }
    for (let count = draws.below(3); count > 0; count -= 1)
      renewals.push({
        id: renewals.length + 1,
        document_id: id,
        to_state: draws.pick(['processed', 'on_hold']),
        created_at: iso(draws.after(createdAt)),
      })
    let moment = createdAt
    for (let count = draws.below(4); count > 0; count -= 1) {
      const waitStart = draws.chance(0.8) ? moment : null
      moment = draws.after(moment)
      const toState = draws.pick(['processed', 'rejected', 'needs_changes', 'archived'])
      decisions.push({
        id: decisions.length + 1,
        document_id: id,
        subject: draws.pick(['post', 'post', 'edit']),
        from_state: 'on_hold',
        to_state: toState,
        reasons: draws.list(draws.below(3), () => draws.pick(['spam', 'photo', 'price', 'forgotten'])),
        kept: { values: { waiting_since: waitStart === null ? null : iso(waitStart) } },
        created_at: iso(moment),
        notify_at: iso(moment),
        undone_at: draws.chance(0.12) ? iso(moment + minute) : null,
      })
    }
  }
  await insertRows(database, 'tradinposts', posts)
  await insertRows(database, 'tradinposts_texts', texts)
  await insertRows(database, 'post_decisions', decisions)
  await insertRows(database, 'post_renewals', renewals)
  return types
}

/** Adds courses, published and changed since, with the progress of learners. Returns the types of courses. */
async function addCourses(database: Database, draws: FactDraws, learners: number[]): Promise<number[]> {
  const types = [
    await buildRecord(database, 'coursetypes', { name: 'Type' }),
    await buildRecord(database, 'coursetypes', { name: 'Other type' }),
  ]
  const categories = await database.query(
    sql<{ id: number }>`select id from coursecategories_texts where locale = 'en'`,
  )
  for (let course = 0; course < 8; course += 1) {
    const wire = await buildRecord(database, 'courses', {
      title: `Course ${course}`,
      state: draws.pick(['draft', 'published', 'published', 'archived']),
      coursecategory: draws.maybe(categories.map(({ id }) => id)),
      coursetype: draws.maybe(types),
    })
    const groups = [
      await buildRecord(database, 'lessongroups', { title: 'Group', course: wire, state: 'visible' }),
      await buildRecord(database, 'lessongroups', {
        title: 'Group',
        course: wire,
        state: draws.pick(['visible', 'hidden']),
      }),
    ]
    for (let lesson = 1 + draws.below(4); lesson > 0; lesson -= 1) {
      const isMulti = draws.chance(0.3)
      const id = await buildRecord(database, 'lessons', {
        title: 'Lesson',
        course: wire,
        lessongroup: draws.maybe(groups),
        state: draws.pick(['visible', 'visible', 'hidden']),
        kind: isMulti ? 'multi' : 'single',
        complete_when: 'opened',
        duration_minutes: draws.maybe([5, 12, 30]),
        ...(!isMulti && draws.chance(0.6) && { video: { duration_s: draws.pick([40, 100.44, 600]) } }),
      })
      if (draws.chance(0.4)) await buildTranslation(database, 'lessons', id, 'ru', { title: 'Урок' })
    }
  }
  // Parts of a lesson differ between its languages.
  await database.query(sql`update lessons_texts t set parts = case t.locale when 'en' then
      '[{"id":"a","video":{"duration_s":50}},{"id":"b"}]'::jsonb else '[{"id":"a","video":{"duration_s":70}}]'::jsonb end
     from lessons l where l.id = t.document_id and l.kind = 'multi'`)
  await publishCourses(database)
  await database.query(sql`update lessons_texts set version = version + 1 where document_id % 7 = 0`)
  const [texts, lessons] = [
    await database.query(sql<{ id: number }>`select id from lessons_texts`),
    await database.query(
      sql<{ id: number; course: number; kind: string }>`select id, course_id as course, kind from lessons`,
    ),
  ]
  for (const { id } of texts)
    await database.query(
      sql`update lessons_texts set created_at = ${iso(draws.past())}, updated_at = ${iso(draws.past())} where id = ${id}`,
    )
  const progress: Row[] = []
  const completions = new Map<string, Row>()
  for (const { id, course, kind } of lessons)
    for (const user of learners) {
      if (draws.chance(0.85)) continue
      for (const lessonPart of kind === 'multi' ? ['a', 'b'] : ['']) {
        if (draws.chance(0.3)) continue
        const createdAt = draws.past()
        const updatedAt = draws.after(createdAt)
        progress.push({
          user_id: user,
          lesson_id: id,
          part: lessonPart,
          course_id: course,
          watched: [],
          watched_s: draws.below(120),
          position_s: 0,
          locale: draws.pick(locales),
          opened_at: draws.chance(0.8) ? iso(createdAt) : null,
          completed_at: draws.chance(0.6) ? iso(updatedAt) : null,
          created_at: iso(createdAt),
          updated_at: iso(updatedAt),
        })
      }
      const key = `${user} ${course}`
      if (draws.chance(0.3))
        completions.set(key, { user_id: user, course_id: course, completed_at: iso(draws.past()), certificate: key })
    }
  await insertRows(database, 'lesson_progress', progress)
  await database.query(sql`delete from course_completions`)
  await insertRows(database, 'course_completions', [...completions.values()])
  return types
}

/** Adds content in all states of publication, freshness and translation. */
async function addContent(database: Database, draws: FactDraws): Promise<void> {
  const [newsRows, texts]: [Row[], Row[]] = [[], []]
  for (let id = 1; id <= 60; id += 1) {
    const source = draws.pick(locales)
    const changes = draws.below(4)
    newsRows.push({
      id,
      source_locale: source,
      source_changes: changes,
      kind: 'news',
      views: 0,
      featured: false,
      active: draws.chance(0.7),
    })
    for (const locale of locales)
      if (locale === source || draws.chance(0.6))
        texts.push({
          id: texts.length + 1,
          document_id: id,
          locale,
          seen_changes: draws.below(changes + 1),
          version: 1,
          title: 'x',
          created_at: iso(draws.past()),
          updated_at: iso(draws.past()),
        })
  }
  await insertRows(database, 'news', newsRows)
  await insertRows(database, 'news_texts', texts)
  for (let count = 0; count < 6; count += 1)
    await buildRecord(database, 'tools', { title: `Tool ${count}`, active: draws.chance(0.5) })
  const courses = await documentsOf(database, 'courses')
  const contentOpens = new Map<string, Row>()
  for (let count = 0; count < 200; count += 1) {
    const isNews = draws.chance(0.6)
    const [resource, document] = isNews ? ['news', 1 + draws.below(50)] : ['courses', draws.pick(courses)]
    const day = iso(draws.past()).slice(0, 10)
    contentOpens.set(`${resource} ${document} ${day}`, {
      resource,
      document_id: document,
      day,
      opens: 1 + draws.below(9),
    })
  }
  await insertRows(database, 'content_opens', [...contentOpens.values()])
}

/**
 * Fills an empty database with random facts.
 *
 * @param database - The database, with its owner.
 * @param seed - Seed of the facts.
 * @returns The wire ids by which reports are filtered.
 */
export async function fillReports(database: Database, seed: number): Promise<FilterIds> {
  const draws = new FactDraws(seed, Date.now())
  for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
  const regions = []
  for (let index = 0; index < 3; index += 1) regions.push(await buildRegion(database))
  // The first region has a second language, whose wire id is another one.
  const translatedRegion = await buildTranslation(database, 'regions', regions[0] ?? 0, 'ru', { name: 'Область' })
  const districts = []
  for (const region of [...regions, regions[0]]) districts.push(await buildDistrict(database, { region }))
  districts.push(await buildDistrict(database))
  const categoriesOf = async (name: string) => [
    await buildRecord(database, name, { name: reportedNames[0] }),
    await buildRecord(database, name, { name: reportedNames[1] }),
  ]
  const ids = {
    regions: [...regions, translatedRegion],
    districts,
    consultationcategories: await categoriesOf('consultationcategories'),
    productcategories: await categoriesOf('productcategories'),
    tradingpostcategories: await categoriesOf('tradingpostcategories'),
    coursecategories: await categoriesOf('coursecategories'),
  }
  const [regionKeys, districtKeys] = [await documentsOf(database, 'regions'), await documentsOf(database, 'districts')]
  const people = await addPeople(database, draws, regionKeys, districtKeys)
  const categories = await documentsOf(database, 'consultationcategories')
  const facts = new DeskFacts(draws, { ...people, regions: regionKeys, districts: districtKeys, categories })
  for (let count = 0; count < 160; count += 1) facts.addQuestion()
  for (let count = 0; count < 90; count += 1) facts.addRoom()
  facts.addOnlineDays()
  for (const [table, rows] of Object.entries(facts.rows)) await insertRows(database, table, rows as Row[])
  await addPrices(database, draws)
  const tradingposttypes = await addPosts(database, draws, regionKeys, districtKeys)
  const coursetypes = await addCourses(database, draws, people.customers)
  await addContent(database, draws)
  await database.query(sql`analyze`)
  return { ...ids, tradingposttypes, coursetypes, users: people.consultants }
}
