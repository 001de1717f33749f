/**
 * Proof that routing follows its rules: random questions among random people and rules, asked through the API
 * and compared with a plain recomputation that shares no code with the server.
 * `node scripts/proofs/routing.ts --runs 1000 --on embedded`
 */
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { buildRecord } from '../../packages/server/src/testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../packages/server/src/testing/people.ts'
import { RandomDraws } from '../lib/draws.ts'
import type { CountTally } from '../lib/step.ts'
import { runOnNamedPlaces, runOnPlace, optionOf, type DatabasePlace, type ProofApp } from './on-place.ts'

const languages = ['en', 'ru', 'uz', 'kaa'] as const
const hour = 3_600_000
/** Questions among the same people and rules, which change the load of the next ones. */
const questionsOfWorld = 20

interface DeskColleague {
  id: number
  isConsultant: boolean
  categories: number[]
  regions: number[]
  languages: string[]
  isAbsent: boolean
  isPersonAbsent: boolean
  isActive: boolean
  limit: number | null
  open: number
  /** Number of the last question that the person was given; 0 for none. */
  lastQuestion: number
}

interface Rule {
  name: string
  category: number | null
  region: number | null
  language: string | null
  action: 'best' | 'person' | 'queue'
  person: number | null
}

interface Question {
  category: number | null
  region: number | null
  language: string | null
  asker: number
}

interface Outcome {
  person: number | null
  rule: string | null
  /** Reasons that keep the question from each person; empty for people who could take it. */
  obstaclesByPerson: Record<number, string[]>
}

/** The records of the proof: wire ids, with the parent of each category. */
interface RoutingPlaces {
  parents: ReadonlyMap<number, number | null>
  regions: readonly number[]
  customers: readonly TestPerson[]
  consultants: readonly TestPerson[]
  admin: TestPerson
}

/** Decides about a question from first principles: each person in turn against each rule in turn. */
function recomputeRouting(
  question: Question,
  colleagues: readonly DeskColleague[],
  rules: readonly Rule[],
  { parents }: RoutingPlaces,
): Outcome {
  const routingLineage: number[] = []
  for (let categoryId = question.category; categoryId !== null; categoryId = parents.get(categoryId) ?? null)
    routingLineage.push(categoryId)
  const ownObstacles: Record<number, string[]> = {}
  const obstaclesByPerson: Record<number, string[]> = {}
  for (const colleague of colleagues) {
    const personObstacles: string[] = []
    if (!colleague.isActive) personObstacles.push('unavailable')
    if (colleague.id === question.asker) personObstacles.push('asker')
    if (colleague.isAbsent) personObstacles.push('absent')
    if (colleague.isPersonAbsent) personObstacles.push('off-hours')
    if (colleague.limit !== null && colleague.open >= colleague.limit) personObstacles.push('limit')
    ownObstacles[colleague.id] = [...personObstacles]
    if (!colleague.isConsultant) personObstacles.push('named-only')
    if (colleague.categories.length > 0 && !colleague.categories.some((category) => routingLineage.includes(category)))
      personObstacles.push('category')
    if (colleague.regions.length > 0 && !(question.region !== null && colleague.regions.includes(question.region)))
      personObstacles.push('region')
    if (
      colleague.languages.length > 0 &&
      !(question.language !== null && colleague.languages.includes(question.language))
    )
      personObstacles.push('language')
    obstaclesByPerson[colleague.id] = personObstacles
  }
  for (const rule of rules) {
    if (rule.category !== null && !routingLineage.includes(rule.category)) continue
    if (rule.region !== null && question.region !== rule.region) continue
    if (rule.language !== null && question.language !== rule.language) continue
    if (rule.action === 'queue') return { person: null, rule: rule.name, obstaclesByPerson }
    let bestColleague: DeskColleague | undefined
    for (const colleague of colleagues) {
      const reasons = rule.action === 'person' ? ownObstacles[colleague.id] : obstaclesByPerson[colleague.id]
      if ((rule.action === 'person' && colleague.id !== rule.person) || (reasons ?? []).length > 0) continue
      const isBetter =
        bestColleague === undefined ||
        colleague.open < bestColleague.open ||
        (colleague.open === bestColleague.open &&
          (colleague.lastQuestion < bestColleague.lastQuestion ||
            (colleague.lastQuestion === bestColleague.lastQuestion && colleague.id < bestColleague.id)))
      if (isBetter) bestColleague = colleague
    }
    // A named person gets questions of topics that they do not answer otherwise.
    if (bestColleague)
      return {
        person: bestColleague.id,
        rule: rule.name,
        obstaclesByPerson: { ...obstaclesByPerson, [bestColleague.id]: [] },
      }
  }
  return { person: null, rule: null, obstaclesByPerson }
}

