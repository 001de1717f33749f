/**
 * The cases that each figure of the reports counts, found by a plain program in rows of the tables, by the
 * written definitions and without the definitions of the server (statistics §5).
 */
import {
  changeTolerance,
  changeWindows,
  locales,
  openedContent,
  reportedContent,
  type ReportFilter,
  type ReportKey,
} from '@dala/model'
import { dayAt, dayNumber, startOf, type TimeRange } from './period.ts'
import { numberOf, type RawRow, type RawTables, textOf, timeOf } from './rows.ts'

/** Id of a row of a table in the answer: a wire id, a code, or null for "not set". */
export type DimId = string | number | null

/** A thing that a figure counts. */
export interface PlainCase {
  /** Time of a case; without a time it exists now. */
  at?: number
  /** Changes of a level by this case. */
  moves?: readonly { at: number; change: 1 | -1 }[]
  /** Value of a case at a time; 1 without a value. */
  value?: (now: number) => number
  /** Whether a case counts in a period and at a time; it does without a condition. */
  isCounted?: (now: number, period: TimeRange) => boolean
  /** What makes cases one, such as a user who is active in two courses. */
  distinct?: number
  dims: Readonly<Record<string, DimId>>
  /** The keys that filters compare; a filter that is not named has no effect. */
  about: Readonly<Partial<Record<ReportFilter, number | string | null>>>
}

export type PlainAggregate = 'count' | 'level' | 'sum' | 'share' | 'median' | 'p90' | 'mean' | 'max'

/** Cases, and how they become one value. */
export interface CaseFigure {
  cases: readonly PlainCase[]
  of: PlainAggregate
  fewest?: number
}

/** A figure of the recount: one value of cases, or the number of cases for each thousand of others. */
export type PlainFigure = CaseFigure | { part: CaseFigure; whole: CaseFigure }

export type PlainFigures = Readonly<Record<string, PlainFigure>>

const countOf = (cases: readonly PlainCase[]) => ({ cases, of: 'count' }) as const

const groupsOf = (rows: readonly RawRow[], column: string): ReadonlyMap<number | null, readonly RawRow[]> =>
  Map.groupBy(rows, (row) => numberOf(row, column))

/** Finds wire ids of documents and documents of wire ids. */
class WireIds {
  readonly #tables: RawTables
  constructor(tables: RawTables) {
    this.#tables = tables
  }
  #textsOf(resource: string): readonly RawRow[] {
    return this.#tables[`${resource}_texts`] ?? []
  }
  /** Returns the id of the English text of a document; without one, that of its text in the next language. */
  of(resource: string, document: number | null): number | null {
    if (document === null) return null
    const texts = this.#textsOf(resource).filter((row) => row.document_id === document)
    const [text] = locales.flatMap((locale) => texts.filter((row) => row.locale === locale))
    return numberOf(text, 'id')
  }
  /** Returns the document of the text with a wire id. */
  documentOf(resource: string, wire: number): number | null {
    return numberOf(
      this.#textsOf(resource).find(({ id }) => id === wire),
      'document_id',
    )
  }
}

/** Everything about the desk that reports count. */
interface DeskCases {
  asked: PlainCase[]
  finished: PlainCase[]
  reopened: PlainCase[]
  backlog: (PlainCase & { opened: number })[]
  replies: (PlainCase & { isFirst: boolean; wall: number; working: number })[]
  due: PlainCase[]
  waiting: PlainCase[]
  openNow: PlainCase[]
  rated: PlainCase[]
  handedOut: PlainCase[]
  handedIn: PlainCase[]
  madePublic: PlainCase[]
  online: PlainCase[]
}

/** Reads the place of a case, a reply or a wait from a row; its district is that of its question. */
function placeOf(row: RawRow | undefined, desk: string, ids: WireIds, question?: RawRow) {
  const [region, category] = [numberOf(row, 'region_id'), numberOf(row, 'category_id')]
  const locale = textOf(row, 'language')
  return {
    about: { region, category, district: numberOf(question, 'district_id'), locale },
    dims: {
      desk,
      region: ids.of('regions', region),
      category: ids.of('consultationcategories', category),
      language: locale,
    },
  }
}
type Place = ReturnType<typeof placeOf>

const creditPerson = ({ about, dims }: Place, person: number | null) => ({
  about: { ...about, consultant: person },
  dims: { ...dims, consultant: person },
})

/** Returns weekday and hour of a time in Tashkent. */
function hourOfWeek(moment: number): string {
  const localDate = new Date(moment + 5 * 3_600_000)
  return `${localDate.getUTCDay() || 7} ${localDate.getUTCHours()}`
}

function addCase(
  sum: DeskCases,
  caseDimensions: Place,
  owner: number | null,
  moves: readonly { at: number; action: string }[],
): void {
  const [firstMove] = moves
  if (!firstMove) return
  const filterValues = { ...caseDimensions.about, consultant: owner }
  sum.asked.push({
    about: filterValues,
    at: firstMove.at,
    dims: { ...caseDimensions.dims, consultant: owner, hour_weekday: hourOfWeek(firstMove.at) },
  })
  const { dims } = caseDimensions
  for (const { at, action } of moves.slice(1))
    (action === 'close' ? sum.finished : sum.reopened).push({ about: filterValues, dims, at })
  sum.backlog.push({
    about: filterValues,
    dims,
    opened: firstMove.at,
    moves: moves.map(({ at, action }) => ({ at, change: action === 'close' ? -1 : 1 })),
  })
}

