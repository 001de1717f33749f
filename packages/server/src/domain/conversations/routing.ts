/**
 * Routes new questions: reads the rules and the people, decides by the pure function of the model, assigns the
 * case, and stores why.
 */
import {
  type Locale,
  readWorkingHours,
  type Route,
  routeOf,
  type RoutingAction,
  type RoutingPerson,
  type RoutingQuestion,
  type RuleOutcome,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import { programCaller } from '../../resources/history/history.ts'
import { isStaffSql, removedPeopleIn } from './desk.ts'
import { handOverRoom, storeConsultationStep } from './desk-moves.ts'
import { openConsultations, openRooms } from './open-work.ts'

const [chatrooms, consultations] = [resourceNamed('chatrooms'), resourceNamed('consultations')]
const author = { caller: programCaller }

/**
 * Key of the advisory lock under which questions are routed, so that two questions at the same moment count
 * each other. It is requested after the lock of the case, and before those of people.
 */
const routingLock = 4_711_008

/** The topic of a question: documents of its category and its region, and its language. */
export interface QuestionTopic {
  category: number | null
  region: number | null
  language: Locale | null
}

interface StoredRule extends QuestionTopic {
  id: number
  name: string
  action: RoutingAction
  person: number | null
}

interface StoredPerson extends Omit<RoutingPerson, 'hours'> {
  hours: string | null
}

/** A decision with the names and numbers that explain it. */
export interface ExplainedRoute {
  person: number | null
  rule: { id: number; name: string } | null
  reasons: { person: number; codes: Route['reasons'][number]['codes']; open: number; limit: number | null }[]
  rules: { id: number; name: string; outcome: RuleOutcome }[]
}

/** Everything that a decision depends on. */
interface RoutingState {
  now: number
  rules: readonly StoredRule[]
  people: readonly RoutingPerson[]
  /** The category of the question and those above it. */
  categories: readonly number[]
}

/** The most levels of categories above the one of a question. */
const maxLevels = 20

/** SQL of a moment in milliseconds since 1970. */
const millisecondsSql = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`

const languagesSql = sql.join(
  (['en', 'ru', 'uz', 'kaa'] as const).map(
    (locale) => sql`case when ${sql.ref(`u.answers_${locale}`)} then ${sql.lit(locale)} end`,
  ),
)

/** Reads the rules, and everybody who may get a question: consultants, and people whom a rule names. */
async function readState(queries: Queries, category: number | null): Promise<RoutingState> {
  const id = sql.ref('u.id')
  const [[clock], rules, people, levels] = await Promise.all([
    queries.query(sql<{ now: number }>`select (extract(epoch from now()) * 1000)::float8 as now`),
    queries.query(sql<StoredRule>`
      select id, name, category_id as category, region_id as region, language, action, person_id as person
        from routingrules where active order by "order", id`),
    queries.query(sql<StoredPerson>`
      select ${id} as id, u.is_consultant as "isConsultant",
             u.active and not u.blocked and (u.is_consultant or ${isStaffSql(sql`r.type`)}) as answers,
             (select coalesce(json_agg(l.target_id), '[]'::json) from users_answers_categories l where l.holder_id = ${id}) as categories,
             (select coalesce(json_agg(l.target_id), '[]'::json) from users_answers_regions l where l.holder_id = ${id}) as regions,
             to_json(array_remove(array[${languagesSql}], null)) as languages,
             u.working_hours as hours,
             (select coalesce(json_agg(json_build_object('from', ${millisecondsSql('a.starts_at')}, 'to', ${millisecondsSql('a.ends_at')})), '[]'::json)
                from absences a where a.user_id = ${id}) as absences,
             (select count(*)::int from consultations where ${openConsultations(id)})
               + (select count(*)::int from chatrooms where ${openRooms(id)}) as open,
             u.max_open as "limit",
             (select max(given.at) from (
                select ${millisecondsSql('c.created_at')} as at from room_changes c
                 where c.type = 'assigned' and (c.data ->> 'to')::int = ${id}
                union all select ${millisecondsSql('s.created_at')} from consultation_steps s
                 where s.action = 'assign' and s.to_user_id = ${id}) given) as "lastGiven"
        from users u join roles r on r.id = u.role_id
       where u.removed_at is null
         and (u.is_consultant or u.id in (select person_id from routingrules where active and person_id is not null))
       order by u.id`),
    queries.query(sql<{ id: number }>`
      with recursive level (id, parent_id, depth) as (
        select id, parent_id, 1 from consultationcategories where id = ${category}::int
        union all select above.id, above.parent_id, level.depth + 1
          from level join consultationcategories above on above.id = level.parent_id where level.depth < ${maxLevels})
      select id from level`),
  ])
  return {
    now: clock?.now ?? 0,
    rules,
    // Hours are checked when they are written; those of the office replace any that cannot be read.
    people: people.map((person) => ({ ...person, hours: readWorkingHours(person.hours ?? '') ?? null })),
    categories: levels.map((level) => level.id),
  }
}

/** Adds to a decision what explains it: names of rules, and the open cases and limits of people. */
function explainRoute({ rules, people }: RoutingState, route: Route): ExplainedRoute {
  const namesById = new Map(rules.map(({ id, name }) => [id, name]))
  const peopleById = new Map(people.map((person) => [person.id, person]))
  const namePerson = (id: number) => ({ id, name: namesById.get(id) ?? '' })
  return {
    person: route.person,
    rule: route.rule === null ? null : namePerson(route.rule),
    reasons: route.reasons.map((reason) => {
      const { open = 0, limit = null } = peopleById.get(reason.person) ?? {}
      return { ...reason, open, limit }
    }),
    rules: route.rules.map(({ rule, outcome }) => ({ ...namePerson(rule), outcome })),
  }
}

/**
 * Decides who would get a question, without assigning it.
 *
 * @param queries - The connection.
 * @param topic - The topic of the question.
 * @param routingTime - The time of the question in milliseconds since 1970; now when undefined.
 * @returns The decision with its reasons.
 */
export async function tryRoute(
  queries: Queries & Pick<Transaction, 'calendar'>,
  { category, region, language }: QuestionTopic,
  routingTime: number | undefined,
): Promise<ExplainedRoute> {
  const state = await readState(queries, category)
  const question = { categories: state.categories, region, language, asker: null, late: [] }
  const { zone, workingHours: officeHours } = queries.calendar
  return explainRoute(
    state,
    routeOf(question, state.people, state.rules, { now: routingTime ?? state.now, zone, officeHours }),
  )
}

/** A locked case that looks for a person. */
interface OpenCase {
  key: 'room_id' | 'consultation_id'
  storedEntry: StoredEntry
  asker: number | null
  lateOwners: readonly number[]
}

/** Returns the number in a stored value. */
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Reads the topic of a case; the customer's own region and language fill those that it does not have. */
async function topicOf(trx: Transaction, { storedEntry: { values }, asker }: OpenCase): Promise<QuestionTopic> {
  const [topic] = await trx.query(sql<QuestionTopic>`
    select ${values.category ?? null}::int as category, coalesce(${values.region ?? null}::int, asker.region_id) as region,
           coalesce(${values.language ?? null}::text, asker.language) as language
      from (select 1) one left join users asker on asker.id = ${asker}::int`)
  return topic ?? { category: null, region: null, language: null }
}

/**
 * Decides about a case, and stores the decision. The person is locked until the transaction ends, so that they
 * cannot be blocked between the decision and the assignment.
 *
 * @returns The person and the name of the rule; undefined when the case stays in the queue.
 */
async function decideRoute(
  trx: Transaction,
  openCase: OpenCase,
): Promise<{ person: number; rule: string } | undefined> {
  // One statement for the usual case: without an active rule, nothing is locked and everything is queued.
  const [activeRule] = await trx.query(sql`
    select pg_advisory_xact_lock(${sql.lit(routingLock)}) from (select 1 from routingrules where active limit 1) rule`)
  if (!activeRule) return undefined
  const topic = await topicOf(trx, openCase)
  let state = await readState(trx, topic.category)
  const { zone, workingHours: officeHours } = trx.calendar
  const { region, language } = topic
  const question: RoutingQuestion = {
    categories: state.categories,
    region,
    language,
    asker: openCase.asker,
    late: openCase.lateOwners,
  }
  const chooseRoute = () => routeOf(question, state.people, state.rules, { now: state.now, zone, officeHours })
  let route = chooseRoute()
  for (
    let removedIds = await removedPeopleIn(trx, [route.person]);
    removedIds.size > 0;
    removedIds = await removedPeopleIn(trx, [route.person])
  ) {
    const people = state.people.map((person) => (removedIds.has(person.id) ? { ...person, answers: false } : person))
    state = { ...state, people }
    route = chooseRoute()
  }
  const { person, rule, reasons, rules } = explainRoute(state, route)
  await trx.query(sql`
    insert into routing_decisions (${sql.ref(openCase.key)}, person_id, rule, reasons, rules)
    values (${openCase.storedEntry.document}, ${person}::int, nullif(${JSON.stringify(rule)}::jsonb, 'null'::jsonb),
            ${JSON.stringify(reasons)}::jsonb, ${JSON.stringify(rules)}::jsonb)`)
  return person === null || rule === null ? undefined : { person, rule: rule.name }
}

/**
 * Reads the consultants who had a room since its customer began to wait and did not reply in time: the program
 * took it from each of them.
 */
async function lateOwnersOf(trx: Transaction, room: number): Promise<number[]> {
  const owners = await trx.query(sql<{ id: number }>`
    select distinct (c.data ->> 'from')::int as id from room_changes c join chatrooms r on r.id = c.room_id
     where c.room_id = ${room} and c.type = 'assigned' and c.user_id is null and c.data ->> 'to' is null
       and c.data ->> 'from' is not null and c.created_at >= r.waiting_since`)
  return owners.map(({ id }) => id)
}

/**
 * Routes a waiting chat room that nobody owns: after the question that begins an episode, and after it was taken
 * from a consultant who did not reply in time. None of those who were late gets it again.
 *
 * @param trx - The transaction of the question, in which the room is locked.
 * @param id - The id of the room.
 * @returns Whether somebody got the room.
 */
export async function routeRoom(trx: Transaction, id: number): Promise<boolean> {
  const storedEntry = await lockEntry(trx, chatrooms, id, { author, view: {} })
  if (!storedEntry || storedEntry.values.assignee !== null || storedEntry.values.receiver !== null) return false
  const lateOwners = await lateOwnersOf(trx, id)
  const route = await decideRoute(trx, {
    key: 'room_id',
    storedEntry,
    asker: numberOf(storedEntry.values.sender),
    lateOwners,
  })
  if (!route) return false
  await handOverRoom(trx, { database: trx.database, author }, storedEntry, { assignee: route.person }, route.rule)
  return true
}

/**
 * Routes a new consultation without a consultant and without an answer.
 *
 * @param trx - The transaction in which it was created.
 * @param id - The id of the consultation.
 * @returns Whether it was assigned.
 */
export async function routeConsultation(trx: Transaction, id: number): Promise<boolean> {
  const storedEntry = await lockEntry(trx, consultations, id, { author, view: {} })
  if (!storedEntry) return false
  const { user, consultant, answered_at, finished_at } = storedEntry.values
  if (consultant !== null || answered_at !== null || finished_at !== null) return false
  const route = await decideRoute(trx, { key: 'consultation_id', storedEntry, asker: numberOf(user), lateOwners: [] })
  if (!route) return false
  const step = { action: 'assign', note: route.rule } as const
  await storeConsultationStep(trx, { database: trx.database, author }, storedEntry, { consultant: route.person }, step)
  return true
}
