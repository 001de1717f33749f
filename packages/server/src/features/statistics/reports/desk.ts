/**
 * Definitions of the desk's figures, for consultations and chats alike (statistics §5): cases, their openings
 * and closings, replies, waits, ratings and hand-overs. All are facts of their time; the present record gives
 * only values that no fact has fixed yet.
 */
import { zoneSql } from '../../../db/calendar.ts'
import { sql } from '../../../db/sql.ts'
import {
  joinConditions,
  type CaseRecord,
  type Measure,
  type MeasureContext,
  minutesBetween,
  type Sql,
} from '../measures.ts'

/**
 * SQL of the owner of a case: the consultant who replied first, else the one who has it. Zero stands for a
 * replier who was removed, so that one search tells them from a case without a reply.
 */
const ownerOf = (repliesSql: Sql, order: Sql, holder: Sql): Sql =>
  sql`nullif(coalesce((select coalesce(f.consultant_id, 0) from ${repliesSql} order by ${order} limit 1), ${holder}), 0)`

const ownerOfQuestion = ownerOf(
  sql`consultation_replies f where f.consultation_id = c.id`,
  sql`f.turn`,
  sql`c.consultant_id`,
)

/**
 * SQL of the record of a fact, which is found by its key alone: without statistics of a table, as after an
 * import, the planner would search all records of a category for each fact.
 */
const questionOf = (id: Sql): Sql => sql`lateral (select * from consultations x where x.id = ${id} offset 0) c`
const roomOf = (id: Sql): Sql => sql`lateral (select * from chatrooms x where x.id = ${id} offset 0) r`

/** SQL of whether the last step of a conversation closed it; what it was about is frozen with that step. */
const lastStep = sql`lateral (select l.action, l.created_at, l.owner_id, l.region_id, l.category_id, l.language from room_steps l
  where l.room_id = s.room_id and l.episode = s.episode order by l.id desc limit 1)`
const selectByState = (closedSql: Sql, openSql: Sql): Sql =>
  sql`case when z.action = 'close' then ${closedSql} else ${openSql} end`
const ownerOfEpisode = ownerOf(
  sql`room_replies f where f.room_id = s.room_id and f.episode = s.episode`,
  sql`f.id`,
  selectByState(sql`z.owner_id`, sql`coalesce(r.assignee_id, r.receiver_id)`),
)

/**
 * SQL of the openings and closings of cases. A case is a question, or one conversation of a chat from its
 * first message to its closing; a question that was entered with its answer is none. Each column has one
 * type in all three parts: otherwise the planner computes every column of every event before it compares
 * the action.
 */
const events = sql`
  desk_events as not materialized (
    select 'consultation'::text as desk, c.id as subject, 0 as episode, 'open'::text as action, c.created_at as at, c.created_at as opened,
           c.finished_at as ended, c.user_id as customer, c.region_id as region, c.category_id as category, c.language as language,
           ${ownerOfQuestion} as owner
      from consultations c where not c.recorded
    union all
    select 'consultation', s.consultation_id, 0, case s.action when 'finish' then 'close' else s.action::text end, s.created_at, c.created_at,
           c.finished_at, c.user_id, c.region_id, c.category_id, c.language, ${ownerOfQuestion}
      from consultation_steps s cross join ${questionOf(sql`s.consultation_id`)}
     where s.action in ('finish', 'reopen') and s.turn > 0
    union all
    select 'chat', s.room_id, s.episode, s.action::text, s.created_at, o.created_at, case when z.action = 'close' then z.created_at end,
           r.sender_id, ${selectByState(sql`z.region_id`, sql`r.region_id`)}, ${selectByState(sql`z.category_id`, sql`r.category_id`)},
           ${selectByState(sql`z.language`, sql`r.language`)}, ${ownerOfEpisode}
      from room_steps s cross join ${roomOf(sql`s.room_id`)}
      cross join lateral (
        select l.created_at from room_steps l where l.room_id = s.room_id and l.episode = s.episode and l.action = 'open'
         order by l.id limit 1) o
      cross join ${lastStep} z)`

