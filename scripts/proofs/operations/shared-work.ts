/** Visitors who use several versions of the program on one database, and check what each reads of the others. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { signIn, trialPassword } from '../../lib/server-process.ts'

/** Milliseconds after which a request counts as failed. */
const requestLimit = 30_000
/** Rounds of a visitor after which they sign in anew, because a sign-in takes a tenth of a second of the processor. */
const roundsOfSession = 10

/** One instance that visitors use. */
export interface Instance {
  name: string
  url: string
}

interface Grid {
  products: { id: number; unit: { id: number } | null }[]
  districts: { id: number }[]
  cells: { product: number; district: number; price: number | null }[]
}

interface Tokens {
  staff: string
  farmer: string
}

/** A new farmer with a chat room of their own. */
async function register({ url }: Instance): Promise<{ email: string; password: string }> {
  const username = `farmer-${randomUUID().slice(0, 8)}`
  const [email, password] = [`${username}@example.org`, trialPassword]
  const answer = await fetch(`${url}/api/auth/local/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, email, password }),
  })
  if (!answer.ok) throw new Error(`A registration was refused with ${answer.status}: ${await answer.text()}`)
  return { email, password }
}

/** Steady use of all instances in turn: each next request of a visitor goes to the next instance. */
export class SharedWork {
  readonly failures: string[] = []
  /** Number of requests by instance. */
  readonly requests = new Map<string, number>()
  writeCount = 0
  readonly #instances: readonly Instance[]
  readonly #day: string
  readonly #workers: Promise<void>[]
  #turn = 0
  #isStopping = false

  private constructor(instances: readonly Instance[], visitors: number, day: string) {
    this.#instances = instances
    this.#day = day
    this.#workers = Array.from({ length: visitors }, async (_, index) =>
      this.#visit(index).catch((error: unknown) => {
        this.failures.push(String(error))
      }),
    )
  }

  /**
   * Opens a day of prices and starts visitors.
   *
   * @param instances - The instances; one that is added later is used from then on.
   * @param visitors - Number of visitors, each with one request at a time.
   */
  static async start(instances: readonly Instance[], visitors: number): Promise<SharedWork> {
    const [instance] = instances
    if (!instance) throw new Error('There is no instance')
    const headers = { authorization: `Bearer ${await signIn(instance.url)}`, 'content-type': 'application/json' }
    const today = await fetch(`${instance.url}/api/pricedates/today`, { headers })
    const { date } = ((await today.json()) as { data: { date: string } }).data
    const body = JSON.stringify({ data: { date } })
    const opened = await fetch(`${instance.url}/api/pricedates`, { method: 'POST', headers, body })
    if (!opened.ok) throw new Error(`A day of prices was refused with ${opened.status}: ${await opened.text()}`)
    return new SharedWork(instances, visitors, date)
  }

  /** Lets each visitor finish their round. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#workers)
  }

  #next(): Instance {
    this.#turn += 1
    const instance = this.#instances[this.#turn % this.#instances.length]
    if (!instance) throw new Error('There is no instance')
    return instance
  }

  #count({ name }: Instance): void {
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1)
  }

  async #signIn(identifier?: string, password?: string): Promise<string> {
    const instance = this.#next()
    this.#count(instance)
    return signIn(instance.url, identifier, password)
  }

  /** Sends a request to the next instance; returns the data of its answer, undefined after a failure. */
  async #ask<T>(token: string, method: 'GET' | 'POST' | 'PUT', path: string, data?: object): Promise<T | undefined> {
    const instance = this.#next()
    this.#count(instance)
    try {
      const answer = await fetch(`${instance.url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(requestLimit),
        ...(data && { body: JSON.stringify({ data }) }),
      })
      const text = await answer.text()
      if (answer.ok) {
        if (method !== 'GET') this.writeCount += 1
        return (JSON.parse(text) as { data: T }).data
      }
      this.failures.push(`${instance.name}: ${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
    } catch (error) {
      this.failures.push(`${instance.name}: ${method} ${path}: ${String(error)}`)
    }
    return undefined
  }

  #expect(what: string, actual: unknown, expected: unknown): void {
    if (actual !== expected) this.failures.push(`${what}: ${String(actual)} was read, ${String(expected)} was written`)
  }

  async #visit(index: number): Promise<void> {
    const farmer = await register(this.#next())
    let tokens: Tokens | undefined
    for (let round = 0; !this.#isStopping; round += 1) {
      if (tokens === undefined || round % roundsOfSession === 0)
        tokens = { staff: await this.#signIn(), farmer: await this.#signIn(farmer.email, farmer.password) }
      await this.#writeNews(tokens)
      await this.#enterPrice(tokens, index, 1_000 + round)
      await this.#writeMessage(tokens)
      await pause(20)
    }
  }

  async #writeNews({ staff }: Tokens): Promise<void> {
    const [title, otherTitle] = [`Note ${randomUUID()}`, `Note ${randomUUID()}`]
    const created = await this.#ask<{ id: number }>(staff, 'POST', '/news?locale=en', { title, description: title })
    if (!created) return
    const path = `/news/${created.id}`
    const read = await this.#ask<{ attributes: { title: string } }>(staff, 'GET', path)
    if (read) this.#expect('a new record', read.attributes.title, title)
    await this.#ask(staff, 'PUT', `${path}?locale=en`, { title: otherTitle })
    const query = new URLSearchParams({ locale: 'en', 'filters[title][$eq]': otherTitle })
    const list = await this.#ask<{ id: number }[]>(staff, 'GET', `/news?${query.toString()}`)
    if (list) this.#expect('a list', list[0]?.id, created.id)
  }

  /** Enters the price of a cell of the visitor's own. */
  async #enterPrice({ staff }: Tokens, index: number, price: number): Promise<void> {
    const path = `/pricelists/grid?date=${this.#day}`
    const grid = await this.#ask<Grid>(staff, 'GET', path)
    const [product, district] = [grid?.products[index], grid?.districts[0]]
    if (!grid) return
    if (!product || !district) throw new Error('The price table has too few products or districts')
    const cell = { product: product.id, district: district.id }
    const saved = await this.#ask<{ saved: unknown[]; rejected: unknown[] }>(staff, 'PUT', '/pricelists/grid', {
      date: this.#day,
      cells: [{ ...cell, price, confirm: true, note: 'Asked again', ...(product.unit && { unit: product.unit.id }) }],
    })
    if (saved) this.#expect('rejected prices', JSON.stringify(saved.rejected), '[]')
    const later = await this.#ask<Grid>(staff, 'GET', path)
    const read = later?.cells.find((found) => found.product === cell.product && found.district === cell.district)
    if (later) this.#expect('a price', read?.price, price)
  }

  async #writeMessage({ farmer, staff }: Tokens): Promise<void> {
    const text = `Question ${randomUUID()}`
    const room = await this.#ask<{ id: number }>(farmer, 'POST', '/chatrooms', { receiver: null, language: 'en' })
    if (!room) return
    await this.#ask(farmer, 'POST', '/chatmessages', { room: room.id, client_id: randomUUID(), text })
    const messages = await this.#ask<{ text: string }[]>(staff, 'GET', `/chatmessages?filters[room]=${room.id}&limit=1`)
    if (messages) this.#expect('a message', messages[0]?.text, text)
  }
}