function addReplies(sum: DeskCases, replies: readonly RawRow[], desk: string, ids: WireIds, question?: RawRow): void {
  for (const reply of replies) {
    const caseDimensions = creditPerson(placeOf(reply, desk, ids, question), numberOf(reply, 'consultant_id'))
    const repliedAt = timeOf(reply, 'replied_at') ?? 0
    sum.replies.push({
      ...caseDimensions,
      at: repliedAt,
      isFirst: reply.first === true,
      wall: Number(reply.wall_seconds) / 60,
      working: Number(reply.working_seconds) / 60,
    })
    const dueAt = timeOf(reply, 'due_at') ?? Number.POSITIVE_INFINITY
    sum.due.push({
      ...caseDimensions,
      at: timeOf(reply, 'asked_at') ?? 0,
      value: () => (repliedAt <= dueAt ? 1 : 0),
      isCounted: (now) => dueAt <= now,
    })
  }
}

/** Adds a wait that goes on, and whatever is open now. */
function addPresent(
  sum: DeskCases,
  row: RawRow,
  deskKind: string,
  person: number | null,
  isOpen: boolean,
  ids: WireIds,
): void {
  const caseDimensions = creditPerson(
    placeOf(row, deskKind, ids, deskKind === 'consultation' ? row : undefined),
    person,
  )
  const waitingSince = timeOf(row, 'waiting_since')
  const dueAt = timeOf(row, 'due_at') ?? Number.POSITIVE_INFINITY
  if (waitingSince !== undefined) {
    sum.due.push({ ...caseDimensions, at: waitingSince, value: () => 0, isCounted: (now) => dueAt <= now })
    sum.waiting.push({ ...caseDimensions, value: (now) => (now - waitingSince) / 60_000 })
  }
  if (isOpen) sum.openNow.push(caseDimensions)
}

function deskCases(tables: RawTables, ids: WireIds): DeskCases {
  const sum: DeskCases = {
    asked: [],
    finished: [],
    reopened: [],
    backlog: [],
    replies: [],
    due: [],
    waiting: [],
    openNow: [],
    rated: [],
    handedOut: [],
    handedIn: [],
    madePublic: [],
    online: [],
  }
  const byId = (rows: readonly RawRow[]) => rows.toSorted((left, right) => Number(left.id) - Number(right.id))
  const repliesOfQuestion = groupsOf(byId(tables.consultation_replies ?? []), 'consultation_id')
  const stepsOfQuestion = groupsOf(byId(tables.consultation_steps ?? []), 'consultation_id')
  const questions = new Map((tables.consultations ?? []).map((row) => [Number(row.id), row]))
  const rooms = new Map((tables.chatrooms ?? []).map((row) => [Number(row.id), row]))
  for (const [id, question] of questions) {
    const replies = repliesOfQuestion.get(id) ?? []
    const steps = stepsOfQuestion.get(id) ?? []
    const person = numberOf(question, 'consultant_id')
    const caseDimensions = placeOf(question, 'consultation', ids, question)
    // A case belongs to whoever replied first, else to who has it; a question entered with its answer is none.
    const owner = replies[0] ? numberOf(replies[0], 'consultant_id') : person
    if (question.recorded !== true)
      addCase(sum, caseDimensions, owner, [
        { at: timeOf(question, 'created_at') ?? 0, action: 'open' },
        ...steps.flatMap((step) => {
          const stepTime = timeOf(step, 'created_at') ?? 0
          if (step.action === 'finish') return [{ at: stepTime, action: 'close' }]
          return step.action === 'reopen' ? [{ at: stepTime, action: 'reopen' }] : []
        }),
      ])
    addReplies(sum, replies, 'consultation', ids, question)
    addPresent(sum, question, 'consultation', person, question.finished_at === null, ids)
    for (const step of steps) {
      const [fromUser, toUser] = [numberOf(step, 'from_user_id'), numberOf(step, 'to_user_id')]
      if (fromUser === null || toUser === null || fromUser === toUser) continue
      const stepTime = timeOf(step, 'created_at') ?? 0
      sum.handedOut.push({ ...creditPerson(caseDimensions, fromUser), at: stepTime })
      sum.handedIn.push({ ...creditPerson(caseDimensions, toUser), at: stepTime })
    }
  }
  const stepsOfRoom = groupsOf(byId(tables.room_steps ?? []), 'room_id')
  const repliesOfRoom = groupsOf(byId(tables.room_replies ?? []), 'room_id')
  for (const [id, room] of rooms) {
    const person = numberOf(room, 'assignee_id') ?? numberOf(room, 'receiver_id')
    const replies = repliesOfRoom.get(id) ?? []
    for (const [episode, steps] of groupsOf(stepsOfRoom.get(id) ?? [], 'episode')) {
      const lastStep = steps.at(-1)
      const isClosed = lastStep?.action === 'close'
      const reply = replies.find((roomReply) => roomReply.episode === episode)
      const owner = reply ? numberOf(reply, 'consultant_id') : isClosed ? numberOf(lastStep, 'owner_id') : person
      const moves = steps.map((step) => ({ at: timeOf(step, 'created_at') ?? 0, action: String(step.action) }))
      addCase(sum, placeOf(isClosed ? lastStep : room, 'chat', ids), owner, moves)
    }
    addReplies(sum, replies, 'chat', ids)
    addPresent(sum, room, 'chat', person, room.state !== 'closed' && Number(room.episode) > 0, ids)
  }
  for (const change of tables.room_changes ?? []) {
    const data = change.data as { from?: number | null; to?: number | null }
    const { from, to } = data
    if (change.type !== 'assigned' || typeof from !== 'number' || typeof to !== 'number' || from === to) continue
    const caseDimensions = placeOf(rooms.get(Number(change.room_id)), 'chat', ids)
    const changeTime = timeOf(change, 'created_at') ?? 0
    sum.handedOut.push({ ...creditPerson(caseDimensions, from), at: changeTime })
    sum.handedIn.push({ ...creditPerson(caseDimensions, to), at: changeTime })
  }
  for (const row of tables.consultation_publications ?? [])
    sum.madePublic.push({
      ...creditPerson(
        placeOf(row, 'consultation', ids, questions.get(Number(row.consultation_id))),
        numberOf(row, 'user_id'),
      ),
      at: timeOf(row, 'created_at') ?? 0,
    })
  for (const draft of tables.room_drafts ?? [])
    if (draft.resource === 'faqs')
      sum.madePublic.push({
        ...creditPerson(placeOf(rooms.get(Number(draft.room_id)), 'chat', ids), numberOf(draft, 'user_id')),
        at: timeOf(draft, 'created_at') ?? 0,
      })
  for (const row of tables.online_hours ?? []) {
    const consultant = numberOf(row, 'user_id')
    const minutes = String(row.minutes).replaceAll('0', '').length
    sum.online.push({
      at: timeOf(row, 'hour') ?? 0,
      value: () => minutes / 60,
      about: { consultant },
      dims: { consultant },
    })
  }
  for (const wait of tables.desk_waits_ended ?? []) {
    const [dueAt, endedAt] = [timeOf(wait, 'due_at') ?? 0, timeOf(wait, 'ended_at') ?? 0]
    if (dueAt > endedAt) continue
    const caseDimensions = placeOf(
      wait,
      wait.room_id === null ? 'consultation' : 'chat',
      ids,
      wait.room_id === null ? questions.get(Number(wait.consultation_id)) : undefined,
    )
    sum.due.push({
      ...creditPerson(caseDimensions, numberOf(wait, 'owner_id')),
      at: timeOf(wait, 'asked_at') ?? 0,
      value: () => 0,
    })
  }
  for (const [table, deskKind, records, column] of [
    ['consultation_ratings', 'consultation', questions, 'consultation_id'],
    ['room_ratings', 'chat', rooms, 'room_id'],
  ] as const)
    for (const rating of tables[table] ?? []) {
      const caseDimensions = placeOf(
        records.get(Number(rating[column])),
        deskKind,
        ids,
        deskKind === 'consultation' ? records.get(Number(rating[column])) : undefined,
      )
      sum.rated.push({
        ...creditPerson(caseDimensions, numberOf(rating, 'consultant_id')),
        at: timeOf(rating, 'created_at') ?? 0,
        value: () => Number(rating.score),
      })
    }
  return sum
}