async function buildPlaces({ app, database }: ProofApp): Promise<RoutingPlaces> {
  const parents = new Map<number, number | null>()
  for (let index = 0; index < 6; index += 1) {
    const parent = index < 3 ? null : ([...parents.keys()][index - 3] ?? null)
    parents.set(await buildRecord(database, 'consultationcategories', { name: `Category ${index}`, parent }), parent)
  }
  const regions: number[] = []
  for (let index = 0; index < 3; index += 1)
    regions.push(await buildRecord(database, 'regions', { name: `Region ${index}` }))
  const customers: TestPerson[] = []
  for (let index = 0; index < 4; index += 1) customers.push(await buildPerson({ app, database }, 'authenticated'))
  const consultants: TestPerson[] = []
  for (let index = 0; index < 7; index += 1) consultants.push(await buildConsultant({ app, database }))
  return { parents, regions, customers, consultants, admin: await buildPerson({ app, database }, 'admin') }
}

/** Days of the week in the zone of the office that are neither today nor next to it: nobody works on them now. */
function otherDays(): string {
  const today = new Date(Date.now() + 5 * hour).getUTCDay()
  return [2, 3, 4, 5].map((days) => `${((today + days + 6) % 7) + 1} 00:00-24:00`).join(', ')
}

const drawItems = <T>(draws: RandomDraws, items: readonly T[], share: number) =>
  draws.chance(0.5) ? [] : items.filter(() => draws.chance(share))

async function buildWorld(database: Database, routingData: RoutingPlaces, draws: RandomDraws) {
  for (const table of [
    'consultations',
    'chatrooms',
    'routingrules',
    'absences',
    'users_answers_categories',
    'users_answers_regions',
  ])
    await database.query(sql`delete from ${sql.table(table)}`)
  const { parents, regions, consultants, admin } = routingData
  const categories = [...parents.keys()]
  const rules = draws.list(draws.below(6), (): Rule => {
    const action = draws.pick(['best', 'best', 'person', 'queue'] as const)
    return {
      name: `Rule ${draws.below(1_000_000)}`,
      category: draws.chance(0.5) ? draws.pick(categories) : null,
      region: draws.chance(0.3) ? draws.pick(regions) : null,
      language: draws.chance(0.3) ? draws.pick(languages) : null,
      action,
      person: action === 'person' ? draws.pick([...consultants, admin]).id : null,
    }
  })
  for (const [order, rule] of rules.entries()) await buildRecord(database, 'routingrules', { ...rule, order })
  // Rules that are switched off change nothing.
  await buildRecord(database, 'routingrules', { name: 'Off', action: 'queue', order: -1, active: false })
  const isNamed = rules.some(({ person }) => person === admin.id)
  const colleagues: DeskColleague[] = []
  for (const { id } of [...consultants, ...(isNamed ? [admin] : [])]) {
    const colleague: DeskColleague = {
      id,
      isConsultant: id !== admin.id,
      categories: drawItems(draws, categories, 0.4),
      regions: drawItems(draws, regions, 0.6),
      languages: drawItems(draws, languages, 0.6),
      isAbsent: draws.chance(0.15),
      isPersonAbsent: draws.chance(0.15),
      isActive: id === admin.id || draws.chance(0.9),
      limit: draws.chance(0.5) ? draws.below(6) : null,
      open: 0,
      lastQuestion: 0,
    }
    const hours = colleague.isPersonAbsent ? otherDays() : draws.chance(0.5) ? '1-7 00:00-24:00' : null
    const answers = languages.map((name) => sql`${sql.ref(`answers_${name}`)} = ${colleague.languages.includes(name)}`)
    await database.query(sql`
      update users set active = ${colleague.isActive}, max_open = ${colleague.limit}, working_hours = ${hours}, ${sql.join(answers)} where id = ${id}`)
    await database.query(sql`
      insert into users_answers_categories (holder_id, target_id)
      select ${id}, document_id from consultationcategories_texts where id = any(${colleague.categories}::int[])`)
    await database.query(sql`
      insert into users_answers_regions (holder_id, target_id)
      select ${id}, document_id from regions_texts where id = any(${colleague.regions}::int[])`)
    const startOffset = colleague.isAbsent ? -1 : draws.pick([-9, 4])
    const computeTime = (offset: number) => new Date(Date.now() + offset * hour).toISOString()
    await buildRecord(database, 'absences', {
      user: id,
      starts_at: computeTime(startOffset),
      ends_at: computeTime(startOffset + 2),
    })
    colleagues.push(colleague)
  }
  return { rules, colleagues }
}

