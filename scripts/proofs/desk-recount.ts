/**
 * A plain recount of histories of the desk, without the definitions of the server: it follows the events of
 * each case and knows working hours by itself (statistics §5).
 */

/** Event in the history of a case. */
export interface DeskEvent {
  at: number
  kind: 'ask' | 'reply' | 'note' | 'close' | 'reopen' | 'assign' | 'rate'
  /** Author of a reply. */
  by?: number
  /** New owner of a case. */
  to?: number | null
  caseScore?: number
}

/** History of a room, or of a question, from its first owner on. */
export interface DeskHistory {
  desk: 'chat' | 'consultation'
  owner: number | null
  region: number | null
  category: number | null
  /** Target minutes of the first reply. */
  minutes: number
  events: DeskEvent[]
}

/** Working hours of the recount, on local days of the week from Monday. */
export interface OfficeHours {
  days: readonly number[]
  from: number
  to: number
}

const minute = 60_000
const dayLength = 1_440 * minute
/** Offset of Tashkent, which has had no other for thirty years. */
const zone = 300 * minute

/** Returns the day of a moment in Tashkent. */
export const dayOf = (timestamp: number): string => new Date(timestamp + zone).toISOString().slice(0, 10)

/** Returns the working span of the local day that contains a moment. */
function findWorkSpan(timestamp: number, hours: OfficeHours): [number, number] {
  const start = Math.floor((timestamp + zone) / dayLength) * dayLength - zone
  const weekday = ((Math.floor((timestamp + zone) / dayLength) + 3) % 7) + 1
  if (!hours.days.includes(weekday)) return [start, start]
  return [start + hours.from * minute, start + hours.to * minute]
}

/** Counts the working milliseconds between two moments. */
function workBetween(from: number, to: number, hours: OfficeHours): number {
  let sum = 0
  for (let timestamp = from; dayOf(timestamp) <= dayOf(to); timestamp += dayLength) {
    const [openingTime, closingTime] = findWorkSpan(timestamp, hours)
    sum += Math.max(0, Math.min(closingTime, to) - Math.max(openingTime, from))
  }
  return sum
}

/** Returns the moment when a number of working minutes has passed. */
function computeDueTime(startMoment: number, minutes: number, hours: OfficeHours): number {
  let remainingTime = minutes * minute
  for (let timestamp = startMoment; ; timestamp += dayLength) {
    const [openingTime, closingTime] = findWorkSpan(timestamp, hours)
    const start = Math.max(openingTime, startMoment)
    if (closingTime > start && closingTime - start >= remainingTime) return start + remainingTime
    remainingTime -= Math.max(0, closingTime - start)
  }
}

interface EventPlace {
  desk: DeskHistory['desk']
  region: number | null
  category: number | null
}
interface Reply extends EventPlace {
  at: number
  by: number
  wallMinutes: number
  work: number
  isFirst: boolean
}
interface CaseWait extends EventPlace {
  at: number
  person: number | null
  due: number
  isKept: boolean
  /** Time of the wait's end, when it ended without a reply. */
  endTime?: number
}
interface OpenCase extends EventPlace {
  opened: number
  caseMoves: { at: number; action: 'close' | 'reopen' }[]
  owner: number | null
}
interface HandOverEvent extends EventPlace {
  at: number
  from: number
  to: number
}
interface CaseRating extends EventPlace {
  at: number
  by: number | null
  caseScore: number
}

/** Everything that the histories of the desk contain. */
export interface CaseRecount {
  cases: OpenCase[]
  replies: Reply[]
  caseWaits: CaseWait[]
  handovers: HandOverEvent[]
  ratings: CaseRating[]
}

/** The present state of a case after its history. */
export interface PresentCase {
  owner: number | null
  isClosed: boolean
  episode: number
  since: number | null
  due: number | null
}