/** Figures of the desk in the reports of consultations and consultants. */
function deskFigures(countedCases: DeskCases, hours: 'wall' | 'working') {
  const selectReplies = (isFirst?: boolean) =>
    countedCases.replies
      .filter((reply) => isFirst === undefined || reply.isFirst === isFirst)
      .map((reply) => ({ ...reply, value: () => (hours === 'wall' ? reply.wall : reply.working) }))
  return {
    answered: countOf(selectReplies()),
    reply_median: { cases: selectReplies(true), of: 'median' },
    reply_p90: { cases: selectReplies(true), of: 'p90' },
    next_median: { cases: selectReplies(false), of: 'median' },
    next_p90: { cases: selectReplies(false), of: 'p90' },
    within_target: { cases: countedCases.due, of: 'share' },
  } as const
}

/** Names the age of an open case at a time. */
export function ageOf(openedAt: number, moment: number): string {
  const hours = (moment - openedAt) / 3_600_000
  if (hours < 4) return 'hours4'
  if (hours < 24) return 'day1'
  return hours < 72 ? 'days3' : 'older'
}

/** Openings of content by day, of all kinds or of one. */
function openingsOf(tables: RawTables, ids: WireIds, kind?: { resource: string; dim: string }): PlainFigure {
  const rows = (tables.content_opens ?? []).filter(({ resource }) =>
    kind ? resource === kind.resource : openedContent.some((name) => name === resource),
  )
  const cases = rows.map((row) => ({
    at: startOf(dayNumber(textOf(row, 'day') ?? '')),
    value: () => Number(row.opens),
    dims: kind
      ? { [kind.dim]: ids.of(kind.resource, numberOf(row, 'document_id')) }
      : { opened: textOf(row, 'resource') },
    about: {},
  }))
  return { cases, of: 'sum' }
}

