/** What was typed into the table and is not saved yet: kept in this browser, sent in turn, refused cell by cell. */
import type { FaultParams } from '@dala/model'
import { keep, readKept } from '../../lib/kept/kept.ts'
import { type Prices, readCell, wordsOfRefusal } from './cell-text.ts'
import { cellKey, type Figures, type Market } from './price-grid.ts'

/** Where a cell stands and what was there when it was typed into. */
export interface CellPlace {
  market: Market
  /** The region it was shown in, to find the way back to it. */
  region: number | null
  product: number
  district: number
  unit: number | null
}

/** `kept`: typed before a reload; `clash`: a colleague has changed it meanwhile. */
type EditState = 'typing' | 'wrong' | 'waiting' | 'saving' | 'failed' | 'kept' | 'clash'

export interface CellEdit {
  place: CellPlace
  text: string
  state: EditState
  /** Version of the price that was typed over. */
  version: number | null
  problem?: string
  theirs?: Figures
}

export interface SaveAnswer {
  saved: readonly { product: number; district: number; version: number }[]
  rejected: readonly {
    product: number
    district: number
    code: string
    message: string
    params: FaultParams
    current?: Figures
  }[]
}

export type CellBody = Prices & Pick<CellPlace, 'product' | 'district'> & { unit?: number; version: number | null }

interface EditsOptions {
  /** Under which it is kept in this browser. */
  storageKey: string
  /** Sends cells of one market. */
  send: (market: Market, cells: readonly CellBody[]) => Promise<SaveAnswer>
  wordsOf: (failure: unknown) => string
  /** All that could be sent was sent, and some of it was saved. */
  onSaved: () => void
}

const none: Figures = { price: null, price_max: null, version: null }
const mostAtOnce = 500
const keyOf = ({ market, product, district }: CellPlace) => cellKey(market, product, district)

function isKept(value: unknown): value is Pick<CellEdit, 'place' | 'text' | 'version'> {
  return typeof value === 'object' && value !== null && 'place' in value && 'text' in value && 'version' in value
}

export class CellEdits {
  readonly #options: EditsOptions
  readonly #listeners = new Set<() => void>()
  readonly #edits = new Map<string, CellEdit>()
  /** What was saved since the table was loaded. */
  readonly #known = new Map<string, Figures>()
  #isSending = false
  #failure: string | undefined
  #version = 0