/** Follows one history and adds what it contains to the recount. */
export function followHistory(history: DeskHistory, hours: OfficeHours, sum: CaseRecount): PresentCase {
  const { desk, region, category, minutes } = history
  const caseDimensions = { desk, region, category }
  let { owner } = history
  let openCase = undefined as OpenCase | undefined
  let [isClosed, episode, hasReplied] = [false, 0, 0]
  let lastAuthor: number | null = null
  let wait: { since: number; due: number } | undefined
  const beginWait = (timestamp: number) => {
    wait ??= { since: timestamp, due: computeDueTime(timestamp, hasReplied > 0 ? 120 : minutes, hours) }
  }
  const startCase = (timestamp: number) => {
    openCase = { ...caseDimensions, opened: timestamp, caseMoves: [], owner }
    sum.cases.push(openCase)
    episode += 1
    hasReplied = 0
  }
  for (const { at, kind, by, to, caseScore: score } of history.events) {
    if (kind === 'ask') {
      if (!openCase || isClosed) startCase(at)
      isClosed = false
      beginWait(at)
    } else if (kind === 'reply' && by !== undefined) {
      if (!wait) continue
      const { since, due } = wait
      sum.replies.push({
        ...caseDimensions,
        at,
        by,
        wallMinutes: at - since,
        work: workBetween(since, at, hours),
        isFirst: hasReplied === 0,
      })
      sum.caseWaits.push({ ...caseDimensions, at: since, person: by, due, isKept: at <= due })
      if (hasReplied === 0 && openCase) openCase.owner = by
      hasReplied += 1
      lastAuthor = by
      wait = undefined
    } else if (kind === 'close') {
      isClosed = true
      openCase?.caseMoves.push({ at, action: 'close' })
      if (openCase && hasReplied === 0) openCase.owner = owner
      if (wait)
        sum.caseWaits.push({
          ...caseDimensions,
          at: wait.since,
          person: owner,
          due: wait.due,
          isKept: false,
          endTime: at,
        })
      wait = undefined
    } else if (kind === 'reopen') {
      isClosed = false
      openCase?.caseMoves.push({ at, action: 'reopen' })
      beginWait(at)
    } else if (kind === 'assign') {
      if (owner !== null && to !== null && to !== undefined && to !== owner)
        sum.handovers.push({ ...caseDimensions, at, from: owner, to })
      owner = to ?? null
    } else if (kind === 'rate' && score !== undefined)
      sum.ratings.push({ ...caseDimensions, at, by: lastAuthor, caseScore: score })
  }
  // A case without a reply belongs to its present owner until it is closed.
  if (openCase && hasReplied === 0 && (!isClosed || desk === 'consultation')) openCase.owner = owner
  if (wait) sum.caseWaits.push({ ...caseDimensions, at: wait.since, person: owner, due: wait.due, isKept: false })
  return { owner, isClosed, episode, since: wait?.since ?? null, due: wait?.due ?? null }
}

/** A question to the reports, as the recount understands it. */
export interface DeskQuery {
  from: string
  to: string
  region?: number
  category?: number
  consultant?: number
  hours: 'wall' | 'working'
}

const isWithin = (timestamp: number, { from, to }: DeskQuery) => dayOf(timestamp) >= from && dayOf(timestamp) <= to
const isPlaced = ({ region, category }: EventPlace, query: DeskQuery) =>
  (query.region === undefined || region === query.region) &&
  (query.category === undefined || category === query.category)

/** Returns a quantile by linear interpolation, null without values. */
function quantile(values: readonly number[], share: number): number | null {
  const sortedValues = values.toSorted((left, right) => left - right)
  const rank = (sortedValues.length - 1) * share
  const [low, high] = [sortedValues[Math.floor(rank)], sortedValues[Math.ceil(rank)]]
  return low === undefined || high === undefined ? null : low + (high - low) * (rank - Math.floor(rank))
}

/** Figures by key; null is "no data". */
export type Figures = Record<string, number | null>