/** Cases of content: items, their openings, and the translations that published ones should have. */
function contentFigures(tables: RawTables, ids: WireIds): PlainFigures {
  const [publishedItems, drafts, changedItems, requiredTranslations, unopenedItems]: PlainCase[][] = [
    [],
    [],
    [],
    [],
    [],
  ]
  const openedItems = new Set(
    (tables.content_opens ?? []).map((row) => `${String(row.resource)} ${String(row.document_id)}`),
  )
  const byState: Record<string, PlainCase[]> = { current: [], outdated: [], missing: [] }
  for (const resource of reportedContent) {
    const texts = groupsOf(tables[`${resource}_texts`] ?? [], 'document_id')
    for (const item of tables[resource] ?? []) {
      const itemTexts = texts.get(Number(item.id)) ?? []
      const lastUpdate = Math.max(...itemTexts.map((text) => timeOf(text, 'updated_at') ?? 0))
      const isPublished =
        typeof item.active === 'boolean'
          ? item.active
          : typeof item.state === 'string'
            ? ['published', 'visible'].includes(item.state)
            : true
      const age = (now: number) => (now - lastUpdate) / 86_400_000
      const days = age(Date.now())
      const freshness = days < 30 ? 'fresh' : days < 180 ? 'ageing' : 'old'
      changedItems?.push({ at: lastUpdate, dims: {}, about: {} })
      if (!isPublished) {
        drafts?.push({ dims: { resource }, about: {} })
        continue
      }
      publishedItems?.push({ value: age, dims: { resource, freshness }, about: {} })
      if (openedContent.some((name) => name === resource) && !openedItems.has(`${resource} ${String(item.id)}`))
        unopenedItems?.push({ dims: { opened: resource }, about: {} })
      for (const locale of ['en', 'ru', 'uz', 'kaa']) {
        if (locale === item.source_locale) continue
        const text = itemTexts.find((itemText) => itemText.locale === locale)
        const state = !text
          ? 'missing'
          : Number(text.seen_changes) < Number(item.source_changes)
            ? 'outdated'
            : 'current'
        byState[state]?.push({ dims: { locale }, about: { locale } })
        requiredTranslations?.push({ dims: { locale }, about: { locale }, value: () => (state === 'current' ? 1 : 0) })
      }
    }
  }
  return {
    published: countOf(publishedItems ?? []),
    drafts: countOf(drafts ?? []),
    opens: openingsOf(tables, ids),
    opens_news: openingsOf(tables, ids, { resource: 'news', dim: 'news' }),
    opens_courses: openingsOf(tables, ids, { resource: 'courses', dim: 'course' }),
    never_opened: countOf(unopenedItems ?? []),
    changed: countOf(changedItems ?? []),
    untouched: { cases: publishedItems ?? [], of: 'median' },
    translated: { cases: requiredTranslations ?? [], of: 'share' },
    translations_current: countOf(byState.current ?? []),
    translations_outdated: countOf(byState.outdated ?? []),
    translations_missing: countOf(byState.missing ?? []),
    stale_translations: countOf([...(byState.outdated ?? []), ...(byState.missing ?? [])]),
  }
}

/** Figures of the price grid. */
function priceFigures(tables: RawTables, ids: WireIds, today: number): PlainFigures {
  const products = new Map((tables.products ?? []).map((row) => [Number(row.id), row]))
  const units = new Map((tables.units ?? []).map((row) => [Number(row.id), row]))
  const dates = (tables.pricedates ?? [])
    .map((row) => ({
      row,
      id: Number(row.id),
      day: dayNumber(String(row.date)),
      isPublished: row.state === 'published',
    }))
    .toSorted((left, right) => left.day - right.day)
  const dateById = new Map(dates.map((date) => [date.id, date]))
  const noMarket = new Set(
    (tables.pricedates_no_market ?? []).map((row) => `${String(row.holder_id)} ${String(row.target_id)}`),
  )
  const rowsOfDate = groupsOf(tables.pricelists ?? [], 'pricedate_id')
  const placeOfCell = (row: RawRow) => {
    const product = Number(row.product_id)
    const [region, category] = [numberOf(row, 'region_id'), numberOf(products.get(product), 'productcategory_id')]
    const district = numberOf(row, 'district_id')
    return {
      about: { region, category, district },
      dims: {
        region: ids.of('regions', region),
        category: ids.of('productcategories', category),
        district: ids.of('districts', district),
        product: ids.of('products', product),
      },
    }
  }
  const cellOf = (row: RawRow) => `${String(row.product_id)} ${String(row.district_id)} ${String(row.market_type)}`
  const hasPrice = (row: RawRow | undefined) => row !== undefined && row.price !== null
  const isEntered = (row: RawRow | undefined) => row !== undefined && hasPrice(row) && row.origin !== 'carried'

  const [expectedPrices, carriedPrices, cells, toCheck, correctedPrices]: [
    PlainCase[],
    PlainCase[],
    PlainCase[],
    PlainCase[],
    PlainCase[],
  ] = [[], [], [], [], []]
  for (const { id, day } of dates) {
    const rowByCell = new Map((rowsOfDate.get(id) ?? []).map((row) => [cellOf(row), row]))
    const dayBefore = dates.findLast((earlierDate) => earlierDate.isPublished && earlierDate.day < day)
    const formerRows = new Map((rowsOfDate.get(dayBefore?.id ?? null) ?? []).map((row) => [cellOf(row), row]))
    const dayStart = startOf(day)
    for (const [cell, row] of new Map([...formerRows, ...rowByCell])) {
      const presentRow = rowByCell.get(cell)
      if (!hasPrice(presentRow) && noMarket.has(`${id} ${String(row.district_id)}`)) continue
      const caseDimensions = placeOfCell(row)
      expectedPrices.push({ ...caseDimensions, at: dayStart, value: () => (isEntered(presentRow) ? 1 : 0) })
      carriedPrices.push({
        ...caseDimensions,
        at: dayStart,
        value: () => (hasPrice(presentRow) && !isEntered(presentRow) ? 1 : 0),
      })
    }
    for (const row of rowByCell.values()) {
      const caseDimensions = placeOfCell(row)
      if (isEntered(row)) {
        const isLate = dayAt(timeOf(row, 'created_at') ?? 0) > day
        cells.push({ ...caseDimensions, at: dayStart, value: () => (isLate ? 1 : 0) })
      }
      if (row.state === 'check') toCheck.push(caseDimensions)
    }
  }
  const priceById = new Map((tables.pricelists ?? []).map((row) => [Number(row.id), row]))
  for (const revision of tables.revisions ?? []) {
    if (revision.resource !== 'pricelists' || revision.operation !== 'update') continue
    const changedColumns = Object.keys(revision.changes as object)
    const row = priceById.get(Number(revision.document_id))
    const publishedAt = timeOf(dateById.get(Number(row?.pricedate_id))?.row, 'published_at')
    const correctedAt = timeOf(revision, 'created_at') ?? 0
    if (!row || publishedAt === undefined || correctedAt <= publishedAt) continue
    if (changedColumns.some((column) => ['price', 'price_max', 'unit_id'].includes(column)))
      correctedPrices.push({ ...placeOfCell(row), at: correctedAt })
  }

  const lastPrices = new Map<string, { row: RawRow; day: number }>()
  for (const { id, day } of dates)
    if (day <= today && day > today - 365)
      for (const row of rowsOfDate.get(id) ?? []) if (isEntered(row)) lastPrices.set(cellOf(row), { row, day })
  const sincePrice = [...lastPrices.values()].map(({ row, day }) => ({ ...placeOfCell(row), value: () => today - day }))

  /** Returns a reliable price in the unit of its product, or undefined when it cannot be compared. */
  const comparablePriceOf = (row: RawRow): number | undefined => {
    if (!isEntered(row) || row.state === 'check') return undefined
    const unitOfProduct = units.get(Number(products.get(Number(row.product_id))?.unit_id))
    const unit = units.get(Number(row.unit_id))
    const converts = unitOfProduct !== undefined && unitOfProduct.factor !== null
    if (converts) return unit?.kind === unitOfProduct.kind ? (numberOf(row, 'price_base') ?? undefined) : undefined
    return unit !== undefined && unit === unitOfProduct ? Number(row.price) : undefined
  }
  const lastDay = dates.findLast(({ isPublished }) => isPublished)?.day ?? 0
  /** Returns the newest comparable price of each cell in a window of days before the last published one. */
  const pricesBefore = (window: number, tolerance: number) => {
    const priceByCell = new Map<string, { row: RawRow; price: number }>()
    for (const { id, day, isPublished } of dates)
      if (isPublished && day <= lastDay - window && day >= lastDay - window - tolerance)
        for (const row of rowsOfDate.get(id) ?? []) {
          const price = comparablePriceOf(row)
          if (price !== undefined) priceByCell.set(cellOf(row), { row, price })
        }
    return priceByCell
  }
  const newest = pricesBefore(0, 0)
  const movedPrices = Object.fromEntries(
    changeWindows.map((window) => {
      const formerPrices = pricesBefore(Number(window), changeTolerance[window])
      const cases = [...newest].flatMap(([cell, { row, price }]) => {
        const formerPrice = formerPrices.get(cell)
        return formerPrice ? [{ ...placeOfCell(row), value: () => (price / formerPrice.price - 1) * 100 }] : []
      })
      return [`moved${window}`, { cases, of: 'median' as const }]
    }),
  )
  return {
    coverage: { cases: expectedPrices, of: 'share' },
    carried: { cases: carriedPrices, of: 'share' },
    cells: countOf(cells),
    late: { cases: cells, of: 'share' },
    market_days: countOf(dates.map(({ day }) => ({ at: startOf(day), dims: {}, about: {} }))),
    to_check: countOf(toCheck),
    corrected: countOf(correctedPrices),
    since_price: { cases: sincePrice, of: 'median' },
    ...movedPrices,
    newest: {
      cases: [...newest].map(([cell, { row, price }]) => {
        const { about, dims } = placeOfCell(row)
        const [product, , market] = cell.split(' ')
        return { about, dims: { ...dims, spread: `${product} ${market}` }, value: () => price }
      }),
      of: 'median',
    },
  }
}