  constructor(options: EditsOptions) {
    this.#options = options
    try {
      const kept: unknown = JSON.parse(readKept(options.storageKey) ?? '[]')
      for (const edit of Array.isArray(kept) ? kept.filter(isKept) : [])
        this.#edits.set(keyOf(edit.place), { ...edit, state: 'kept' })
    } catch {
      // What cannot be read was not written by this program.
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  /** Moves with every change. */
  readonly version = (): number => this.#version
  readonly get = (key: string): CellEdit | undefined => this.#edits.get(key)

  /** Why the last call failed as a whole. */
  readonly failure = (): string | undefined => this.#failure
  /** A place that waits for its writer: no price, or one that a colleague has changed. */
  readonly unsettled = (): CellPlace | undefined =>
    [...this.#edits.values()].find(({ state }) => state === 'wrong' || state === 'clash')?.place

  /** What stands in a cell: what was saved here, unless the table has it newer. */
  figures(key: string, loaded: Figures | undefined): Figures {
    const known = this.#known.get(key)
    if (known && (known.version ?? 0) > (loaded?.version ?? 0)) return known
    return loaded ?? none
  }

  /** Whether it was saved since the table was loaded. */
  readonly isSaved = (key: string): boolean => this.#known.has(key) && !this.#edits.has(key)

  count(...states: readonly EditState[]): number {
    return [...this.#edits.values()].filter(({ state }) => states.includes(state)).length
  }

  type(place: CellPlace, text: string, loaded: Figures | undefined): void {
    const key = keyOf(place)
    // Of the price that one began to type over: what a colleague saves meanwhile is not passed over with the next letter.
    const { version } = this.#edits.get(key) ?? this.figures(key, loaded)
    this.#put({ place, text, state: 'typing', version })
  }

  /** A cell is left: what was typed is checked and sent; what says the same as before is forgotten. */
  leave(key: string, loaded: Figures | undefined): void {
    const edit = this.#edits.get(key)
    if (edit?.state !== 'typing') return
    const read = readCell(edit.text)
    if ('problem' in read) return this.#put({ ...edit, state: 'wrong', problem: read.problem })
    const now = this.figures(key, loaded)
    if (read.prices.price === now.price && read.prices.price_max === now.price_max) return this.forget(key)
    this.#put({ ...edit, state: 'waiting' })
    // Cells left in one go, a pasted block, travel in one call.
    queueMicrotask(() => void this.#flush())
  }

  forget(key: string): void {
    this.#edits.delete(key)
    this.#changed()
  }

  /** Sends again what failed, what was kept, or one cell of it. */
  retry(only?: string): void {
    for (const [key, edit] of this.#edits) {
      const isTried = edit.state === 'failed' || edit.state === 'kept'
      if (!isTried || (only !== undefined && key !== only)) continue
      const read = readCell(edit.text)
      this.#put('problem' in read ? { ...edit, state: 'wrong', problem: read.problem } : { ...edit, state: 'waiting' })
    }
    void this.#flush()
  }

  /** Ends a clash: a colleague's price stays, or one's own is written over it. */
  settle(key: string, whose: 'mine' | 'theirs'): void {
    const edit = this.#edits.get(key)
    if (!edit?.theirs) return
    if (whose === 'theirs') {
      this.#known.set(key, edit.theirs)
      return this.forget(key)
    }
    const { theirs, problem: _problem, ...mine } = edit
    this.#put({ ...mine, version: theirs.version, state: 'waiting' })
    void this.#flush()
  }

  #put(edit: CellEdit): void {
    this.#edits.set(keyOf(edit.place), edit)
    this.#changed()
  }

  #changed(): void {
    this.#version += 1
    const kept = [...this.#edits.values()].map(({ place, text, version }) => ({ place, text, version }))
    keep(this.#options.storageKey, kept.length > 0 ? JSON.stringify(kept) : null)
    for (const listener of this.#listeners) listener()
  }

  /** One call at a time: on a weak link the next one carries all that was typed meanwhile. */
  async #flush(): Promise<void> {
    if (this.#isSending) return
    const waiting = [...this.#edits.values()].filter(({ state }) => state === 'waiting')
    const market = waiting[0]?.place.market
    if (market === undefined) return
    const batch = waiting.filter(({ place }) => place.market === market).slice(0, mostAtOnce)
    this.#isSending = true
    for (const edit of batch) this.#put({ ...edit, state: 'saving' })
    let savedSome = false
    try {
      const answer = await this.#options.send(market, batch.map(bodyOf))
      this.#failure = undefined
      for (const edit of batch) savedSome = this.#settleCell(edit, answer) || savedSome
    } catch (failure) {
      this.#failure = this.#options.wordsOf(failure)
      for (const edit of batch) this.#ifUntouched(edit, (now) => this.#put({ ...now, state: 'failed' }))
    } finally {
      this.#isSending = false
    }
    if (savedSome && this.count('waiting') === 0) this.#options.onSaved()
    await this.#flush()
  }

  /** Takes the answer for one cell. Out: whether it was saved. */
  #settleCell(sent: CellEdit, { saved, rejected }: SaveAnswer): boolean {
    const key = keyOf(sent.place)
    const isThis = (one: { product: number; district: number }) =>
      one.product === sent.place.product && one.district === sent.place.district
    const done = saved.find(isThis)
    if (done) {
      this.#known.set(key, { ...bodyOf(sent), version: done.version })
      const now = this.#edits.get(key)
      // Typed into again while it was on its way: that starts from what is saved now.
      if (now && now.text !== sent.text) this.#put({ ...now, version: done.version })
      else this.forget(key)
      return true
    }
    const refused = rejected.find(isThis)
    const problem = refused ? wordsOfRefusal(refused.code, refused.params, refused.message) : ''
    this.#ifUntouched(sent, (now) => {
      if (refused?.current) this.#put({ ...now, state: 'clash', problem, theirs: refused.current })
      else this.#put({ ...now, state: refused ? 'wrong' : 'failed', problem })
    })
    return false
  }

  #ifUntouched(sent: CellEdit, then: (now: CellEdit) => void): void {
    const now = this.#edits.get(keyOf(sent.place))
    if (now?.state === 'saving') then(now)
  }
}

function bodyOf({ place: { product, district, unit }, text, version }: CellEdit): CellBody {
  const read = readCell(text)
  const prices = 'prices' in read ? read.prices : { price: null, price_max: null }
  return { product, district, ...prices, ...(unit !== null && { unit }), version }
}