function repliesOf(replies: readonly Reply[], { hours }: DeskQuery): Figures {
  const minutesOf = (isFirst: boolean) =>
    replies
      .filter((reply) => reply.isFirst === isFirst)
      .map(({ wallMinutes: wall, work }) => Math.round((hours === 'wall' ? wall : work) / 1_000) / 60)
  return {
    answered: replies.length,
    reply_median: quantile(minutesOf(true), 0.5),
    reply_p90: quantile(minutesOf(true), 0.9),
    next_median: quantile(minutesOf(false), 0.5),
    next_p90: quantile(minutesOf(false), 0.9),
  }
}

function shareOf(waits: readonly CaseWait[], now: number): number | null {
  const keptWaits = waits.filter(({ due, endTime: endedAt }) => due <= (endedAt ?? now))
  return keptWaits.length === 0 ? null : (keptWaits.filter(({ isKept }) => isKept).length / keptWaits.length) * 100
}

const isOpenAfter = ({ opened, caseMoves: moves }: OpenCase, day: string): boolean =>
  dayOf(opened) <= day && moves.findLast(({ at }) => dayOf(at) <= day)?.action !== 'close'

/** Recounts the report of consultations, with the backlog at the end of each given day. */
export function recountCases(sum: CaseRecount, query: DeskQuery, days: readonly string[], now: number): Figures {
  const { consultant } = query
  const cases = sum.cases.filter(
    (deskCase) => isPlaced(deskCase, query) && (consultant === undefined || deskCase.owner === consultant),
  )
  const caseMoves = cases.flatMap((deskCase) => deskCase.caseMoves).filter(({ at }) => isWithin(at, query))
  const replies = sum.replies.filter(
    (deskReply) =>
      isPlaced(deskReply, query) &&
      isWithin(deskReply.at, query) &&
      (consultant === undefined || deskReply.by === consultant),
  )
  const caseWaits = sum.caseWaits.filter(
    (caseWait) =>
      isPlaced(caseWait, query) &&
      isWithin(caseWait.at, query) &&
      (consultant === undefined || caseWait.person === consultant),
  )
  return {
    asked: cases.filter(({ opened }) => isWithin(opened, query)).length,
    finished: caseMoves.filter(({ action }) => action === 'close').length,
    reopened: caseMoves.filter(({ action }) => action === 'reopen').length,
    backlog: cases.filter((deskCase) => isOpenAfter(deskCase, query.to)).length,
    within_target: shareOf(caseWaits, now),
    ...repliesOf(replies, query),
    ...Object.fromEntries(
      days.map((day) => [`backlog ${day}`, cases.filter((deskCase) => isOpenAfter(deskCase, day)).length]),
    ),
  }
}

/** Recounts the row of a consultant. */
export function recountPerson(sum: CaseRecount, query: DeskQuery, person: number, now: number): Figures {
  const isWithinRange = (deskEvent: EventPlace & { at: number }) =>
    isPlaced(deskEvent, query) && isWithin(deskEvent.at, query)
  const { answered, reply_median } = repliesOf(
    sum.replies.filter((deskReply) => isWithinRange(deskReply) && deskReply.by === person),
    query,
  )
  const scores = sum.ratings
    .filter((caseRating) => isWithinRange(caseRating) && caseRating.by === person)
    .map(({ caseScore: score }) => score)
  return {
    answered: answered ?? 0,
    reply_median: reply_median ?? null,
    within_target: shareOf(
      sum.caseWaits.filter((caseWait) => isWithinRange(caseWait) && caseWait.person === person),
      now,
    ),
    rating: scores.length < 5 ? null : scores.reduce((total, score) => total + score, 0) / scores.length,
    handovers_out: sum.handovers.filter((handover) => isWithinRange(handover) && handover.from === person).length,
    handovers_in: sum.handovers.filter((handover) => isWithinRange(handover) && handover.to === person).length,
  }
}