/** Returns the spread of the prices of each product and kind of market among the cases of a region or category. */
export function spreadsOf(newest: readonly PlainCase[]): PlainCase[] {
  return [...Map.groupBy(newest, ({ dims }) => dims.spread).values()].flatMap((cells) => {
    const prices = cells.map(({ value }) => value?.(0) ?? 0)
    const [firstCell] = cells
    if (!firstCell || prices.length < 2) return []
    return [{ ...firstCell, value: () => (Math.max(...prices) / Math.min(...prices) - 1) * 100 }]
  })
}

const refusals = ['rejected', 'needs_changes']

function tradingFigures(tables: RawTables, ids: WireIds): PlainFigures {
  const posts = new Map((tables.tradinposts ?? []).map((row) => [Number(row.id), row]))
  const textsOfPost = groupsOf(tables.tradinposts_texts ?? [], 'document_id')
  const reasons = new Map((tables.moderationreasons ?? []).map((row) => [String(row.code), Number(row.id)]))
  const aboutOf = (post: RawRow | undefined) => ({
    region: numberOf(post, 'region_id'),
    district: numberOf(post, 'district_id'),
    category: numberOf(post, 'tradingpostcategory_id'),
    type: numberOf(post, 'tradingposttype_id'),
  })
  const placedPosts = [...posts].map(([id, post]) => {
    const source = textsOfPost.get(id)?.find(({ locale }) => locale === post.source_locale)
    const filterValues = aboutOf(post)
    return {
      post,
      about: filterValues,
      at: timeOf(source, 'created_at') ?? 0,
      dims: {
        type: filterValues.type,
        category: ids.of('tradingpostcategories', filterValues.category),
        region: ids.of('regions', filterValues.region),
        delivery: String(post.delivery),
      },
    }
  })
  const placeOfPost = new Map(placedPosts.map(({ post, about, dims }) => [Number(post.id), { about, dims }]))
  const renewals = (tables.post_renewals ?? []).flatMap((row) => {
    const caseDimensions = placeOfPost.get(Number(row.document_id))
    return caseDimensions ? [{ ...caseDimensions, at: timeOf(row, 'created_at') ?? 0 }] : []
  })
  const inState = (state: string) =>
    placedPosts.filter(({ post }) => post.status === state).map(({ about, dims }) => ({ about, dims }))
  const [decidedCases, waits, givenReasons, repeatedRefusals]: [PlainCase[], PlainCase[], PlainCase[], PlainCase[]] = [
    [],
    [],
    [],
    [],
  ]
  const refusedPosts = new Set<number>()
  for (const decision of (tables.post_decisions ?? []).toSorted((left, right) => Number(left.id) - Number(right.id))) {
    const toState = String(decision.to_state)
    if (decision.undone_at !== null || !['processed', ...refusals].includes(toState)) continue
    const document = Number(decision.document_id)
    const decidedAt = timeOf(decision, 'created_at') ?? 0
    const filterValues = aboutOf(posts.get(document))
    decidedCases.push({
      at: decidedAt,
      about: filterValues,
      dims: { outcome: toState, subject: String(decision.subject) },
    })
    const formerState = decision.kept as { values?: { waiting_since?: string | null } } | null
    const waitStart = formerState?.values?.waiting_since
    if (typeof waitStart === 'string')
      waits.push({
        at: decidedAt,
        about: filterValues,
        dims: {},
        value: () => (decidedAt - Date.parse(waitStart)) / 60_000,
      })
    if (!refusals.includes(toState)) continue
    const codes = decision.reasons as string[]
    for (const code of codes.length > 0 ? codes : [null])
      givenReasons.push({
        at: decidedAt,
        about: filterValues,
        dims: { reason: code === null ? null : (reasons.get(code) ?? null) },
      })
    if (refusedPosts.has(document)) repeatedRefusals.push({ at: decidedAt, about: filterValues, dims: {} })
    refusedPosts.add(document)
  }
  return {
    posts: countOf(placedPosts),
    renewed: countOf(renewals),
    on_hold: countOf(inState('on_hold')),
    processed: countOf(inState('processed')),
    needs_changes: countOf(inState('needs_changes')),
    rejected: countOf(inState('rejected')),
    expiring: countOf(
      placedPosts.flatMap(({ post, about }) => {
        const expiresAt = timeOf(post, 'expires_at')
        if (post.status !== 'processed' || expiresAt === undefined) return []
        return [{ about, dims: {}, isCounted: (now: number) => expiresAt < now + 7 * 86_400_000 }]
      }),
    ),
    decided: countOf(decidedCases),
    decision_median: { cases: waits, of: 'median' },
    reasons: countOf(givenReasons),
    refused_again: countOf(repeatedRefusals),
  }
}

