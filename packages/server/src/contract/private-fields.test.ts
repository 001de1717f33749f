/**
 * Guesses at private values: on every route a right guess is answered exactly like a wrong one (checklist
 * §2). Over links to a field with many paths, one role asks each question and the roles take turns: every role asks
 * every kind of question, and every kind is asked over every path.
 */
import { decideAccess, type Field, isLink, operators, type Resource, type RoleType } from '@dala/model'
import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildRecord, buildTag, buildUser } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'
import { linkOf, resources } from '../resources/attributes.ts'

/** The user whose password hash, address and code the test guesses. */
let victim = 0
let strangerId = 0
const secrets = { hash: '', email: 'victim@example.org', secret: 'JBSWY3DPEHPK3PXP', code: 'a'.repeat(64) }

const resourceApp = startResourceApp(async ({ database, people }) => {
  victim = await buildUser(database, 'authenticated', { username: 'victim', is_consultant: true })
  strangerId = await buildUser(database, 'authenticated')
  const [storedUser] = await database.query(sql<{ password: string }>`select password from users where id = ${victim}`)
  secrets.hash = storedUser?.password ?? ''
  await database.query(sql`
    insert into two_step (user_id, secret, recovery) values (${victim}, ${secrets.secret}, array[${secrets.code}])`)
  await database.query(sql`
    insert into reset_codes (hash, user_id, expires_at) values (${secrets.code}, ${victim}, now() + interval '1 hour')`)
  await buildTag(database)
  // Records through which callers of each role could query the user.
  for (const user of [people.authenticated, people.admin]) {
    await buildRecord(database, 'consultations', { question: 'Q', user, consultant: victim })
    await buildRecord(database, 'chatrooms', { sender: user, receiver: victim })
  }
})

const askers = ['authenticated', 'admin', 'owner'] as const satisfies readonly RoleType[]
type AskerRole = (typeof askers)[number]

interface HiddenField {
  resource: Resource
  field: string
  /** A part of the stored value, and a text of the same form that is not stored. */
  guessedPair: () => readonly [right: string, wrong: string]
}

const changeText = (text: string) => `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`
const pairOf = (readSecret: () => string) => () => [readSecret(), changeText(readSecret())] as const
const guessesAt: Readonly<Record<string, HiddenField['guessedPair']>> = {
  password: pairOf(() => secrets.hash),
  two_step: pairOf(() => secrets.secret),
  recovery: pairOf(() => secrets.code),
  reset_codes: pairOf(() => secrets.code),
  resetPasswordToken: pairOf(() => secrets.code),
  confirmationToken: pairOf(() => secrets.code),
  sessions: pairOf(() => 'token'),
}