/** SQL of the replies of people that ended a wait; automatic texts and notes are none. */
const replies = sql`
  desk_replies as not materialized (
    select 'consultation'::text as desk, p.consultation_id as subject, p.turn as episode, p.consultant_id as author,
           p.asked_at, p.due_at, p.replied_at, p.wall_seconds, p.working_seconds, p.first, p.breached,
           p.region_id as region, p.category_id as category, p.language as language
      from consultation_replies p
    union all
    select 'chat', p.room_id, p.episode, p.consultant_id,
           p.asked_at, p.due_at, p.replied_at, p.wall_seconds, p.working_seconds, p.first, p.breached,
           p.region_id, p.category_id, p.language
      from room_replies p)`

/**
 * SQL of the waits with the time at which their target passes: those that a reply ended, those that ended
 * late without one, and those that go on.
 */
const waits = sql`
  desk_waits as not materialized (
    select p.desk, p.subject, p.episode, p.author as person, p.asked_at as at, p.due_at, not p.breached as kept, p.region, p.category, p.language
      from desk_replies p
    union all
    select case when e.room_id is null then 'consultation' else 'chat' end, coalesce(e.room_id, e.consultation_id), e.turn, e.owner_id,
           e.asked_at, e.due_at, false, e.region_id, e.category_id, e.language
      from desk_waits_ended e
     where e.due_at <= e.ended_at
    union all
    select 'consultation', c.id, c.turn, c.consultant_id, c.waiting_since, c.due_at, false, c.region_id, c.category_id, c.language
      from consultations c where c.waiting_since is not null
    union all
    select 'chat', r.id, r.episode, coalesce(r.assignee_id, r.receiver_id), r.waiting_since, r.due_at, false, r.region_id, r.category_id, r.language
      from chatrooms r where r.waiting_since is not null)`

const ratings = sql`
  desk_ratings as not materialized (
    select 'consultation'::text as desk, g.consultation_id as subject, 0 as episode, g.consultant_id as author, g.score, g.created_at as at,
           c.region_id as region, c.category_id as category, c.language as language
      from consultation_ratings g cross join ${questionOf(sql`g.consultation_id`)}
    union all
    select 'chat', g.room_id, g.episode, g.consultant_id, g.score, g.created_at, r.region_id, r.category_id, r.language
      from room_ratings g cross join ${roomOf(sql`g.room_id`)})`

/** SQL of the hand-overs from one person to another; taking from the queue and giving back to it are none. */
const handovers = sql`
  desk_handovers as not materialized (
    select 'consultation'::text as desk, s.consultation_id as subject, 0 as episode, s.from_user_id as giver, s.to_user_id as taker,
           s.created_at as at, c.region_id as region, c.category_id as category, c.language as language
      from consultation_steps s cross join ${questionOf(sql`s.consultation_id`)}
     where s.from_user_id <> s.to_user_id
    union all
    select 'chat', h.room_id, 0, (h.data ->> 'from')::int, (h.data ->> 'to')::int, h.created_at, r.region_id, r.category_id, r.language
      from room_changes h cross join ${roomOf(sql`h.room_id`)}
     where h.type = 'assigned' and h.data ->> 'from' <> h.data ->> 'to')`

/** SQL of the facts of the desk, as tables that all reports share. */
export const deskFacts = sql.join([events, replies, waits, ratings, handovers])

/** SQL of the record behind a row of the desk: a question, or a room with the number of its conversation. */
const recordOf = (alias: string, person?: string): CaseRecord => ({
  resource: sql`case ${sql.ref(`${alias}.desk`)} when 'chat' then 'chatrooms' else 'consultations' end`,
  id: sql.ref(`${alias}.subject`),
  part: sql.ref(`${alias}.episode`),
  ...(person !== undefined && { person: sql.ref(`${alias}.${person}`) }),
})

/** SQL of the dimensions of a row of the desk. */
const dimensionsOf = (alias: string): Readonly<Record<string, Sql>> =>
  Object.fromEntries(['desk', 'region', 'category', 'language'].map((dim) => [dim, sql.ref(`${alias}.${dim}`)]))

/** SQL of the questions and of the rooms that may have a counted case. */
interface Subjects {
  questions: Sql
  rooms: Sql
}

/**
 * SQL of the subjects in the records or closed conversations that filters of place, category and language
 * choose.
 */