/** Finds the lessons that learners see and the parts of them, by language, in the published copies. */
function publishedParts(tables: RawTables) {
  const hiddenGroups = new Set(
    (tables.published_lessongroups ?? []).flatMap((row) => (row.state === 'hidden' ? [Number(row.id)] : [])),
  )
  const texts = groupsOf(tables.published_lessons_texts ?? [], 'document_id')
  const lengthOf = (video: unknown): number | undefined => {
    const seconds = (video as { duration_s?: unknown } | null)?.duration_s
    return typeof seconds === 'number' ? Math.round(seconds * 10) / 10 : undefined
  }
  const lessons = new Map<number, Map<string, { part: string; length: number | undefined }[]>>()
  for (const lesson of tables.published_lessons ?? []) {
    if (lesson.state !== 'visible' || hiddenGroups.has(numberOf(lesson, 'lessongroup_id') ?? -1)) continue
    const languages = new Map<string, { part: string; length: number | undefined }[]>()
    for (const text of texts.get(Number(lesson.id)) ?? []) {
      const parts = text.parts as { id: string; video?: unknown }[] | null
      const lessonParts =
        lesson.kind === 'multi' && parts !== null && parts.length > 0
          ? parts.map(({ id, video }) => ({ part: id, length: lengthOf(video) }))
          : [{ part: '', length: lengthOf(lesson.video) }]
      languages.set(String(text.locale), lessonParts)
    }
    lessons.set(Number(lesson.id), languages)
  }
  return lessons
}

/** Returns whether a published course has other texts now than when it was published. */
function isChangedCourse(tables: RawTables, course: number): boolean {
  const versions = (prefix: string) =>
    ['courses', 'lessongroups', 'lessons'].flatMap((tableSuffix) => {
      const inCourse = new Set(
        (tables[`${prefix}${tableSuffix}`] ?? []).flatMap((row) => (row.course_id === course ? [Number(row.id)] : [])),
      )
      return (tables[`${prefix}${tableSuffix}_texts`] ?? [])
        .filter((text) =>
          tableSuffix === 'courses' ? text.document_id === course : inCourse.has(Number(text.document_id)),
        )
        .map((text) => `${tableSuffix} ${String(text.id)} ${String(text.version)}`)
    })
  return versions('').toSorted().join() !== versions('published_').toSorted().join()
}