/** Every private field of the model, and common names of secrets in other products. */
const hiddenFields: readonly HiddenField[] = Object.values<Resource>(resources).flatMap((resource) => {
  const privateNames = Object.entries<Field>(resource.fields).flatMap(([name, field]) => (field.private ? [name] : []))
  const names = resource.name === 'users' || resource.name === 'staff' ? Object.keys(guessesAt) : []
  return [...new Set([...privateNames, ...names])].map((field) => ({
    resource,
    field,
    guessedPair: guessesAt[field] ?? (() => ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:01.000Z'] as const),
  }))
})

interface Chain {
  from: Resource
  /** Links that lead from the resource to that of the hidden field. */
  links: readonly string[]
}

const linksOf = (resource: Resource) =>
  Object.entries<Field>(resource.fields).flatMap(([name, field]) =>
    isLink(field) ? [{ name, target: linkOf(resource, name).target }] : [],
  )

/** All paths to a resource over at most two links. */
function findChains(target: Resource): Chain[] {
  return Object.values<Resource>(resources)
    .filter(({ single }) => !single)
    .flatMap((sourceResource) => [
      ...(sourceResource.name === target.name ? [{ from: sourceResource, links: [] }] : []),
      ...linksOf(sourceResource).flatMap(({ name, target: firstTarget }) => [
        ...(firstTarget.name === target.name ? [{ from: sourceResource, links: [name] }] : []),
        ...linksOf(firstTarget).flatMap((secondLink) =>
          secondLink.target.name === target.name ? [{ from: sourceResource, links: [name, secondLink.name] }] : [],
        ),
      ]),
    ])
}

interface Question {
  method: 'GET' | 'POST'
  url: string
  body?: object
}
interface Pair {
  asker: AskerRole
  /** The field, the kind of question and whether it is asked over links. */
  subject: string
  description: string
  ask: () => readonly [right: Question, wrong: Question]
}

const bracketedLinks = (links: readonly string[]) => links.map((link) => `[${link}]`).join('')
const get = (url: string): Question => ({ method: 'GET', url })

/**
 * Guesses at one field over one path: by filters of each kind, by order, by shown values, in files and in
 * groups.
 */
function pairsOf(
  asker: AskerRole,
  { resource, field, guessedPair: guesses }: HiddenField,
  { from, links }: Chain,
): Pair[] {
  const path = `/${from.wire}`
  const [bracketedPath, dottedPath] = [bracketedLinks(links), [...links, field].join('.')]
  const makePair = (queryPart: string, make: (guess: string) => Question): Pair => ({
    asker,
    subject: `${resource.name}.${field}: ${queryPart}${links.length > 0 ? ' over links' : ''}`,
    description: `${asker}: ${queryPart} of ${resource.name}.${field} from ${from.wire}${bracketedPath}`,
    ask: () => {
      const [right, wrongGuess] = guesses()
      return [make(right), make(wrongGuess)]
    },
  })
  /** Guesses at the name of a private field, which must be answered like an unknown name. */
  const namePair = (queryPart: string, make: (name: string) => Question): Pair => ({
    ...makePair(queryPart, make),
    ask: () => [make(field), make('no_such_field')],
  })
  const exportQuestion = (data: object): Question => ({
    method: 'POST',
    url: '/export',
    body: { data: { resource: from.wire, format: 'csv', columns: [from.title], ...data } },
  })
  const nestFilter = (value: unknown) =>
    [...links, field].reduceRight<unknown>((innerFilter, key) => ({ [key]: innerFilter }), value)
  const offeredOperators =
    links.length === 0 ? operators : operators.filter((_operator, index) => index % 6 === links.length)
  return [
    ...offeredOperators.map((operator) =>
      makePair(operator, (guess) =>
        get(`${path}?filters${bracketedPath}[${field}][${operator}]=${encodeURIComponent(guess)}`),
      ),
    ),
    makePair('filter in a file', (guess) => exportQuestion({ query: { filters: nestFilter({ $eq: guess }) } })),
    namePair('order', (name) => get(`${path}?sort=${[...links, name].join('.')}:desc`)),
    namePair('showing', (name) => get(`${path}?${populateQuery(links)}fields[0]=${name}`)),
    namePair('population', (name) => get(`${path}?populate=${[...links, name].join('.')}`)),
    namePair('column of a file', (name) => exportQuestion({ columns: [[...links, name].join('.')] })),
    ...(links.length === 0 ? [namePair('groups', (name) => get(`${path}/groups?by=${name}`))] : []),
    makePair('search', (guess) =>
      get(`${path}?_q=${encodeURIComponent(guess)}&${dottedPath}=${encodeURIComponent(guess)}`),
    ),
  ]
}

/** `populate[a][populate][b][`…, so that further keys apply to the last link. */
const populateQuery = (links: readonly string[]) =>
  links.length === 0 ? '' : `populate${links.map((link) => `[${link}]`).join('[populate]')}&`

const canList = ({ access }: Resource, asker: AskerRole) =>
  decideAccess(access, 'list', { role: asker, isConsultant: false })

/** A field that is reached over no more paths than this is asked for by every role over each of them. */
const fewPaths = 9

/** Pairs of every role over every path; `isAsked` selects the role whose turn it is. */
const candidates: readonly (Pair & { isAsked: boolean })[] = hiddenFields.flatMap((hiddenField, fieldIndex) => {
  const chains = findChains(hiddenField.resource).filter(
    ({ links }) => links.length < 2 || Object.hasOwn(hiddenField.resource.fields, hiddenField.field),
  )
  return chains.flatMap((chain, chainIndex) => {
    const readers = askers.filter((asker) => canList(chain.from, asker))
    const isAskedByAll = chain.links.length === 0 || chains.length <= fewPaths
    return readers.flatMap((asker, askerIndex) =>
      pairsOf(asker, hiddenField, chain).map((pair, kindIndex) => ({
        ...pair,
        isAsked: isAskedByAll || (fieldIndex + chainIndex + kindIndex) % readers.length === askerIndex,
      })),
    )
  })
})
const pairs = candidates.filter(({ isAsked }) => isAsked)

async function sendQuestion(asker: AskerRole, { method, url, body }: Question) {
  const headers = { authorization: `Bearer ${resourceApp.tokens[asker]}` }
  const answer = await resourceApp.app.inject({
    method,
    url: `/api${url}`,
    headers,
    ...(body !== undefined && { payload: body }),
  })
  return { status: answer.statusCode, text: answer.body }
}

/** Answers to questions about the unknown name, which several private fields of one resource share. */
const unknownNameAnswers = new Map<string, ReturnType<typeof sendQuestion>>()

function askOnce(asker: AskerRole, question: Question) {
  const key = JSON.stringify([asker, question])
  const answer = unknownNameAnswers.get(key) ?? sendQuestion(asker, question)
  unknownNameAnswers.set(key, answer)
  return answer
}

/**
 * Returns an answer without the requested name, which the caller knows already, and without the times at which people
 * were last seen: a request of the test may be the first of another minute.
 */
async function readAnswer(asker: AskerRole, question: Question, name: string) {
  const isUnknownName = JSON.stringify(question).includes('no_such_field')
  const { status, text } = await (isUnknownName ? askOnce : sendQuestion)(asker, question)
  const comparedText = text
    .replaceAll(/(?<="last_seen_at":")[^"]+/g, '…')
    .replaceAll(name, '…')
    .replaceAll('no_such_field', '…')
  return { status, text: comparedText }
}

describe('right and wrong guesses at private fields', () => {
  it('makes at least 1,000 pairs of right and wrong guesses at private fields', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(1_000)
  })

  it('has every kind of question asked by every role, and over every path', () => {
    const subjectsOf = (list: readonly Pair[]) => new Set(list.map(({ asker, subject }) => `${asker}: ${subject}`))
    expect(subjectsOf(pairs)).toEqual(subjectsOf(candidates))
    const withoutRole = (list: readonly Pair[]) =>
      new Set(list.map(({ asker, description }) => description.slice(asker.length)))
    expect(withoutRole(pairs)).toEqual(withoutRole(candidates))
  })

  it.each(
    hiddenFields.map((hiddenField) => [`${hiddenField.resource.name}.${hiddenField.field}`, hiddenField] as const),
  )(
    'answers right and wrong guesses at the private field %s alike',
    { timeout: 120_000 },
    async (_name, hiddenField) => {
      const differingAnswers: string[] = []
      const ownPairs = pairs.filter(({ description }) =>
        description.includes(`of ${hiddenField.resource.name}.${hiddenField.field} from`),
      )
      for (const { asker, description, ask } of ownPairs) {
        const [right, wrongQuestion] = ask()
        const answers = [
          await readAnswer(asker, right, hiddenField.field),
          await readAnswer(asker, wrongQuestion, hiddenField.field),
        ]
        if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) differingAnswers.push(description)
        if (answers[0]?.text.includes(secrets.hash)) differingAnswers.push(`${description}: the hash itself`)
      }
      expect(differingAnswers).toEqual([])
      expect(ownPairs.length).toBeGreaterThan(10)
    },
  )

  it('finds no secret in the search over all resources', async () => {
    for (const [right, wrongGuess] of Object.values(guessesAt).map((guesses) => guesses())) {
      const [rightAnswer, wrongAnswer] = await Promise.all(
        [right, wrongGuess].map((text) =>
          resourceApp.ask('GET', `/search?q=${encodeURIComponent(text)}`, undefined, 'owner'),
        ),
      )
      expect(rightAnswer).toEqual(wrongAnswer)
    }
  })

  it.each(hiddenFields.map(({ resource, field }) => [resource.wire, field] as const))(
    'finds nothing in the history of %s by the private field %s',
    async (wire, field) => {
      const id = wire === 'users' || wire === 'staff' ? victim : 1
      const [privateField, unknownField] = await Promise.all(
        [field, 'no_such_field'].map((name) =>
          resourceApp.ask('GET', `/${wire}/${id}/history?field=${name}`, undefined, 'owner'),
        ),
      )
      expect(JSON.stringify(privateField)).toBe(JSON.stringify(unknownField).replaceAll('no_such_field', field))
    },
  )
})