/** Asks a question as a consultation, or as the first message of a chat room without a consultant. */
async function ask(database: Database, askingPerson: TestPerson, question: Question, isRoom: boolean): Promise<string> {
  const { category, region, language } = question
  if (!isRoom) {
    const draft = { question: 'Why?', category, region, language }
    const { status, body } = await askingPerson.ask('POST', '/consultations', { data: draft })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return `/consultations/${(body as { data: { id: number } }).data.id}`
  }
  const room = await buildRecord(database, 'chatrooms', { sender: askingPerson.id, category, region, language })
  const { status, body } = await askingPerson.ask('POST', '/chatmessages', { data: { room, text: 'Why?' } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return `/chatrooms/${room}`
}

interface Decision {
  person: { id: number } | null
  rule: { name: string } | null
  reasons: { person: { id: number }; codes: string[] }[]
}

const knownOutcomes = new Set(['chosen', 'busier', 'recent', 'later-id', 'not-named', 'queue', 'no-rule'])

async function readDecision(admin: TestPerson, path: string): Promise<Outcome | undefined> {
  const { body } = await admin.ask('GET', `${path}/routing`)
  const [decision] = (body as { data: Decision[] }).data
  return (
    decision && {
      person: decision.person?.id ?? null,
      rule: decision.rule?.name ?? null,
      obstaclesByPerson: Object.fromEntries(
        decision.reasons.map(({ person, codes }) => [person.id, codes.filter((code) => !knownOutcomes.has(code))]),
      ),
    }
  )
}

async function runProof(proof: ProofApp, runs: number, seed: number): Promise<boolean> {
  const { database } = proof
  const startMoment = performance.now()
  const routingData = await buildPlaces(proof)
  const { parents, regions, customers, consultants, admin } = routingData
  let [askedCount, givenCount, rooms, storedCount] = [0, 0, 0, 0]
  for (let world = 0; askedCount < runs; world += 1) {
    const draws = new RandomDraws(seed, world)
    const { rules, colleagues } = await buildWorld(database, routingData, draws)
    for (let number = 1; number <= questionsOfWorld && askedCount < runs; number += 1) {
      askedCount += 1
      const askingPerson = draws.pick([...customers, ...customers, ...consultants.slice(0, 2)])
      const question: Question = {
        category: draws.chance(0.8) ? draws.pick([...parents.keys()]) : null,
        region: draws.chance(0.8) ? draws.pick(regions) : null,
        language: draws.pick(languages),
        asker: askingPerson.id,
      }
      const isRoom = draws.chance(0.3)
      const expectedDecision = rules.length > 0 ? recomputeRouting(question, colleagues, rules, routingData) : undefined
      const path = await ask(database, askingPerson, question, isRoom)
      const decisionAnswer = await readDecision(admin, path)
      if (!isDeepStrictEqual(decisionAnswer, expectedDecision)) {
        console.log(
          `   NOT SO, seed ${seed}, world ${world}, question ${number}: ${JSON.stringify({ question, rules, colleagues, decided: decisionAnswer, expected: expectedDecision })}`,
        )
        return false
      }
      const chosenColleague = colleagues.find(({ id }) => id === expectedDecision?.person)
      if (chosenColleague) {
        chosenColleague.open += 1
        chosenColleague.lastQuestion = number
        givenCount += 1
      }
      rooms += isRoom ? 1 : 0
    }
    const ownerLoads = await database.query(sql<{ id: number; open: number }>`
      select id, count(*)::int as open from (select consultant_id as id from consultations where consultant_id is not null
        union all select assignee_id from chatrooms where assignee_id is not null) cases group by id`)
    const differingColleagues = colleagues.filter(
      ({ id, open }) => open !== (ownerLoads.find((owner) => owner.id === id)?.open ?? 0),
    )
    if (differingColleagues.length > 0) {
      console.log(
        `   NOT SO, seed ${seed}, world ${world}: open cases ${JSON.stringify({ differ: differingColleagues, owners: ownerLoads })}`,
      )
      return false
    }
    storedCount += ownerLoads.reduce((sum, { open }) => sum + open, 0)
  }
  console.log(
    `   ${askedCount} questions (${rooms} in chat rooms), ${givenCount} given to somebody, ${storedCount} of them stored; none differs; ${((performance.now() - startMoment) / 1_000).toFixed(1)} s`,
  )
  return givenCount === storedCount && givenCount > 0
}

/**
 * Runs the proof of random questions, and prints figures.
 *
 * @param runs - Number of questions.
 * @param place - The database.
 * @param seed - Seed of a run to repeat.
 * @returns One step passed or failed; skipped without PostgreSQL.
 */
export const randomRoutes = (runs: number, databaseKind: DatabasePlace, seed = 7): Promise<CountTally> =>
  runOnPlace(databaseKind, (proof) => runProof(proof, runs, seed))

if (import.meta.main) {
  const runs = Number(optionOf('--runs') ?? 1_000)
  await runOnNamedPlaces((databaseKind) => randomRoutes(runs, databaseKind, Number(optionOf('--seed') ?? 7)))
}
