/**
 * Unsaved edits of the price table: stored in this browser, sent one call at a time, rejected cell by cell.
 */
import { type PriceMarket, priceMarkets } from '@dala/model'
import type { GridCell, RejectedCell, SavedCell, WrittenCell } from '@dala/model/api/prices'
import { createDraft, parseList, type StoredDraft } from '../../lib/drafts/draft-store.ts'
import { isObject } from '../../lib/is-object.ts'
import { type Prices, readCell, rejectionMessage, writePrices } from './cell-text.ts'
import { cellKey, type Figures, type CellState } from './price-grid.ts'

/** Position of the price cell that an edit belongs to. */
export interface CellPlace {
  market: PriceMarket
  /** Region in which the price cell was shown, to navigate back to it. */
  region: number | null
  product: number
  district: number
  unit: number | null
}

/** Fields that locate a price cell. */
export type CellTarget = Pick<CellPlace, 'market' | 'region' | 'product' | 'district'>

/**
 * State of an edit; `pending`: waits for the connection; `kept`: typed before a reload; `clash`: a colleague
 * has changed the price meanwhile.
 */
type EditState = 'typing' | 'wrong' | 'waiting' | 'saving' | 'pending' | 'failed' | 'kept' | 'clash'

export interface CellEdit {
  place: CellPlace
  text: string
  state: EditState
  /** Version of the price that the user typed over. */
  version: number | null
  /** Whether the user confirms a flagged or carried figure. */
  confirm?: true
  note?: string
  problem?: string
  /** Figures that the user probably meant to type. */
  suggestion?: Prices
  colleagueFigures?: Figures
}

type CellAnswer = Pick<GridCell, 'product' | 'district'>

export interface SaveAnswer {
  saved: readonly (CellAnswer & Pick<SavedCell, 'version' | 'state' | 'origin' | 'flag'>)[]
  rejected: readonly RejectedCell[]
}

export type CellBody = Prices &
  CellAnswer &
  Pick<WrittenCell, 'unit' | 'note'> & { version: number | null; confirm?: true }

interface EditsOptions {
  /** Key of the stored price edits in this browser. */
  storageKey: string
  /** Sends edited price cells of one market. */
  send: (market: PriceMarket, cells: readonly CellBody[]) => Promise<SaveAnswer>
  messageOf: (failure: unknown) => string
  /** Returns whether a failed call may succeed later, because there was no connection. */
  isPassing: (failure: unknown) => boolean
  /** Called when all edits that could be sent were sent, and some of them were saved. */
  onSaved: () => void
}

const noFigures: CellState = { price: null, price_max: null, version: null, state: null, origin: null, flag: null }
const maxBatchSize = 500
/** Maximum number of edit actions that can be undone. */
const maxActions = 100
/**
 * Pauses between attempts to send edits without a connection, in milliseconds: each is twice as long as the
 * one before.
 */
const [initialRetryDelay, maxRetryDelay] = [2_000, 60_000]

const keyOf = ({ market, product, district }: CellPlace) => cellKey(market, product, district)

/** Changes of one edit action, with the previous texts. */
type Action = readonly { place: CellPlace; text: string }[]

type StoredEdit = Pick<CellEdit, 'place' | 'text' | 'version'>

function isStoredEdit(value: unknown): value is StoredEdit {
  if (!isObject(value)) return false
  const { place, text, version } = value
  if (!isObject(place) || typeof text !== 'string' || (version !== null && typeof version !== 'number')) return false
  const { market, product, district } = place
  return (
    priceMarkets.some((priceMarket) => priceMarket === market) &&
    typeof product === 'number' &&
    typeof district === 'number'
  )
}

