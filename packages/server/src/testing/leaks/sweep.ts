/** Requests every route as every caller, and looks for values that the oracle hides from them. */
import { type Field, hasScripts, isLink, isToOne, type Resource } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from '../../db/sql.ts'
import { descriptions } from '../descriptions.ts'
import type { Database } from '../../db/database.ts'
import { ChangedTexts } from '../../features/memory/changed-texts.ts'
import { buildDocument } from '../../features/openapi/document.ts'
import { resources } from '../../resources/attributes.ts'
import { tokenOf } from '../app.ts'
import { publishCourses } from '../factories.ts'
import {
  comparedFields,
  type ApiRoute,
  routesOf,
  targetOf,
  findUncoveredRoutes,
  type Way,
  waysFromResource,
} from './doors.ts'
import { markersIn, type Owner } from './markers.ts'
import {
  finderOf,
  type KnownDocuments,
  type KnownDocument,
  readKnownDocuments,
  VisibleRecords,
  type Viewer,
} from './oracle.ts'
import { sweepSockets } from './sockets.ts'
import { buildLeakWorld, type LeakWorld, type PersonName, peopleNames, removeLeavingRecords } from './world.ts'

/** Size of a leak test: the share of all requests that it sends, and the number of records of a resource. */
export interface SweepDose {
  /** Share of the leak test's requests of each kind: 1 sends all of them. */
  readonly shareOfWork: number
  readonly records: number
  readonly seed: number
}

interface Leak {
  readonly routeName: string
  readonly caller: string
  readonly question: string
  readonly description: string
}

export interface LeakReport {
  cells: number
  callers: number
  routeCount: number
  routes: number
  markers: number
  requests: number
  uncoveredRoutes: readonly string[]
  leaks: readonly Leak[]
  seconds: number
  countsByRoute: Readonly<Record<string, number>>
}

interface ViewerState {
  readonly name: string
  readonly viewer: Viewer
  readonly headers: Readonly<Record<string, string>>
  readonly visibleRecords: VisibleRecords
  /** Markers that the caller may see. */
  readonly shownMarkers: ReadonlySet<string>
  /** Markers that are hidden from the caller, by the field that contains them. */
  readonly hiddenMarkers: ReadonlyMap<string, readonly string[]>
}

interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  body?: unknown
}

interface Answer {
  status: number
  text: string
}

/**
 * Weights of the leak test's requests: those in every run, and those that even a small share includes often.
 */
const [everyRunWeight, frequentWeight] = [Number.POSITIVE_INFINITY, 100]
/** Maximum number of records of one resource that the leak test requests by id. */
const maxIds = 40
/** A wire id that no record has. */
const missingId = 1_999_999_999

/** Returns an answer without the requested value and without the moment at which a report was counted. */
const removeClockTimes = (text: string, value: string) =>
  text.replaceAll(value, '…').replaceAll(/"(?:generated_at|data_through)":\s*"[^"]*"/g, '')

/** Returns the position of the first difference between two texts, moved back by some letters. */
function firstDifference(firstText: string, otherText: string): number {
  let index = 0
  while (index < firstText.length && firstText[index] === otherText[index]) index += 1
  return Math.max(0, index - 60)
}

/** Derives a number below 1 from a text, so that the same share of requests is sent in every run. */
function drawNumber(text: string, seed: number): number {
  let state = 2_166_136_261 ^ seed
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 16_777_619)
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296
}

/** Returns a value of the same form that no record has. */
function createUnknownValue(marker: string): string {
  if (marker.startsWith('zk')) return 'zk9999999z'
  if (marker.startsWith('d')) return 'ffffffff'.padStart(32, 'd')
  if (marker.startsWith('#')) return '#f1f1f1'
  if (/^209\d-/.test(marker)) return '2089-02-03T04:05:06.000Z'
  if (/^\d{4}-/.test(marker)) return '1889-02-03'
  return marker.startsWith('41.') ? '41.999991' : '69999993'
}
const toQueryMarker = (marker: string) => (/^209\d-.*T/.test(marker) ? `${marker}.000Z` : marker)

const bracketNames = (names: readonly string[]) => names.map((name) => `[${name}]`).join('')
const populateQuery = (links: readonly string[]) => `populate${links.map((link) => `[${link}]`).join('[populate]')}`

/** Application that the leak test requests, and its database. */
interface SweepTarget {
  app: FastifyInstance
  database: Database
}

class LeakSweep {
  readonly #app: FastifyInstance
  readonly #database: Database
  readonly #dose: SweepDose
  readonly #world: LeakWorld
  readonly #known: KnownDocuments
  readonly #leaks: Leak[] = []
  readonly #countsByRoute: Record<string, number> = {}
  readonly #controls = new Map<string, Answer>()
  readonly #find: (owner: Pick<Owner, 'resource' | 'record'>) => KnownDocument | undefined
  #requests = 0