function subjectsOfPlace({ filterSql: conditionOf }: MeasureContext): Subjects {
  const isChosen = conditionOf({
    region: sql`x.region_id`,
    category: sql`x.category_id`,
    locale: sql`x.language`,
  })
  return {
    questions: sql`select x.id from consultations x where ${isChosen}`,
    rooms: sql`
      select x.id from chatrooms x where ${isChosen}
      union select x.room_id from room_steps x where x.action = 'close' and ${isChosen}`,
  }
}

/**
 * SQL of the questions of a district, with all of their cases. A chat has a region and no district, so that
 * a filter by district leaves chats out.
 */
const subjectsOfDistrict = ({ filterSql: conditionOf }: MeasureContext): Subjects => ({
  questions: sql`select x.id from consultations x where ${conditionOf({ district: sql`x.district_id` })}`,
  rooms: sql`select x.id from chatrooms x where false`,
})

/** SQL of the subjects whose cases may belong to a person, or to nobody. */
function subjectsOfPerson(isOwner: (person: Sql) => Sql, isRoomOwner: Sql): Subjects {
  const ofRow = isOwner(sql`x.consultant_id`)
  return {
    questions: sql`
      select x.id from consultations x where ${ofRow}
      union select x.consultation_id from consultation_replies x where ${ofRow}`,
    rooms: sql`
      select x.id from chatrooms x where ${isRoomOwner}
      union select x.room_id from room_steps x where x.action = 'close' and ${isOwner(sql`x.owner_id`)}
      union select x.room_id from room_replies x where ${ofRow}`,
  }
}

/** SQL of the subjects that a consultant sees: theirs, those of nobody, and those that they asked about. */
function subjectsOfConsultant(id: number): Subjects {
  const { questions, rooms } = subjectsOfPerson(
    (person) => sql`(${person} = ${id}::int or ${person} is null)`,
    sql`(x.assignee_id = ${id}::int or x.receiver_id = ${id}::int or (x.assignee_id is null and x.receiver_id is null))`,
  )
  return {
    questions: sql`${questions} union select x.id from consultations x where x.user_id = ${id}::int`,
    rooms: sql`${rooms} union select x.id from chatrooms x where x.sender_id = ${id}::int`,
  }
}

/**
 * SQL of whether a row may belong to the filters, by its subject. The exact condition follows from the row
 * itself; this one lets the database begin with the few chosen subjects instead of every fact of the
 * period. It is one list, because a second one would be searched from its start for each row.
 */
function mayBelong(alias: string, choices: readonly Subjects[]): Sql {
  if (choices.length === 0) return sql`true`
  const [deskColumn, subject] = [sql.ref(`${alias}.desk`), sql.ref(`${alias}.subject`)]
  const isAmong = (lists: readonly Sql[]) =>
    sql`${subject} = any(array(${sql.join(
      lists.map((list) => sql`(${list})`),
      sql` intersect `,
    )}))`
  const [questions, rooms] = [choices.map((choice) => choice.questions), choices.map((choice) => choice.rooms)]
  return sql`((${deskColumn} = 'consultation' and ${isAmong(questions)}) or (${deskColumn} = 'chat' and ${isAmong(rooms)}))`
}

/** Returns the subjects of the district that a report's filters choose. */
const chosenDistrict = (context: MeasureContext): Subjects[] =>
  context.filters.includes('district') ? [subjectsOfDistrict(context)] : []

/**
 * Returns the subjects that the place and the category of a report's filters choose. A language alone
 * chooses too many of them for a list.
 */
const chosenPlaces = (context: MeasureContext): Subjects[] => [
  ...(!context.isByDay && context.filters.some((name) => name === 'region' || name === 'category')
    ? [subjectsOfPlace(context)]
    : []),
  ...chosenDistrict(context),
]

/** Returns the subjects that the filters of a report choose for its cases, or those of a consultant. */
function chosenSubjects(context: MeasureContext): Subjects[] {
  const { filterSql: conditionOf, filters, isByDay, ownConsultant } = context
  return [
    ...chosenPlaces(context),
    ...(!isByDay && filters.includes('consultant')
      ? [
          subjectsOfPerson(
            (person) => conditionOf({ consultant: person }),
            sql`(${conditionOf({ consultant: sql`x.assignee_id` })} or ${conditionOf({ consultant: sql`x.receiver_id` })})`,
          ),
        ]
      : []),
    ...(!isByDay && ownConsultant !== undefined ? [subjectsOfConsultant(ownConsultant)] : []),
  ]
}