function learningFigures(tables: RawTables, ids: WireIds): PlainFigures {
  const courses = new Map((tables.courses ?? []).map((row) => [Number(row.id), row]))
  const lessons = new Map((tables.lessons ?? []).map((row) => [Number(row.id), row]))
  const hiddenGroups = new Set(
    (tables.lessongroups ?? []).flatMap((row) => (row.state === 'hidden' ? [Number(row.id)] : [])),
  )
  const users = new Map((tables.users ?? []).map((row) => [Number(row.id), row]))
  const categoryOf = (course: number) => numberOf(courses.get(course), 'coursecategory_id')
  const aboutCourse = (course: number) => ({
    category: categoryOf(course),
    type: numberOf(courses.get(course), 'coursetype_id'),
  })
  const allCourses = [...courses].map(([id, course]) => ({
    id,
    course,
    about: aboutCourse(id),
    dims: {
      category: ids.of('coursecategories', categoryOf(id)),
      coursetype: ids.of('coursetypes', numberOf(course, 'coursetype_id')),
      course_state: String(course.state),
    },
  }))
  const isPublished = ({ course }: (typeof allCourses)[number]) => course.state === 'published'
  const allLessons = [...lessons].map(([id, lesson]) => {
    const source = tables.lessons_texts?.find((text) => text.document_id === id && text.locale === lesson.source_locale)
    return {
      lesson,
      about: aboutCourse(Number(lesson.course_id)),
      dims: {},
      created: timeOf(source, 'created_at') ?? 0,
    }
  })
  const seenLessons = allLessons
    .filter(({ lesson }) => lesson.state === 'visible' && !hiddenGroups.has(numberOf(lesson, 'lessongroup_id') ?? -1))
    .map(({ about, dims, lesson }) => ({ about, dims, value: () => numberOf(lesson, 'duration_minutes') ?? 0 }))

  const progress = (tables.lesson_progress ?? []).toSorted(
    (left, right) =>
      (timeOf(left, 'created_at') ?? 0) - (timeOf(right, 'created_at') ?? 0) ||
      Number(left.lesson_id) - Number(right.lesson_id) ||
      (String(left.part) < String(right.part) ? -1 : 1),
  )
  const placeOfLearner = (user: number, course: number, locale: string | null) => {
    const [region, district] = [numberOf(users.get(user), 'region_id'), numberOf(users.get(user), 'district_id')]
    return {
      about: { region, district, locale, ...aboutCourse(course) },
      dims: { region: ids.of('regions', region), language: locale, course: ids.of('courses', course) },
    }
  }
  const startedCourses = new Map(
    [...Map.groupBy(progress, (row) => `${String(row.user_id)} ${String(row.course_id)}`)].map(([key, rows]) => {
      const [firstRow] = rows
      const [user, course] = [Number(firstRow?.user_id), Number(firstRow?.course_id)]
      const startedAt = timeOf(firstRow, 'created_at') ?? 0
      const lastActivity = Math.max(...rows.map((row) => timeOf(row, 'updated_at') ?? 0))
      return [
        key,
        { ...placeOfLearner(user, course, textOf(firstRow, 'locale')), user, at: startedAt, last: lastActivity },
      ]
    }),
  )
  /** Returns the first language of a learner in a course. */
  const languageOf = (user: number, course: number) => startedCourses.get(`${user} ${course}`)?.dims.language ?? null
  const completions = (tables.course_completions ?? []).map((row) => {
    const [user, course] = [Number(row.user_id), Number(row.course_id)]
    const completedAt = timeOf(row, 'completed_at') ?? 0
    const start = startedCourses.get(`${user} ${course}`)
    const days = Math.max(0, (completedAt - (start?.at ?? completedAt)) / 86_400_000)
    return { ...placeOfLearner(user, course, start?.dims.language ?? null), at: completedAt, value: () => days }
  })
  const parts = publishedParts(tables)
  const completedParts = new Set(
    progress.flatMap((row) =>
      row.completed_at === null ? [] : [`${String(row.user_id)} ${String(row.lesson_id)} ${String(row.part)}`],
    ),
  )
  const startedLessons = [
    ...Map.groupBy(progress, (row) => `${String(row.user_id)} ${String(row.lesson_id)}`).values(),
  ].map(([firstRow]) => {
    const [user, lesson] = [Number(firstRow?.user_id), Number(firstRow?.lesson_id)]
    const course = Number(lessons.get(lesson)?.course_id)
    const isComplete = [...(parts.get(lesson)?.values() ?? [])].some((lessonParts) =>
      lessonParts.every(({ part }) => completedParts.has(`${user} ${lesson} ${part}`)),
    )
    return {
      about: placeOfLearner(user, course, languageOf(user, course)).about,
      dims: { lesson: ids.of('lessons', lesson) },
      at: timeOf(firstRow, 'created_at') ?? 0,
      value: () => (isComplete ? 1 : 0),
    }
  })
  const watchedCases = progress.flatMap((row) => {
    const lesson = Number(row.lesson_id)
    const lengths = [...(parts.get(lesson)?.values() ?? [])].flatMap((lessonParts) =>
      lessonParts.flatMap(({ part, length }) => (part === row.part && length ? [length] : [])),
    )
    if (row.opened_at === null || lengths.length === 0) return []
    const share = Math.min(1, Number(row.watched_s) / Math.max(...lengths))
    return [
      {
        about: placeOfLearner(
          Number(row.user_id),
          Number(row.course_id),
          languageOf(Number(row.user_id), Number(row.course_id)),
        ).about,
        dims: { lesson: ids.of('lessons', lesson) },
        at: timeOf(row, 'created_at') ?? 0,
        value: () => share,
      },
    ]
  })
  return {
    courses: countOf(allCourses),
    courses_published: countOf(allCourses.filter(isPublished)),
    courses_changed: countOf(
      allCourses.filter((courseCase) => isPublished(courseCase) && isChangedCourse(tables, courseCase.id)),
    ),
    lessons: countOf(seenLessons),
    lesson_minutes: { cases: seenLessons, of: 'sum' },
    lessons_added: countOf(allLessons.map(({ about, dims, created }) => ({ about, dims, at: created }))),
    starts: countOf([...startedCourses.values()]),
    learners_active: countOf(
      [...startedCourses.values()].map(({ about, last, user }) => ({
        about,
        dims: {},
        distinct: user,
        isCounted: (_now: number, { from, until }: TimeRange) => last >= from && last < until,
      })),
    ),
    completions: countOf(completions),
    finish_median: { cases: completions, of: 'median' },
    lessons_started: countOf(startedLessons),
    lesson_finished: { cases: startedLessons, of: 'share' },
    watched: { cases: watchedCases, of: 'share' },
  }
}