  constructor({ app, database }: SweepTarget, dose: SweepDose, world: LeakWorld, knownByTable: KnownDocuments) {
    this.#app = app
    this.#database = database
    this.#dose = dose
    this.#world = world
    this.#known = knownByTable
    this.#find = finderOf(knownByTable)
  }

  get figures() {
    const cells = Object.values(this.#countsByRoute).reduce((sum, count) => sum + count, 0)
    return { cells, requests: this.#requests, leaks: this.#leaks, countsByRoute: this.#countsByRoute }
  }

  /** Adds results of leak checks that were made elsewhere, such as those of sockets. */
  note(routeName: string, cells: number, leaks: readonly Omit<Leak, 'routeName'>[]): void {
    this.#countsByRoute[routeName] = (this.#countsByRoute[routeName] ?? 0) + cells
    for (const leak of leaks) this.#leaks.push({ routeName, ...leak })
  }

  async #ask(as: ViewerState, { method, url, body }: Question): Promise<Answer> {
    this.#requests += 1
    const answer = await this.#app.inject({
      method,
      url: encodeURI(url),
      headers: { ...as.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    const isSheet = String(answer.headers['content-type']).includes('spreadsheet')
    if (!isSheet) return { status: answer.statusCode, text: answer.body }
    const texts = Object.values(unzipSync(new Uint8Array(answer.rawPayload))).map((bytes) => strFromU8(bytes))
    return { status: answer.statusCode, text: texts.join('\n') }
  }

  /** Tells whether a request belongs to the share that the leak test sends. */
  #takes(as: ViewerState, routeName: string, { method, url, body }: Question, weight: number): boolean {
    const key = `${as.name} ${routeName} ${method} ${url} ${body === undefined ? '' : JSON.stringify(body)}`
    return drawNumber(key, this.#dose.seed) < this.#dose.shareOfWork * weight
  }

  #leak(as: ViewerState, routeName: string, { method, url, body }: Question, description: string): void {
    const sentBody = body === undefined ? '' : ` ${JSON.stringify(body)}`
    this.#leaks.push({ routeName, caller: as.name, question: `${method} ${url}${sentBody}`, description })
  }

  #named(marker: string): string {
    const owners = this.#world.markers.all.get(marker) ?? []
    return `${marker} of ${owners.map(({ resource, record, field }) => `${resource} ${record}.${field}`).join(', ')}`
  }

  #scan(as: ViewerState, routeName: string, question: Question, { status, text }: Answer, requestPrefix: string): void {
    const requestText = `${question.url} ${JSON.stringify(question.body) ?? ''} ${requestPrefix}`
    const sentMarkers = markersIn(requestText, this.#world.markers.all)
    const leakedMarkers = [...markersIn(text, this.#world.markers.all)].filter(
      (foundMarker) => !as.shownMarkers.has(foundMarker) && !sentMarkers.has(foundMarker),
    )
    if (leakedMarkers.length > 0) {
      const namedLeaks = leakedMarkers.slice(0, 4).map((leakedMarker) => this.#named(leakedMarker))
      this.#leak(as, routeName, question, `${leakedMarkers.length} markers: ${namedLeaks.join('; ')}`)
    }
    if (status >= 500) this.#leak(as, routeName, question, `answered ${status}: ${text.slice(0, 300)}`)
  }

  /** Sends a request of the leak test and looks for hidden markers in the answer. */
  async #look(
    as: ViewerState,
    routeName: string,
    question: Question,
    weight = 1,
    sentText = '',
  ): Promise<Answer | undefined> {
    if (!this.#takes(as, routeName, question, weight)) return undefined
    this.#countsByRoute[routeName] = (this.#countsByRoute[routeName] ?? 0) + 1
    const answer = await this.#ask(as, question)
    this.#scan(as, routeName, question, answer, sentText)
    return answer
  }

  /** Requests a hidden value and a value that does not exist: both answers must be equal. */
  async #compare(
    as: ViewerState,
    routeName: string,
    makeQuestion: (value: string) => Question,
    [value, control]: readonly [string, string],
    weight = 1,
  ): Promise<void> {
    const question = makeQuestion(value)
    const answer = await this.#look(as, routeName, question, weight)
    if (!answer) return
    const otherQuestion = makeQuestion(control)
    const key = `${as.name} ${otherQuestion.method} ${otherQuestion.url} ${JSON.stringify(otherQuestion.body) ?? ''}`
    const controlAnswer = this.#controls.get(key) ?? (await this.#ask(as, otherQuestion))
    this.#controls.set(key, controlAnswer)
    const [right, controlText] = [removeClockTimes(answer.text, value), removeClockTimes(controlAnswer.text, control)]
    if (answer.status === controlAnswer.status && right === controlText) return
    const [answerExcerpt, controlExcerpt] = [right, controlText].map((text) =>
      text.slice(firstDifference(right, controlText)).slice(0, 200),
    )
    this.#leak(
      as,
      routeName,
      question,
      `${this.#named(value)} is told from ${control}: ${answer.status} …${answerExcerpt} / ${controlAnswer.status} …${controlExcerpt}`,
    )
  }