/**
 * SQL of the filters, and for a consultant of the own list: cases of theirs, cases of nobody, and questions
 * of their own (contract §14).
 */
function caseScopeSql(context: MeasureContext): Sql {
  const { filterSql: conditionOf, ownConsultant } = context
  return joinConditions(
    conditionOf({
      region: sql`e.region`,
      category: sql`e.category`,
      consultant: sql`e.owner`,
      locale: sql`e.language`,
    }),
    ownConsultant === undefined
      ? sql`true`
      : sql`(e.owner = ${ownConsultant}::int or e.owner is null or e.customer = ${ownConsultant}::int)`,
  )
}

/**
 * SQL of the filters on rows that belong to a person; a consultant sees their own.
 *
 * @param choices - The subjects that the rows are found by, with those of the chosen district.
 */
const personCondition = (
  context: MeasureContext,
  alias: string,
  column: string,
  choices: readonly Subjects[] = chosenDistrict(context),
): Sql => {
  const { filterSql: conditionOf, ownConsultant } = context
  const person = sql.ref(`${alias}.${column}`)
  return joinConditions(
    mayBelong(alias, choices),
    conditionOf({
      region: sql.ref(`${alias}.region`),
      category: sql.ref(`${alias}.category`),
      consultant: person,
      locale: sql.ref(`${alias}.language`),
    }),
    ownConsultant === undefined ? sql`true` : sql`${person} = ${ownConsultant}::int`,
  )
}

/**
 * SQL of the common tables of the reports of the desk. The events of chosen subjects are found once for all
 * measures that read them.
 */
export function deskTables(context: MeasureContext): Sql {
  const choices = chosenSubjects(context)
  if (choices.length === 0) return deskFacts
  const { now, before } = context.period
  const endConditions = [now, ...(before ? [before] : [])].map((span) => sql`e.at < ${context.moment(span.until)}`)
  return sql`${deskFacts}, chosen_events as materialized (
    select e.* from desk_events e where ${mayBelong('e', choices)} and (${sql.join(endConditions, sql` or `)}))`
}

/** SQL of the events that the filters of a report may choose, as `e`. */
const eventsTable = (context: MeasureContext): Sql =>
  chosenSubjects(context).length > 0 ? sql`chosen_events e` : sql`desk_events e`

const eventsOf = (context: MeasureContext, key: string, action: 'open' | 'close' | 'reopen'): Measure => ({
  key,
  from: eventsTable(context),
  where: joinConditions(caseScopeSql(context), sql`e.action = ${sql.lit(action)}`),
  at: sql`e.at`,
  byDay: 'desk',
  dims: { ...dimensionsOf('e'), consultant: sql`e.owner` },
  record: recordOf('e', 'owner'),
})

/** SQL of weekday and hour of a time in the report zone, as `weekday hour`; Monday is 1. */
const hourOfWeek = (timeSql: Sql): Sql => sql`to_char(${timeSql} at time zone ${zoneSql}, 'ID HH24')`

/** Measure of cases by the time they were opened, closed or reopened. */
export const asked = (context: MeasureContext): Measure => {
  const openedMeasure = eventsOf(context, 'asked', 'open')
  return { ...openedMeasure, dims: { ...openedMeasure.dims, hour_weekday: hourOfWeek(sql`e.at`) } }
}
export const finished = (context: MeasureContext): Measure => eventsOf(context, 'finished', 'close')
export const reopened = (context: MeasureContext): Measure => eventsOf(context, 'reopened', 'reopen')

/** Which replies a measure counts. */
type Replies = 'all' | 'first' | 'next'

/**
 * Measure of replies with their minutes, by the hours that the report counts; each is credited to its author.
 */
export function repliesOf(context: MeasureContext, key: string, replyKind: Replies): Measure {
  const scopeSql = personCondition(context, 'p', 'author')
  const seconds = context.hours === 'wall' ? sql`p.wall_seconds` : sql`p.working_seconds`
  return {
    key,
    from: sql`desk_replies p`,
    where: joinConditions(
      scopeSql,
      replyKind === 'all' ? sql`true` : replyKind === 'first' ? sql`p.first` : sql`not p.first`,
    ),
    at: sql`p.replied_at`,
    byDay: 'desk',
    storedAs: `${key} ${context.hours}`,
    value: sql`${seconds} / 60.0`,
    units: 60,
    dims: { ...dimensionsOf('p'), consultant: sql`p.author` },
    record: recordOf('p', 'author'),
  }
}