function peopleFigures(tables: RawTables, ids: WireIds, askedCases: readonly PlainCase[]): PlainFigures {
  const roles = new Map((tables.roles ?? []).map((row) => [row.id, row.type]))
  const people = (tables.users ?? [])
    .filter((user) => roles.get(user.role_id) === 'authenticated')
    .map((user) => {
      const [region, district] = [numberOf(user, 'region_id'), numberOf(user, 'district_id')]
      return {
        user,
        about: { region, district, locale: textOf(user, 'language') },
        dims: {
          region: ids.of('regions', region),
          district: ids.of('districts', district),
          language: textOf(user, 'language'),
        },
        created: timeOf(user, 'created_at') ?? 0,
        removed: timeOf(user, 'removed_at'),
      }
    })
  const users = people.filter(({ user }) => user.is_consultant !== true)
  const consultants = people.filter(
    ({ user, removed }) =>
      user.is_consultant === true && user.active === true && user.blocked !== true && removed === undefined,
  )
  const daysByUser = groupsOf(tables.user_days ?? [], 'user_id')
  const visitFigure = countOf(
    users.flatMap(({ user, about, dims }) => {
      const days = daysByUser.get(Number(user.id)) ?? []
      const visits = [...days.map((day) => timeOf(day, 'first_at')), timeOf(user, 'last_seen_at')]
      return visits.flatMap((visitTime) =>
        visitTime === undefined ? [] : [{ at: visitTime, about, dims, distinct: Number(user.id) }],
      )
    }),
  )
  const level = {
    cases: users.map(({ about, dims, created, removed }) => ({
      about,
      dims,
      moves: [
        { at: created, change: 1 as const },
        ...(removed === undefined ? [] : [{ at: removed, change: -1 as const }]),
      ],
    })),
    of: 'level',
  } as const
  return {
    joined: countOf(users.map(({ about, dims, created }) => ({ about, dims, at: created }))),
    users: level,
    seen: visitFigure,
    consultants: countOf(consultants.map(({ about, dims }) => ({ about, dims }))),
    consultants_ratio: { part: countOf(consultants.map(({ about, dims }) => ({ about, dims }))), whole: visitFigure },
    asked_ratio: { part: countOf(askedCases), whole: level },
  }
}

/** Resources whose documents have the id of the wire. */
const unlocalized: ReadonlySet<string> = new Set(['users', 'tradingposttypes'])

/** The cases of all figures on one day, and the documents of the ids that filters name. */
export class Recount {
  readonly day: number
  readonly #ids: WireIds
  readonly #desk: DeskCases
  readonly #shared: Readonly<Record<'content' | 'prices' | 'trading' | 'learning' | 'people', PlainFigures>>

  constructor(tables: RawTables, presentMoment: number) {
    const ids = new WireIds(tables)
    this.day = dayAt(presentMoment)
    this.#ids = ids
    this.#desk = deskCases(tables, ids)
    this.#shared = {
      content: contentFigures(tables, ids),
      prices: priceFigures(tables, ids, this.day),
      trading: tradingFigures(tables, ids),
      learning: learningFigures(tables, ids),
      people: peopleFigures(tables, ids, this.#desk.asked),
    }
  }

  /** Returns the key that a filter's wire id stands for. */
  keyOf(resource: string, wire: number): number | null {
    return unlocalized.has(resource) ? wire : this.#ids.documentOf(resource, wire)
  }

  /** Returns the figures of a report by key. */
  figuresOf(report: ReportKey, hours: 'wall' | 'working'): PlainFigures {
    const countedCases = this.#desk
    const { content, prices, trading, learning } = this.#shared
    const pickFigure = (figures: PlainFigures, key: string): PlainFigures => {
      const figure = figures[key]
      if (!figure) throw new Error(`Nothing recounts ${key}`)
      return { [key]: figure }
    }
    const backlog = { backlog: { cases: countedCases.backlog, of: 'level' } } as const
    switch (report) {
      case 'overview':
        return {
          waiting: countOf(countedCases.waiting),
          oldest_wait: { cases: countedCases.waiting, of: 'max' },
          asked: countOf(countedCases.asked),
          finished: countOf(countedCases.finished),
          within_target: { cases: countedCases.due, of: 'share' },
          ...pickFigure(prices, 'coverage'),
          ...pickFigure(trading, 'on_hold'),
          ...pickFigure(content, 'stale_translations'),
          ...pickFigure(learning, 'learners_active'),
        }
      case 'consultations':
        return {
          asked: countOf(countedCases.asked),
          made_public: countOf(countedCases.madePublic),
          finished: countOf(countedCases.finished),
          reopened: countOf(countedCases.reopened),
          ...backlog,
          ...deskFigures(countedCases, hours),
        }
      case 'consultants':
        return {
          ...deskFigures(countedCases, hours),
          asked: countOf(countedCases.asked),
          online_hours: { cases: countedCases.online, of: 'sum' },
          open_now: countOf(countedCases.openNow),
          rating: { cases: countedCases.rated, of: 'mean', fewest: 5 },
          handovers_out: countOf(countedCases.handedOut),
          handovers_in: countOf(countedCases.handedIn),
        }
      default:
        return this.#shared[report]
    }
  }
}