  /**
   * Sends requests as a caller who, by the oracle, may see nothing.
   *
   * @throws Unless a list, a filter and a search each count as a leak: a sweep that cannot fail proves
   *   nothing.
   */
  async assertFails(as: ViewerState): Promise<void> {
    const blindViewer: ViewerState = { ...as, shownMarkers: new Set<string>() }
    const [name = ''] = this.#markersAt.get('regions.code') ?? []
    const get = (query: string): Question => ({ method: 'GET', url: `/api/regions?locale=all&${query}` })
    const pair = [name, createUnknownValue(name)] as const
    await this.#look(blindViewer, 'list', get(''), everyRunWeight)
    await this.#compare(
      blindViewer,
      'filter',
      (value) => get(`filters[code]=${value}&fields=order`),
      pair,
      everyRunWeight,
    )
    await this.#compare(blindViewer, 'search', (value) => get(`_q=${value}&fields=order`), pair, everyRunWeight)
    const foundRoutes = new Set(this.#leaks.map(({ routeName }) => routeName))
    if (foundRoutes.size < 3)
      throw new Error(`The sweep found no more than ${[...foundRoutes].join(', ')} where all is hidden`)
  }

  /**
   * Sends all requests of one caller in the leak test.
   *
   * @throws When every request is refused: then no answer would prove anything.
   */
  async askAll(as: ViewerState, apiRoutes: readonly ApiRoute[]): Promise<void> {
    const { status } = await this.#ask(as, { method: 'GET', url: '/api/regions' })
    if (status !== (as.viewer.role === 'public' ? 401 : 200)) throw new Error(`${as.name} is answered ${status}`)
    for (const apiRoute of apiRoutes) {
      // `/users/me` answers with the real account even with view-as: the owner is tested there without it.
      if (apiRoute.path === '/api/users/me' && as.headers['x-view-as'] !== undefined) continue
      if (apiRoute.method === 'GET') await this.#askRoute(as, apiRoute)
      else if (apiRoute.path.includes('{id}')) await this.#tryRecords(as, apiRoute)
    }
    for (const resource of Object.values(resources)) {
      await this.#export(as, resource)
      await this.#bulk(as, resource)
      await this.#taken(as, resource)
    }
  }