/** Measure of waits whose target time has passed, with the value 1 when a reply came in time. */
export const due = (context: MeasureContext): Measure => ({
  key: 'due',
  from: sql`desk_waits w`,
  where: personCondition(context, 'w', 'person'),
  at: sql`w.at`,
  byDay: 'desk',
  countsFrom: sql`w.due_at`,
  value: sql`w.kept::int`,
  dims: { ...dimensionsOf('w'), consultant: sql`w.person` },
  record: recordOf('w', 'person'),
})

/**
 * Measure of the backlog: cases that are opened and not closed yet. Cases that were closed before the
 * earliest time of the report cancel out and are not read, unless their openings and closings are counted
 * by day.
 */
export function backlog(context: MeasureContext): Measure {
  const { now, before } = context.period
  const isLater = sql`(e.ended is null or e.ended >= ${context.moment((before ?? now).from)})`
  return {
    key: 'backlog',
    from: eventsTable(context),
    where: joinConditions(caseScopeSql(context), context.isByDay ? sql`true` : isLater),
    at: sql`e.at`,
    byDay: 'desk',
    stock: true,
    value: sql`case e.action when 'close' then -1 else 1 end`,
    dims: { ...dimensionsOf('e'), consultant: sql`e.owner` },
    record: recordOf('e', 'owner'),
  }
}

/** SQL of the subjects that may have been open at a time: those are few, and all others have no index. */
const subjectsOpenAt = (moment: Sql): Subjects => ({
  questions: sql`select x.id from consultations x where (x.finished_at is null or x.finished_at >= ${moment}) and x.created_at < ${moment}`,
  rooms: sql`
    select x.id from chatrooms x where x.state <> 'closed'
    union
    select x.room_id from room_steps x join room_steps o on o.room_id = x.room_id and o.episode = x.episode and o.created_at < ${moment}
     where x.created_at >= ${moment}`,
})

/** Measure of the backlog at the end of the period, by the age of its cases. */
export function backlogAges(context: MeasureContext): Measure {
  const endMoment = context.moment(context.period.now.until)
  const mayBeOpen = chosenSubjects(context).length > 0 ? sql`true` : mayBelong('e', [subjectsOpenAt(endMoment)])
  return {
    key: 'backlog_ages',
    from: sql`(
      select e.desk, e.subject, e.episode, max(e.opened) as opened, max(e.owner) as owner, max(e.customer) as customer,
             max(e.region) as region, max(e.category) as category, max(e.language) as language,
             sum(case e.action when 'close' then -1 else 1 end) as level
        from ${eventsTable(context)} where ${mayBeOpen} and e.at < ${endMoment} and (e.ended is null or e.ended >= ${endMoment})
       group by e.desk, e.subject, e.episode) e`,
    where: joinConditions(caseScopeSql(context), sql`e.level > 0`),
    dims: {
      ...dimensionsOf('e'),
      age: sql`case when e.opened > ${endMoment} - interval '4 hours' then 'hours4'
        when e.opened > ${endMoment} - interval '1 day' then 'day1'
        when e.opened > ${endMoment} - interval '3 days' then 'days3' else 'older' end`,
    },
    record: recordOf('e', 'owner'),
  }
}

/** Measures of the cases that wait for a reply now, with their minutes. */
export const waiting = ({ filterSql: conditionOf }: MeasureContext): Measure[] => [
  {
    key: 'waiting',
    from: sql`consultations c`,
    where: joinConditions(
      conditionOf({ region: sql`c.region_id`, district: sql`c.district_id` }),
      sql`c.waiting_since is not null`,
    ),
    value: minutesBetween(sql`c.waiting_since`, sql`now()`),
    dims: { desk: sql`'consultation'` },
    record: { resource: sql`'consultations'`, id: sql`c.id`, person: sql`c.consultant_id` },
  },
  {
    key: 'waiting',
    from: sql`chatrooms r`,
    where: joinConditions(
      conditionOf({ region: sql`r.region_id`, district: sql`null::int` }),
      sql`r.waiting_since is not null`,
      sql`r.state <> 'closed'`,
    ),
    value: minutesBetween(sql`r.waiting_since`, sql`now()`),
    dims: { desk: sql`'chat'` },
    record: { resource: sql`'chatrooms'`, id: sql`r.id`, person: sql`coalesce(r.assignee_id, r.receiver_id)` },
  },
]

