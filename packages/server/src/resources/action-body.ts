/** Reads the bodies of routes that are no plain records: wrong values there are 422, never 400 (contract §1). */
import { fault, type Issue, isStorable, lengthOf, maxInteger, unprocessable } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { isObject } from './read/parse-filters.ts'

/** Collects what is wrong with a body, so that all of it is said at once. */
export class ActionBody {
  readonly #data: Readonly<Record<string, unknown>>
  readonly #issues: Issue[] = []

  /** In: the request. Throws 422 without an object in `data`, unless the action can do without a body. */
  constructor({ body }: Pick<FastifyRequest, 'body'>, optional = false) {
    const data = isObject(body) ? body.data : undefined
    const isLeftOut = optional && (body === undefined || body === null || (isObject(body) && data === undefined))
    if (!isObject(data) && !isLeftOut)
      throw unprocessable([{ path: ['data'], code: 'validation.required', params: { field: 'data' } }])
    this.#data = isObject(data) ? data : {}
  }

  /** Whether a key is there at all. */
  has(field: string): boolean {
    return this.#data[field] !== undefined
  }

  /** What stands under a key, unread. */
  raw(field: string): unknown {
    return this.#data[field]
  }

  wrong(field: string, code: Issue['code'], params: Issue['params'] = {}): void {
    this.#issues.push({ path: [field], code, params: { field, ...params } })
  }

  /** A text; null when it is absent or blank. */
  text(field: string, max: number): string | null {
    const value = this.#data[field]
    if (value === undefined || value === null) return null
    if (typeof value !== 'string') this.wrong(field, 'validation.text')
    else if (!isStorable(value)) this.wrong(field, 'validation.control')
    else if (lengthOf(value) > max) this.wrong(field, 'validation.maxLength', { max })
    else return value.trim() === '' ? null : value
    return null
  }

  /** The id of a record in any form of a to-one link (contract §4); null when it is null, undefined when absent. */
  id(field: string): number | null | undefined {
    const value = this.#data[field]
    if (value === undefined || value === null) return value
    const id = idOfLink(value)
    if (id === undefined) this.wrong(field, 'validation.relation')
    return id
  }

  /** The id of a record that must be named; 0 when it is not. */
  requiredId(field: string): number {
    const id = this.id(field)
    if (this.#data[field] === undefined || this.#data[field] === null) this.wrong(field, 'validation.required')
    return id ?? 0
  }

  truth(field: string): boolean {
    const value = this.#data[field]
    if (value !== undefined && value !== null && typeof value !== 'boolean') this.wrong(field, 'validation.boolean')
    return value === true
  }

  /** A whole number from 0; undefined when absent. */
  count(field: string): number | undefined {
    const value = this.#data[field]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxInteger) return value
    this.wrong(field, 'validation.integer')
    return undefined
  }

  /** The version that the caller has seen, for the write that checks it. */
  version(): { version?: number } {
    const version = this.count('version')
    return version === undefined ? {} : { version }
  }

  /** Throws 422 with everything that was wrong. */
  check(): void {
    if (this.#issues.length > 0) throw unprocessable(this.#issues)
  }
}

/** One id in the forms that clients write it in. */
function idOfLink(value: unknown): number | undefined {
  if (isObject(value)) {
    const [only] = [value.id ?? value.connect ?? value.set]
    return only === undefined ? undefined : idOfLink(only)
  }
  if (Array.isArray(value)) return value.length === 1 ? idOfLink(value[0]) : undefined
  const isWritten = typeof value === 'number' || (typeof value === 'string' && /^\d{1,10}$/.test(value))
  const id = isWritten ? Number(value) : 0
  return Number.isInteger(id) && id > 0 && id <= maxInteger ? id : undefined
}

/** Throws 422 on `reason`. */
export function refuseWithoutReason(): never {
  const params = { field: 'reason' }
  throw fault('state.reason', { params, issues: [{ path: ['reason'], code: 'state.reason', params }] })
}