export class CellEdits {
  readonly #options: EditsOptions
  readonly #draft: StoredDraft<StoredEdit[]>
  readonly #listeners = new Set<() => void>()
  readonly #cellListeners = new Map<string, Set<() => void>>()
  readonly #edits = new Map<string, CellEdit>()
  /** Figures of cells that were saved since the price table was loaded. */
  readonly #savedFigures = new Map<string, CellState>()
  /** Texts of price cells before the user typed. */
  readonly #previousTexts = new Map<string, string>()
  #actions: Action[] = []
  /** Edit action that is being collected: a paste is one action. */
  #openAction: { place: CellPlace; text: string }[] | undefined
  #isSending = false
  #failure: string | undefined
  #openQuestion: string | undefined
  #target: CellTarget | undefined
  #savedAt: number | undefined
  #retryDelay = initialRetryDelay
  #timer: ReturnType<typeof setTimeout> | undefined
  #version = 0
  #figuresVersion = 0

  constructor(options: EditsOptions) {
    this.#options = options
    this.#draft = createDraft(options.storageKey, parseList(isStoredEdit))
    for (const edit of this.#draft.read() ?? []) this.#edits.set(keyOf(edit.place), { ...edit, state: 'kept' })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  /**
   * Subscribes to one price cell: a table has thousands of cells, and a letter changes one of them.
   *
   * @param key - The cell.
   * @returns A function that ends the subscription.
   */
  subscribeCell(key: string, listener: () => void): () => void {
    const listeners = this.#cellListeners.get(key) ?? new Set()
    this.#cellListeners.set(key, listeners.add(listener))
    return () => listeners.delete(listener)
  }
  /** Number that changes with every edit except further letters of a text being typed. */
  readonly version = (): number => this.#version
  /** Number that changes when saved figures of the table change. */
  readonly figuresVersion = (): number => this.#figuresVersion
  readonly get = (key: string): CellEdit | undefined => this.#edits.get(key)

  /** Reason why the last call with edits failed as a whole. */
  readonly failure = (): string | undefined => this.#failure
  /** Time of the last save of edits, in milliseconds. */
  readonly savedAt = (): number | undefined => this.#savedAt
  /** All unsaved edits of prices. */
  readonly unsaved = (): CellEdit[] => [...this.#edits.values()]
  /** Key of the price cell whose question is open. */
  readonly openQuestion = (): string | undefined => this.#openQuestion
  ask(key: string | undefined): void {
    if (this.#openQuestion === key) return
    this.#openQuestion = key
    this.#changed([])
  }

  /** Price cell to navigate to, in any part of the day. */
  readonly target = (): CellTarget | undefined => this.#target
  setTarget(target: CellTarget | undefined): void {
    this.#target = target
    this.#changed([])
  }

  /** Figures of a price cell: those saved on this page, unless the table has newer ones. */
  figures(key: string, loadedCell: CellState | undefined): CellState {
    const savedFigure = this.#savedFigures.get(key)
    if (savedFigure && (savedFigure.version ?? 0) > (loadedCell?.version ?? 0)) return savedFigure
    return loadedCell ?? noFigures
  }

  count(...states: readonly EditState[]): number {
    let count = 0
    for (const { state } of this.#edits.values()) if (states.includes(state)) count += 1
    return count
  }

  setText(cellPlace: CellPlace, text: string, loadedCell: CellState | undefined): void {
    const key = keyOf(cellPlace)
    const edit = this.#edits.get(key)
    if (edit?.state !== 'typing') this.#previousTexts.set(key, edit?.text ?? writePrices(this.figures(key, loadedCell)))
    // An edit has the version of the price at its first letter, so that the edit never overwrites a
    // colleague's save unnoticed.
    const { version } = edit ?? this.figures(key, loadedCell)
    const isContinued = edit?.state === 'typing' && this.#openQuestion !== key
    if (this.#openQuestion === key) this.#openQuestion = undefined
    this.#edits.set(key, { place: cellPlace, text, state: 'typing', version })
    this.#changed([key], isContinued)
  }

  /** Called when a price cell is left: its text is checked and sent; text that changes nothing is dropped. */
  leave(key: string, loadedCell: CellState | undefined): void {
    const edit = this.#edits.get(key)
    if (edit?.state !== 'typing') return
    const parsedCell = readCell(edit.text)
    if ('problem' in parsedCell) {
      this.#recordUndo(edit)
      this.#openQuestion = key
      return this.#put({ ...edit, state: 'wrong', problem: parsedCell.problem, ...reorderedRange(edit.text) })
    }
    const now = this.figures(key, loadedCell)
    const isSame = parsedCell.prices.price === now.price && parsedCell.prices.price_max === now.price_max
    // A figure that is typed again over a carried price confirms the price for today.
    if (isSame && (now.origin !== 'carried' || now.price === null)) return this.forget(key)
    this.#recordUndo(edit)
    this.#put({ ...edit, state: 'waiting' })
    this.#send()
  }

  /** Confirms the figure of a price cell, with a note where one is required. */
  confirm(cellPlace: CellPlace, loadedCell: CellState | undefined, note?: string): void {
    const figures = this.figures(keyOf(cellPlace), loadedCell)
    if (figures.price === null || this.#edits.has(keyOf(cellPlace))) return
    const text = writePrices(figures)
    this.#put({
      place: cellPlace,
      text,
      state: 'waiting',
      version: figures.version,
      confirm: true,
      ...(note && { note }),
    })
    this.#send()
  }

  /** Applies prices that the server has carried over from the day before. */
  applyCarried(
    cells: readonly (CellAnswer & Figures & { market_type: string; state: string; origin: string })[],
  ): void {
    for (const { product, district, market_type: market, ...figures } of cells)
      this.#setSaved(`${market}/${product}/${district}`, { ...figures, flag: null })
    this.#changed()
  }

  /** Groups the price changes of a function into one action that can be undone. */
  batch(run: () => void): void {
    this.#openAction = []
    run()
    const action = this.#openAction
    this.#openAction = undefined
    if (action.length > 0) this.#actions = [...this.#actions, action].slice(-maxActions)
    this.#changed()
  }

  /** Undoes the last edit action. Returns whether there was one. */
  undo(loadedCellOf: (key: string) => CellState | undefined): boolean {
    const action = this.#actions.at(-1)
    if (!action) return false
    this.#actions = this.#actions.slice(0, -1)
    for (const { place, text } of action) {
      const key = keyOf(place)
      const { version } = this.#edits.get(key) ?? this.figures(key, loadedCellOf(key))
      this.#edits.set(key, { place, text, state: 'typing', version })
      const parsedCell = readCell(text)
      const now = this.figures(key, loadedCellOf(key))
      const isSaving = this.#sending.has(key)
      if ('problem' in parsedCell)
        this.#edits.set(key, { place, text, state: 'wrong', version, problem: parsedCell.problem })
      else if (!isSaving && parsedCell.prices.price === now.price && parsedCell.prices.price_max === now.price_max)
        this.#edits.delete(key)
      else this.#edits.set(key, { place, text, state: 'waiting', version })
    }
    this.#changed()
    this.#send()
    return true
  }

  forget(key: string): void {
    this.#edits.delete(key)
    if (this.#openQuestion === key) this.#openQuestion = undefined
    this.#changed([key])
  }

  /** Discards all unsaved edits of prices. */
  discard(): void {
    this.#edits.clear()
    this.#actions = []
    this.#changed()
  }

  /** Sends failed and stored edits of prices again, or only the edit of one cell. */
  retry(onlyKey?: string): void {
    clearTimeout(this.#timer)
    for (const [key, edit] of this.#edits) {
      const isTried = edit.state === 'failed' || edit.state === 'kept' || edit.state === 'pending'
      if (!isTried || (onlyKey !== undefined && key !== onlyKey)) continue
      const parsedCell = readCell(edit.text)
      this.#put(
        'problem' in parsedCell
          ? { ...edit, state: 'wrong', problem: parsedCell.problem }
          : { ...edit, state: 'waiting' },
      )
    }
    this.#send()
  }

  /** Called when the connection is back: sends pending edits of prices. */
  readonly resume = (): void => {
    this.#retryDelay = initialRetryDelay
    if (this.count('pending', 'kept') > 0) this.retry()
  }

  /** Resolves the conflict of an edit: keeps the colleague's price, or overwrites it with the user's. */
  settle(key: string, chosenSide: 'mine' | 'theirs'): void {
    const edit = this.#edits.get(key)
    if (!edit?.colleagueFigures) return
    if (chosenSide === 'theirs') {
      this.#setSaved(key, { ...noFigures, ...edit.colleagueFigures, origin: 'entered', state: 'ok' })
      return this.forget(key)
    }
    const { colleagueFigures: theirFigures, problem: _problem, ...ownEdit } = edit
    this.#put({ ...ownEdit, version: theirFigures.version, state: 'waiting' })
    this.#send()
  }

  /** Keys of the price cells in the running call. */
  readonly #sending = new Set<string>()

  /** Records the previous text of a price edit for undo. */
  #recordUndo({ place }: CellEdit): void {
    const previousEdit = { place, text: this.#previousTexts.get(keyOf(place)) ?? '' }
    if (this.#openAction) this.#openAction.push(previousEdit)
    else this.#actions = [...this.#actions, [previousEdit]].slice(-maxActions)
  }

  #put(edit: CellEdit): void {
    const key = keyOf(edit.place)
    this.#edits.set(key, edit)
    this.#changed([key])
  }

  /** Stores the saved figures of a price cell. */
  #setSaved(key: string, figures: CellState): void {
    this.#savedFigures.set(key, figures)
    this.#figuresVersion += 1
  }

  /** Stores unsaved edits and notifies the listeners of the given price cells, or of all cells. */
  #changed(cells?: readonly string[], isText = false): void {
    if (!isText) this.#version += 1
    // Changes of a pasted block are hundreds, so they are stored and rendered once.
    if (this.#openAction) return
    const unsavedCells = [...this.#edits.values()].map(({ place, text, version }) => ({ place, text, version }))
    if (unsavedCells.length > 0) this.#draft.write(unsavedCells)
    else this.#draft.clear()
    for (const listener of this.#listeners) listener()
    for (const listeners of cells ? cells.map((key) => this.#cellListeners.get(key)) : this.#cellListeners.values())
      for (const listener of listeners ?? []) listener()
  }

  /** Price cells left at the same time, such as a pasted block, share one call. */
  #send(): void {
    queueMicrotask(() => void this.#flush())
  }

  /** Only one call with edits runs at a time: the next call sends all edits typed during it. */
  async #flush(): Promise<void> {
    if (this.#isSending) return
    const waitingEdits = [...this.#edits.values()].filter(({ state }) => state === 'waiting')
    const market = waitingEdits[0]?.place.market
    if (market === undefined) return
    const batch = waitingEdits.filter(({ place }) => place.market === market).slice(0, maxBatchSize)
    this.#isSending = true
    for (const edit of batch) {
      this.#sending.add(keyOf(edit.place))
      this.#edits.set(keyOf(edit.place), { ...edit, state: 'saving' })
    }
    this.#changed(batch.map(({ place }) => keyOf(place)))
    let hasSaved = false
    try {
      const answer = await this.#options.send(market, batch.map(bodyOf))
      this.#failure = undefined
      this.#retryDelay = initialRetryDelay
      hasSaved = this.#applyAnswer(batch, answer)
    } catch (failure) {
      const isPassing = this.#options.isPassing(failure)
      this.#failure = this.#options.messageOf(failure)
      for (const edit of batch)
        this.#ifUntouched(edit, (now) => this.#put({ ...now, state: isPassing ? 'pending' : 'failed' }))
      if (isPassing) this.#tryLater()
    } finally {
      this.#isSending = false
      this.#sending.clear()
    }
    if (hasSaved && this.count('waiting') === 0) this.#options.onSaved()
    await this.#flush()
  }

  #tryLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.retry(), this.#retryDelay)
    this.#retryDelay = Math.min(this.#retryDelay * 2, maxRetryDelay)
  }

  /** Applies a response to edits. Returns whether a price was saved. */
  #applyAnswer(batch: readonly CellEdit[], { saved, rejected }: SaveAnswer): boolean {
    const groupByPlace = <T extends CellAnswer>(answers: readonly T[]) =>
      new Map(answers.map((answer) => [`${answer.product}/${answer.district}`, answer]))
    const [savedByPlace, rejectedByPlace] = [groupByPlace(saved), groupByPlace(rejected)]
    let flaggedCode: string | undefined
    for (const sentEdit of batch) {
      const key = keyOf(sentEdit.place)
      const positionKey = `${sentEdit.place.product}/${sentEdit.place.district}`
      const answer = savedByPlace.get(positionKey)
      if (answer) {
        const { version, state, origin, flag } = answer
        this.#setSaved(key, { ...pricesOf(sentEdit), version, state, origin, flag })
        if (state === 'check') flaggedCode ??= key
        const now = this.#edits.get(key)
        // Text typed again during the call is based on the version of the price saved now.
        if (now && now.state !== 'saving') this.#edits.set(key, { ...now, version })
        else this.#edits.delete(key)
      } else this.#refuse(sentEdit, rejectedByPlace.get(positionKey))
    }
    if (savedByPlace.size > 0) this.#savedAt = Date.now()
    if (flaggedCode !== undefined) this.#openQuestion = flaggedCode
    else if (
      this.#openQuestion !== undefined &&
      !this.#edits.has(this.#openQuestion) &&
      this.#wasSettled(this.#openQuestion)
    )
      this.#openQuestion = undefined
    this.#changed(batch.map(({ place }) => keyOf(place)))
    return savedByPlace.size > 0
  }

  /** Returns whether the question about a price is answered. */
  #wasSettled(key: string): boolean {
    const savedFigure = this.#savedFigures.get(key)
    return savedFigure !== undefined && savedFigure.state !== 'check'
  }

  #refuse(sentCellEdit: CellEdit, rejection: SaveAnswer['rejected'][number] | undefined): void {
    const problem = rejection ? rejectionMessage(rejection.code, rejection.params, rejection.message) : ''
    this.#ifUntouched(sentCellEdit, (now) => {
      const { current, suggestion } = rejection ?? {}
      const key = keyOf(now.place)
      this.#openQuestion ??= key
      if (current) this.#edits.set(key, { ...now, state: 'clash', problem, colleagueFigures: current })
      else
        this.#edits.set(key, {
          ...now,
          state: rejection ? 'wrong' : 'failed',
          problem,
          ...(suggestion && { suggestion }),
        })
    })
  }

  #ifUntouched(sentCellEdit: CellEdit, applyEdit: (now: CellEdit) => void): void {
    const now = this.#edits.get(keyOf(sentCellEdit.place))
    if (now?.state === 'saving') applyEdit(now)
  }
}

/** Suggests the right order for a price range with swapped ends. */
function reorderedRange(text: string): Pick<CellEdit, 'suggestion'> {
  const [, low, high] = /^(.+?)\s*[-–—]\s*(.+)$/.exec(text.trim()) ?? []
  const parsedRange = low === undefined || high === undefined ? undefined : readCell(`${high}-${low}`)
  return parsedRange && 'prices' in parsedRange ? { suggestion: parsedRange.prices } : {}
}

function pricesOf({ text }: CellEdit): Prices {
  const parsedCell = readCell(text)
  return 'prices' in parsedCell ? parsedCell.prices : { price: null, price_max: null }
}

function bodyOf(edit: CellEdit): CellBody {
  const { product, district, unit } = edit.place
  const { version, confirm, note } = edit
  return {
    product,
    district,
    ...pricesOf(edit),
    ...(unit !== null && { unit }),
    version,
    ...(confirm && { confirm }),
    ...(note !== undefined && { note }),
  }
}