/** Measures of the open cases of each person now. */
export const openCaseMeasures = ({ filterSql: conditionOf, ownConsultant }: MeasureContext): Measure[] =>
  [
    {
      table: 'consultations',
      desk: 'consultation',
      person: sql`c.consultant_id`,
      district: sql`c.district_id`,
      isOpen: sql`c.finished_at is null`,
    },
    {
      table: 'chatrooms',
      desk: 'chat',
      person: sql`coalesce(c.assignee_id, c.receiver_id)`,
      district: sql`null::int`,
      isOpen: sql`c.state <> 'closed' and c.episode > 0`,
    },
  ].map(({ table, desk, person, district, isOpen }) => ({
    key: 'open_now',
    from: sql`${sql.table(table)} c`,
    where: joinConditions(
      conditionOf({
        region: sql`c.region_id`,
        district,
        category: sql`c.category_id`,
        consultant: person,
        locale: sql`c.language`,
      }),
      isOpen,
      ownConsultant === undefined ? sql`true` : sql`${person} = ${ownConsultant}::int`,
    ),
    dims: { desk: sql.lit(desk), consultant: person },
    record: { resource: sql.lit(table), id: sql`c.id`, person },
  }))

/** Measure of the ratings by customers, for whoever had answered. */
export const ratedMeasure = (context: MeasureContext): Measure => ({
  key: 'rated',
  from: sql`desk_ratings g`,
  where: personCondition(context, 'g', 'author', chosenPlaces(context)),
  at: sql`g.at`,
  byDay: 'desk',
  value: sql`g.score`,
  dims: { ...dimensionsOf('g'), consultant: sql`g.author` },
  record: recordOf('g', 'author'),
})

/** Measure of the hand-overs that a person gave or took. */
export const handOverMeasure = (context: MeasureContext, key: string, person: 'giver' | 'taker'): Measure => ({
  key,
  from: sql`desk_handovers h`,
  where: personCondition(context, 'h', person, chosenPlaces(context)),
  at: sql`h.at`,
  byDay: 'desk',
  dims: { ...dimensionsOf('h'), consultant: sql.ref(`h.${person}`) },
  record: recordOf('h', person),
})

/** Measure of the hours in which a consultant was online, each with the share of its minutes. */
export const onlineMeasure = ({ filterSql: conditionOf, ownConsultant }: MeasureContext): Measure => ({
  key: 'online',
  from: sql`online_hours h`,
  where: joinConditions(
    conditionOf({ consultant: sql`h.user_id` }),
    ownConsultant === undefined ? sql`true` : sql`h.user_id = ${ownConsultant}::int`,
  ),
  at: sql`h.hour`,
  value: sql`bit_count(h.minutes) / 60.0`,
  dims: { consultant: sql`h.user_id` },
  record: {
    resource: sql`'users'`,
    id: sql`h.user_id`,
    part: sql`(extract(epoch from h.hour) / 60)::int`,
    person: sql`h.user_id`,
  },
})

/** SQL of the questions that became public, and of the frequent questions that were made from chats. */
const publications = sql`(
  select 'consultation'::text as desk, p.consultation_id as subject, 'consultations'::text as resource, p.consultation_id as id, 0 as part, p.created_at as at,
         p.user_id as author, p.region_id as region, p.category_id as category, p.language
    from consultation_publications p
  union all
  select 'chat', d.room_id, 'faqs', d.document_id, d.room_id, d.created_at, d.user_id, r.region_id, r.category_id, r.language
    from room_drafts d cross join ${roomOf(sql`d.room_id`)} where d.resource = 'faqs')`

/** Measure of the questions that the desk made public, by whoever did it. */
export const publishedMeasure = (context: MeasureContext): Measure => ({
  key: 'made_public',
  from: sql`${publications} q`,
  where: personCondition(context, 'q', 'author'),
  at: sql`q.at`,
  dims: { ...dimensionsOf('q'), consultant: sql`q.author` },
  record: { resource: sql`q.resource`, id: sql`q.id`, part: sql`q.part`, person: sql`q.author` },
})