  #idsOf(resource: Resource): number[] {
    const table = resource.storedAs ?? resource.name
    const documents = [...(this.#known.get(table)?.values() ?? [])]
    const existingIds = documents.flatMap(({ wireIds }) => wireIds.slice(0, 2))
    // Some tables grow with every write: evenly spread records stand for all records of such a table.
    const step = Math.max(1, Math.floor(existingIds.length / maxIds))
    return [...existingIds.filter((_, index) => index % step === 0), ...(this.#world.leavingIds.get(table) ?? [])]
  }

  #isListed(as: ViewerState, resource: Resource, id: number): boolean {
    const document = this.#find({ resource: resource.storedAs ?? resource.name, record: id })
    return document !== undefined && as.visibleRecords.lists(resource, document)
  }

  async #askRoute(as: ViewerState, apiRoute: ApiRoute): Promise<void> {
    const { resource, path } = apiRoute
    if (!path.includes('{')) return this.#askQueries(as, apiRoute, path)
    if (!resource) return
    const ids = this.#idsOf(resource)
    for (const [index, id] of ids.entries()) {
      const requestOf = (value: string) => ({ method: 'GET', url: path.replace('{id}', value) }) as const
      const routeLabel = `one ${path}`
      if (this.#isListed(as, resource, id))
        await this.#look(as, routeLabel, requestOf(String(id)), index === 0 ? frequentWeight : 1)
      else
        await this.#compare(
          as,
          routeLabel,
          requestOf,
          [String(id), String(missingId)],
          index === 0 ? frequentWeight : 1,
        )
      // The id of a report is below those of saved reports, and the ids of this world are above them.
      const key = resource.name === 'statistics' ? this.#find({ resource: 'statistics', record: id })?.values.key : id
      await this.#askQueries(as, apiRoute, path.replace('{id}', String(key)), 0.3)
    }
  }

  async #tryRecords(as: ViewerState, { method, path, resource }: ApiRoute): Promise<void> {
    if (!resource) return
    // Deleted records that the caller may restore from the trash are visible.
    const hiddenIds = this.#idsOf(resource).filter(
      (id) => !this.#isListed(as, resource, id) && !as.shownMarkers.has(String(id)),
    )
    for (const id of hiddenIds) {
      const body = method === 'DELETE' ? {} : { body: resource.unwrapped ? {} : { data: {} } }
      const requestOf = (value: string) => ({ method, url: path.replace('{id}', value), ...body })
      await this.#compare(as, `write ${method}`, requestOf, [String(id), String(missingId)], 0.2)
    }
  }

  /** Requests an address of the leak test with each of its query keys in turn. */
  async #askQueries(as: ViewerState, apiRoute: ApiRoute, address: string, weight = 1): Promise<void> {
    const names = new Set(apiRoute.parameters.map(({ name }) => name))
    const widePage = names.has('pagination')
      ? 'pagination[pageSize]=100'
      : names.has('limit')
        ? 'start=0&limit=100'
        : ''
    const wideQuery = names.has('fallback') ? `${widePage}&locale=all` : widePage
    const get = (query: string) => ({ method: 'GET', url: `${address}?${query}` }) as const
    const isOne = apiRoute.path.includes('{')
    if (!isOne) await this.#look(as, 'list', get(wideQuery), everyRunWeight)
    for (const { name, choices } of apiRoute.parameters) {
      const lookUpQuery = (query: string, share = 1) =>
        this.#look(as, name, get(`${wideQuery}&${query}`), weight * share)
      switch (name) {
        case 'filters':
          await this.#filters(as, apiRoute, address, wideQuery, weight)
          break
        case 'sort':
          await this.#sorts(as, apiRoute, address, wideQuery, weight)
          break
        case 'populate':
          if (apiRoute.resource)
            for (const { links } of this.#waysOf(as, apiRoute.resource, address))
              if (links.length > 0)
                await this.#look(as, `populate ${links.length}`, get(`${wideQuery}&${populateQuery(links)}=*`), weight)
          await lookUpQuery('populate=*', 3)
          break
        case 'fields':
          for (const field of Object.keys(apiRoute.resource?.fields ?? {})) await lookUpQuery(`fields=${field}`, 0.3)
          break
        case 'by':
        case 'field':
          for (const field of [...Object.keys(apiRoute.resource?.fields ?? {}), 'id', 'locale'])
            await lookUpQuery(`${name}=${field}`)
          break
        case '_q':
        case 'q':
          await this.#searches(as, apiRoute, (text) => get(`${wideQuery}&${name}=${text}`), weight)
          break
        case 'pagination':
          await lookUpQuery('pagination[start]=0&pagination[limit]=100')
          break
        case 'locale':
          for (const locale of ['ru', 'uz', 'kaa', 'en']) await lookUpQuery(`locale=${locale}`)
          break
        case 'fallback':
          for (const locale of ['ru', 'kaa']) await lookUpQuery(`locale=${locale}&fallback=true`)
          break
        case 'missing_locale':
        case 'outdated_locale':
          for (const locale of ['uz', 'kaa']) await lookUpQuery(`${name}=${locale}`)
          break
        case 'resource':
          for (const { wire } of Object.values(resources)) await lookUpQuery(`resource=${wire}`)
          break
        case 'room':
        case 'pricedate':
        case 'product':
        case 'region':
        case 'districts':
        case 'category':
        case 'record':
        case 'ids':
          await this.#records(as, apiRoute, name, (value) => get(`${wideQuery}&${value}`), weight)
          break
        case 'date':
        case 'from':
        case 'to':
          for (const date of ['2026-01-01', '1890-01-02']) await lookUpQuery(`${name}=${date}`)
          break
        case 'after':
        case 'before':
        case 'around':
          for (const id of this.#world.recordIds.get('chatrooms') ?? [])
            await lookUpQuery(`filters[room]=${id}&${name}=${name === 'after' ? 0 : 50}&limit=100`, 0.3)
          break
        case 'upTo':
          for (const id of this.#world.recordIds.get('chatrooms') ?? []) await lookUpQuery(`room=${id}&upTo=1`, 0.1)
          break
        case 'start':
        case 'limit':
          await lookUpQuery('start=0&limit=100')
          break
        case 'columns':
          await lookUpQuery('metric=answered&format=xlsx&columns=id,person')
          break
        default:
          // A query parameter with choices is requested with each choice; `findUncovered` refuses any other
          // key.
          for (const choice of choices) await lookUpQuery(`${name}=${choice}`)
      }
    }
  }

  /** Returns paths over links: each first link, a share of the second ones, and random walks to the fifth. */
  #waysOf(as: ViewerState, resource: Resource, salt: string): Way[] {
    const longerWalks = [3, 4, 5].flatMap((depth) =>
      [0, 1].map((turn) => {
        let [target, links] = [resource, [] as string[]]
        for (let step = 0; step < depth; step += 1) {
          const names = Object.entries<Field>(target.fields).flatMap(([name, field]) => (isLink(field) ? [name] : []))
          const drawnNumber = drawNumber(
            `${as.name} ${resource.name} ${salt} ${depth} ${turn} ${step}`,
            this.#dose.seed,
          )
          const link = names[Math.floor(drawnNumber * names.length)]
          if (link === undefined) break
          links = [...links, link]
          target = targetOf(target, link)
        }
        return { startResource: resource, links, target }
      }),
    )
    const nearWays = waysFromResource(resource, 2).filter(
      ({ links }) => links.length < 2 || drawNumber(`${as.name} ${links.join('.')} ${salt}`, this.#dose.seed) < 0.1,
    )
    return [...nearWays, ...longerWalks]
  }

  /**
   * Returns a hidden marker for each field at the end of a path; through a hidden link every marker is
   * hidden.
   */
  #hiddenAt(as: ViewerState, { startResource, links, target }: Way, field: string): string | undefined {
    let currentResource: Resource = startResource
    let isBehind = false
    for (const link of links) {
      const declaredField: Field | undefined = currentResource.fields[link]
      if (declaredField?.private || (declaredField?.readableBy && as.viewer.role === 'authenticated')) isBehind = true
      currentResource = targetOf(currentResource, link)
    }
    const key = `${target.storedAs ?? target.name}.${field}`
    const hiddenValues = as.hiddenMarkers.get(key) ?? []
    const candidateMarkers = isBehind ? [...(this.#markersAt.get(key) ?? [])] : hiddenValues
    return candidateMarkers[
      Math.floor(drawNumber(`${as.name} ${links.join('.')} ${key}`, this.#dose.seed) * candidateMarkers.length)
    ]
  }

  get #markersAt(): ReadonlyMap<string, readonly string[]> {
    this.#byField ??= markersByField([...this.#world.markers.all.keys()], this.#world)
    return this.#byField
  }
  #byField: ReadonlyMap<string, readonly string[]> | undefined

  async #filters(
    as: ViewerState,
    apiRoute: ApiRoute,
    address: string,
    wideQuery: string,
    weight: number,
  ): Promise<void> {
    if (!apiRoute.resource) return
    if (apiRoute.path.startsWith('/api/statistics/{id}'))
      return this.#reportFilters(as, address, `${wideQuery}&metric=answered`, weight)
    for (const linkPath of waysFromResource(apiRoute.resource, 2)) {
      const shareOfDepth = [1, 0.25, 0.02][linkPath.links.length] ?? 0
      for (const [field, operators] of comparedFields(linkPath.target)) {
        const marker = this.#hiddenAt(as, linkPath, field)
        if (marker === undefined) continue
        const fit = /^[zd#]/.test(marker)
          ? operators
          : operators.filter((operatorName) => !/contains|With/.test(operatorName))
        const operator = fit[Math.floor(drawNumber(`${field}${as.name}`, 1) * fit.length)] ?? '$eq'
        // A visible value may be greater than a hidden one, so `$gte` is replaced by `$eq`.
        const safeOperator = operator === '$gte' ? '$eq' : operator
        const makeQuestion = (value: string): Question => ({
          method: 'GET',
          url: `${address}?${wideQuery}&filters${bracketNames([...linkPath.links, field])}[${safeOperator}]=${value}`,
        })
        const pair = [toQueryMarker(marker), createUnknownValue(marker)] as const
        await this.#compare(as, `filter ${linkPath.links.length}`, makeQuestion, pair, weight * shareOfDepth)
      }
    }
  }

  /**
   * Requests reports with filters: a consultant whose figures the caller may not see must count like a user
   * without any.
   */
  async #reportFilters(as: ViewerState, address: string, wideQuery: string, weight: number): Promise<void> {
    const users = this.#world.recordIds.get('users') ?? []
    const makeQuestion = (value: string): Question => ({
      method: 'GET',
      url: `${address}?${wideQuery}&period=month&filters[consultant]=${value}`,
    })
    const otherName = as.name === 'colleague' ? 'consultant' : 'colleague'
    const pair = [String(this.#world.people[otherName].id), String(users.at(-1))] as const
    if (as.viewer.role === 'authenticated')
      await this.#compare(as, 'statistics filter', makeQuestion, pair, weight * frequentWeight)
  }

  async #sorts(as: ViewerState, apiRoute: ApiRoute, address: string, wideQuery: string, weight: number): Promise<void> {
    if (!apiRoute.resource) return
    for (const { startResource, links, target } of waysFromResource(apiRoute.resource, 1)) {
      const shareOfLinks = links.length === 0 ? 1 : 0.2
      for (const [field] of comparedFields(target)) {
        for (const order of ['asc', 'desc'] as const) {
          const path = [...links, field].join('.')
          const question = { method: 'GET', url: `${address}?${wideQuery}&sort=${path}:${order}` } as const
          const answer = await this.#look(as, `sort ${links.length}`, question, weight * shareOfLinks * 0.5)
          const [link] = links
          if (answer?.status === 200) this.#checkOrder(as, question, answer, startResource, link, field, order)
        }
      }
    }
  }

  /**
   * Checks that rows with a hidden sort value are placed like rows without a value, in the order of their
   * ids.
   */
  #checkOrder(
    as: ViewerState,
    question: Question,
    { text }: Answer,
    resource: Resource,
    link: string | undefined,
    field: string,
    order: 'asc' | 'desc',
  ): void {
    const declaredField: Field | undefined = link === undefined ? undefined : resource.fields[link]
    if (declaredField && !isToOne(declaredField)) return
    const body = JSON.parse(text) as { data?: { id: number }[] } | { id: number }[]
    const rows = Array.isArray(body) ? body : (body.data ?? [])
    const name = resource.storedAs ?? resource.name
    const seenValues = rows.map(({ id }) => {
      const document = this.#find({ resource: name, record: id })
      const holder = link === undefined ? document : document?.links.get(link)?.[0]
      const isSeen = holder !== undefined && as.visibleRecords.sees(holder, field)
      return { id, isSeen, isHidden: holder !== undefined && !isSeen }
    })
    const hiddenPlaces = seenValues.filter(({ isHidden }) => isHidden)
    if (hiddenPlaces.length < 2) return
    const isInOrder = hiddenPlaces.every(({ id }, index) => index === 0 || (hiddenPlaces[index - 1]?.id ?? 0) < id)
    const firstHiddenPlace = seenValues.findIndex(({ isHidden }) => isHidden)
    const lastHiddenPlace = seenValues.length - 1 - seenValues.toReversed().findIndex(({ isHidden }) => isHidden)
    const isSeenInside = seenValues.slice(firstHiddenPlace, lastHiddenPlace).some(({ isSeen }) => isSeen)
    // Rows that a caller sees may lack a value: these rows are placed among the hidden ones.
    if (!isInOrder || (isSeenInside && order === 'asc' && !this.#mayBeEmpty(resource, link, field)))
      this.#leak(as, 'sort order', question, `orders rows by values out of sight (${link ?? ''}.${field})`)
  }

  #mayBeEmpty(resource: Resource, link: string | undefined, field: string): boolean {
    const target = link === undefined ? resource : targetOf(resource, link)
    return target.fields[field]?.required !== true
  }

  async #searches(
    as: ViewerState,
    apiRoute: ApiRoute,
    makeQuestion: (text: string) => Question,
    weight: number,
  ): Promise<void> {
    const names = apiRoute.resource ? [apiRoute.resource.storedAs ?? apiRoute.resource.name] : Object.keys(resources)
    for (const name of names) {
      for (const [key, markers] of as.hiddenMarkers) {
        if (!key.startsWith(`${name}.`)) continue
        const wordMarkers = markers.filter((marker) => /^[zd]/.test(marker))
        const marker =
          wordMarkers[
            Math.floor(drawNumber(`${as.name} ${key} ${apiRoute.path}`, this.#dose.seed) * wordMarkers.length)
          ]
        if (marker !== undefined)
          await this.#compare(as, `search`, makeQuestion, [marker, createUnknownValue(marker)], weight * 0.7)
      }
    }
  }

  /** Requests query keys that name records: each hidden record is answered like a missing one. */
  async #records(as: ViewerState, { path }: ApiRoute, name: string, make: (query: string) => Question, weight: number) {
    const targets: Readonly<Record<string, string>> = {
      room: 'chatrooms',
      pricedate: 'pricedates',
      product: 'products',
      region: 'regions',
      districts: 'districts',
      category: 'productcategories',
      record: 'news',
    }
    const resource = resources[targets[name] ?? 'users']
    if (!resource) return
    const filter = path === '/api/chatmessages/search' ? 'q=zk&room' : name
    for (const id of this.#idsOf(resource)) {
      const ask = (value: string) => make(`${filter}=${value}`)
      if (this.#isListed(as, resource, id)) await this.#look(as, name, ask(String(id)), weight)
      else await this.#compare(as, name, ask, [String(id), String(missingId)], weight)
    }
  }

  async #export(as: ViewerState, resource: Resource): Promise<void> {
    const order = (format: string, columns: readonly string[], query: object): Question => ({
      method: 'POST',
      url: '/api/export',
      body: { data: { resource: resource.wire, format, columns, query } },
    })
    if (as.headers['x-view-as'] !== undefined) return
    // Below staff, a user may make only twenty exports an hour, and a refusal proves nothing.
    await this.#database.query(sql`delete from throttles`)
    const columns = Object.keys(resource.fields)
    const locale = resource.localized ? { locale: 'all' } : {}
    for (const column of columns) await this.#look(as, 'export', order('csv', [column], locale), 0.5)
    for (const format of ['csv', 'xlsx']) {
      // A hidden column is refused, and with it the whole request: the other columns are requested without
      // it.
      const shownColumns = columns.filter((name) => {
        const field = resource.fields[name]
        return (
          !field?.private && field?.kind !== 'password' && !(field?.readableBy && as.viewer.role === 'authenticated')
        )
      })
      await this.#look(
        as,
        `export ${format}`,
        order(format, shownColumns, locale),
        format === 'csv' ? frequentWeight : 4,
      )
    }
    for (const [field] of comparedFields(resource)) {
      const marker = this.#hiddenAt(as, { startResource: resource, links: [], target: resource }, field)
      if (marker === undefined) continue
      const makeOrder = (value: string) => order('csv', [resource.title], { filters: { [field]: { $eq: value } } })
      await this.#compare(as, 'export filter', makeOrder, [toQueryMarker(marker), createUnknownValue(marker)], 0.3)
    }
  }

  /** Requests the preview of a bulk edit: neither it nor its rows reveal hidden records. */
  async #bulk(as: ViewerState, resource: Resource): Promise<void> {
    if (as.headers['x-view-as'] !== undefined || resource.single) return
    const ids = this.#idsOf(resource)
    const hiddenIds = ids.filter((id) => !this.#isListed(as, resource, id)).slice(0, 20)
    const order = (selection: object, action: object = { kind: 'remove' }): Question => ({
      method: 'POST',
      url: '/api/bulk',
      body: { data: { resource: resource.wire, action, dryRun: true, selection } },
    })
    const texts = Object.entries<Field>(resource.fields).flatMap(([name, field]) => (hasScripts(field) ? [name] : []))
    // A conversion replaces the named records by those of another language, but not hidden ones.
    const conversions = texts.length > 0 ? [{ kind: 'script', locale: 'uz', script: 'cyrillic', fields: texts }] : []
    for (const action of hiddenIds.length > 0 ? [{ kind: 'remove' }, ...conversions] : []) {
      const answer = await this.#look(as, 'bulk', order({ ids: hiddenIds }, action), 2)
      const id = answer && answer.status < 300 ? /"id":\s*"?(\d+)/.exec(answer.text)?.[1] : undefined
      if (id === undefined) continue
      for (const url of [`/api/bulk/${id}/rows`, `/api/bulk/${id}`])
        await this.#look(as, 'bulk rows', { method: 'GET', url }, everyRunWeight, hiddenIds.join(' '))
    }
    for (const [field] of comparedFields(resource)) {
      const marker = this.#hiddenAt(as, { startResource: resource, links: [], target: resource }, field)
      if (marker === undefined) continue
      const makeOrder = (value: string) => order({ query: { filters: { [field]: { $eq: value } } }, count: 9_999 })
      await this.#compare(as, 'bulk selection', makeOrder, [toQueryMarker(marker), createUnknownValue(marker)], 0.3)
    }
  }

  /**
   * Sends duplicates of unique values: a refusal reveals only that the value is in use, not the record that
   * has it.
   */
  async #taken(as: ViewerState, resource: Resource): Promise<void> {
    for (const [name, field] of Object.entries<Field>(resource.fields)) {
      if (isLink(field) || field.kind === 'count' || !field.unique) continue
      const [marker] = as.hiddenMarkers.get(`${resource.storedAs ?? resource.name}.${name}`) ?? []
      if (marker === undefined) continue
      const draft = { [name]: toQueryMarker(marker) }
      const url = `/api/${resource.wire}`
      await this.#look(as, 'taken', { method: 'POST', url, body: resource.unwrapped ? draft : { data: draft } })
    }
  }
}

/** Groups markers by their owner, as `resource.field`. */
function markersByField(markers: readonly string[], { markers: knownMarkers }: LeakWorld): Map<string, string[]> {
  const tracesByMarker = new Map<string, string[]>()
  for (const marker of markers) {
    const [owner] = knownMarkers.all.get(marker) ?? []
    if (!owner) continue
    const key = `${owner.resource}.${owner.field}`
    tracesByMarker.set(key, [...(tracesByMarker.get(key) ?? []), marker])
  }
  return tracesByMarker
}

/**
 * Returns the visible markers of deleted records: titles in the trash, and values in the audit log for its
 * readers.
 */
function removedMarkers(
  recordsBefore: VisibleRecords,
  viewer: Viewer,
  world: LeakWorld,
  findDocument: (owner: Owner) => KnownDocument | undefined,
) {
  const removedKeys = new Set([...world.leavingIds].flatMap(([name, ids]) => ids.map((id) => `${name} ${id}`)))
  const shownMarkers = new Set<string>()
  for (const [marker, owners] of world.markers.all)
    for (const owner of owners) {
      if (!removedKeys.has(`${owner.resource} ${owner.record}`)) continue
      const document = findDocument(owner)
      if (document && recordsBefore.sees(document, owner.field)) shownMarkers.add(marker)
    }
  return viewer.role === 'public' ? new Set<string>() : shownMarkers
}

/**
 * Makes a test world on an emptied database and requests every route of the application on it as every
 * caller.
 *
 * @returns The requests and the leaks; unknown routes and parameters are in `uncovered`.
 */
export async function sweepLeaks(app: FastifyInstance, database: Database, dose: SweepDose): Promise<LeakReport> {
  const startTime = performance.now()
  const world = await buildLeakWorld(database, dose.records)
  const documentsBefore = await readKnownDocuments(database)
  await removeLeavingRecords(database, world)
  await publishCourses(database)
  await new ChangedTexts(database).readAll()
  const knownDocuments = await readKnownDocuments(database)
  noteIds(documentsBefore, world)
  const findDocument = finderOf(knownDocuments)
  const findDocumentBefore = finderOf(documentsBefore)

  const callers: ViewerState[] = []
  const add = (name: string, viewer: Viewer, headers: Readonly<Record<string, string>>) => {
    const visibleRecords = new VisibleRecords(knownDocuments, viewer, world.markers)
    const shownMarkers = visibleRecords.markers(findDocument)
    const pastMarkers = removedMarkers(
      new VisibleRecords(documentsBefore, viewer, world.markers),
      viewer,
      world,
      findDocumentBefore,
    )
    for (const marker of pastMarkers) shownMarkers.add(marker)
    const allMarkers = [...world.markers.all.keys()]
    const markersByHiddenField = markersByField(
      allMarkers.filter((marker) => !shownMarkers.has(marker)),
      world,
    )
    callers.push({ name, viewer, headers, visibleRecords, shownMarkers, hiddenMarkers: markersByHiddenField })
  }
  add('stranger', { id: 0, role: 'public', isConsultant: false }, {})
  const tokens: Partial<Record<PersonName, string>> = {}
  for (const name of peopleNames) {
    const { id, username, role, isConsultant } = world.people[name]
    const token = await tokenOf(app, username)
    tokens[name] = token
    add(name, { id, role, isConsultant }, { authorization: `Bearer ${token}` })
  }
  const ownerHeaders = { authorization: `Bearer ${tokens.owner ?? ''}` }
  const { id } = world.people.owner
  add(
    'owner as authenticated',
    { id, role: 'authenticated', isConsultant: false },
    { ...ownerHeaders, 'x-view-as': 'authenticated' },
  )
  add(
    'owner as consultant',
    { id, role: 'authenticated', isConsultant: true },
    { ...ownerHeaders, 'x-view-as': 'consultant' },
  )
  add('owner as admin', { id, role: 'admin', isConsultant: false }, { ...ownerHeaders, 'x-view-as': 'admin' })

  const apiRoutes = routesOf(buildDocument(descriptions, resources, 'test'))
  const leakSweep = new LeakSweep({ app, database }, dose, world, knownDocuments)
  const farmer = callers.find(({ name }) => name === 'farmer')
  if (farmer) await new LeakSweep({ app, database }, dose, world, knownDocuments).assertFails(farmer)
  for (const caller of callers) await leakSweep.askAll(caller, apiRoutes)
  const listeners = callers.flatMap(({ name, viewer }) => {
    const token = tokens[name as PersonName]
    return token === undefined ? [] : [{ name, viewer, token }]
  })
  const socketFigures = await sweepSockets({ app, database, world }, listeners, dose.records)
  leakSweep.note('socket', socketFigures.cells, socketFigures.leaks)
  return {
    ...leakSweep.figures,
    callers: callers.length,
    routeCount: Object.keys(leakSweep.figures.countsByRoute).length,
    routes: apiRoutes.length,
    markers: world.markers.all.size,
    uncoveredRoutes: findUncoveredRoutes(apiRoutes),
    seconds: (performance.now() - startTime) / 1_000,
  }
}

/** Registers ids as markers of their records; the key of a document with languages is visible to nobody. */
function noteIds(knownByTable: KnownDocuments, { markers }: LeakWorld): void {
  for (const [resource, documents] of knownByTable)
    for (const { id, wireIds } of documents.values()) {
      const [record = id] = wireIds
      for (const wireId of wireIds) markers.own(String(wireId), { resource, record, field: 'id' })
      if (!wireIds.includes(id)) markers.own(String(id), { resource, record, field: '#document' })
    }
}