describe('a record of another user', () => {
  const missingId = 2_000_000
  const makeRequests = (
    wire: string,
    id: number,
  ): [method: 'GET' | 'PUT' | 'DELETE' | 'POST', url: string, body?: unknown][] => [
    ['GET', `/${wire}/${id}`],
    ['GET', `/${wire}/${id}?populate=*`],
    ['PUT', `/${wire}/${id}`, wire === 'users' ? { name: 'x' } : { data: { version: 1 } }],
    ['DELETE', `/${wire}/${id}`],
    ['GET', `/${wire}/${id}/history`],
    ['GET', `/${wire}/${id}/uses`],
    ['POST', `/${wire}/${id}/restore`],
    ['POST', `/${wire}/${id}/localizations`, { locale: 'ru' }],
  ]
  it.each<[wire: string, make: () => Promise<number>]>([
    ['users', () => Promise.resolve(strangerId)],
    [
      'consultations',
      () => buildRecord(resourceApp.database, 'consultations', { question: 'Q', user: strangerId, consultant: victim }),
    ],
    ['chatrooms', () => buildRecord(resourceApp.database, 'chatrooms', { sender: strangerId, receiver: victim })],
    [
      'tradinposts',
      async () => {
        const tradingposttype = await buildRecord(resourceApp.database, 'tradingposttypes', {
          name: { en: 'T' },
          code: 'selling',
        })
        return buildRecord(resourceApp.database, 'tradinposts', { title: 'T', tradingposttype, user: strangerId })
      },
    ],
    [
      'listviews',
      () => buildRecord(resourceApp.database, 'listviews', { name: 'V', screen: 'news', owner: strangerId }),
    ],
  ])("answers a request for another user's record like one for an unknown record: %s", async (wire, make) => {
    const id = await make()
    for (const [method, url, body] of makeRequests(wire, id)) {
      const foreignAnswer = await resourceApp.ask(method, url, body, 'authenticated')
      const missingAnswer = await resourceApp.ask(method, url.replace(`/${id}`, `/${missingId}`), body, 'authenticated')
      expect({ url: `${method} ${url}`, ...foreignAnswer }).toEqual({ url: `${method} ${url}`, ...missingAnswer })
      expect(foreignAnswer.status).toBeGreaterThanOrEqual(400)
    }
  })
})
