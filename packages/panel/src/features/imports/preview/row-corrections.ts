/** Unsaved corrections of rows: stored in this browser, sent one call at a time, and undone one by one. */
import type { ImportCorrection } from '@dala/model'
import { createDraft, parseList, type StoredDraft } from '../../../lib/drafts/draft-store.ts'
import { isObject } from '../../../lib/is-object.ts'

/** Cell of the preview: the row number in the file, and the key of the field. */
export interface CellPosition {
  row: number
  key: string
}

/** Key used instead of a field's key for the correction that leaves a row out. */
export const skipKey = '#skip'

/** Key used instead of a field's key: its correction confirms the warnings of a row. */
export const confirmKey = '#confirm'

/**
 * The correction of a cell: a text, or null for the value of the file. For `#skip` and `#confirm`: `yes`,
 * otherwise null.
 */
export interface Correction extends CellPosition {
  text: string | null
}

/**
 * State of an unsaved correction; `kept`: a colleague has changed the import meanwhile, or the page was
 * reloaded.
 */
export type CorrectionState = 'waiting' | 'saving' | 'failed' | 'kept'

interface PendingCorrection extends Correction {
  state: CorrectionState
}

interface CorrectionOptions {
  /** Key of the stored corrections of an import in this browser. */
  storageKey: string
  /** Sends corrections and loads the rows again. Returns the new version of the import. */
  send: (body: ImportCorrection) => Promise<number>
  /** Returns the current version of the import, as far as it is known. */
  version: () => number
  messageOf: (failure: unknown) => string
  /** Returns whether a failure means that a colleague has changed the import meanwhile. */
  isStale: (failure: unknown) => boolean
  /** Called when a correction conflicts with another version of the import, which is then loaded again. */
  onStale: () => void
}

const maxBatchSize = 500
const maxUndoSteps = 100
const nameOf = ({ row, key }: CellPosition) => `${row} ${key}`

function isCorrection(value: unknown): value is Correction {
  if (!isObject(value)) return false
  const { row, key, text } = value
  return typeof row === 'number' && typeof key === 'string' && (text === null || typeof text === 'string')
}

/** Request body of the corrections of some cells. */
export function correctionOf(corrections: readonly Correction[], version: number): ImportCorrection {
  const rows = new Map<number, Record<string, string | null>>()
  for (const { row, key, text } of corrections)
    if (key !== skipKey && key !== confirmKey) rows.set(row, { ...rows.get(row), [key]: text })
  const rowsWithFlag = (flag: string, isSet: boolean) =>
    corrections.filter(({ key, text }) => key === flag && (text !== null) === isSet).map(({ row }) => row)
  const [skip, keepRows] = [rowsWithFlag(skipKey, true), rowsWithFlag(skipKey, false)]
  const [confirm, unconfirm] = [rowsWithFlag(confirmKey, true), rowsWithFlag(confirmKey, false)]
  return {
    version,
    ...(rows.size > 0 && { rows: [...rows].map(([row, values]) => ({ row, values })) }),
    ...(skip.length > 0 && { skip }),
    ...(keepRows.length > 0 && { keep: keepRows }),
    ...(confirm.length > 0 && { confirm }),
    ...(unconfirm.length > 0 && { unconfirm }),
  }
}

export class RowCorrections {
  readonly #options: CorrectionOptions
  readonly #draft: StoredDraft<Correction[]>
  readonly #listeners = new Set<() => void>()
  readonly #pending = new Map<string, PendingCorrection>()
  /** Previous values of each correction step, the latest step last. */
  readonly #steps: Correction[][] = []
  /** Version of the import on which the first pending correction is based. */
  #base: number | undefined
  #isSending = false
  #failure: string | undefined
  #version = 0

  constructor(options: CorrectionOptions) {
    this.#options = options
    this.#draft = createDraft(options.storageKey, parseList(isCorrection))
    for (const correction of this.#draft.read() ?? [])
      this.#pending.set(nameOf(correction), { ...correction, state: 'kept' })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  /** Number that changes with every correction of the import. */
  readonly version = (): number => this.#version
  /** Reason why the last call with corrections failed. */
  readonly failure = (): string | undefined => this.#failure
  readonly get = (cellPosition: CellPosition): PendingCorrection | undefined => this.#pending.get(nameOf(cellPosition))

  count(...states: readonly CorrectionState[]): number {
    const allCorrections = [...this.#pending.values()]
    return states.length === 0
      ? allCorrections.length
      : allCorrections.filter(({ state }) => states.includes(state)).length
  }

  /**
   * Corrects cells of the preview; the changes can be undone as one step.
   *
   * @param corrections - The new values.
   * @param formerTexts - The previous values, in the same order.
   */
  put(corrections: readonly Correction[], formerTexts: readonly (string | null)[]): void {
    const formerCorrections = corrections.map(({ row, key }, index) => ({ row, key, text: formerTexts[index] ?? null }))
    this.#steps.push(formerCorrections)
    if (this.#steps.length > maxUndoSteps) this.#steps.shift()
    this.#enqueue(corrections)
  }

  /** Undoes the last step of corrections. Returns its first cell, or undefined when there is none. */
  undo(): CellPosition | undefined {
    const step = this.#steps.pop()
    if (!step) return undefined
    this.#enqueue(step)
    return step[0]
  }

  /** Sends failed and stored corrections of the import again. */
  retry(): void {
    this.#base = undefined
    for (const correction of this.#pending.values())
      if (correction.state !== 'saving') this.#pending.set(nameOf(correction), { ...correction, state: 'waiting' })
    this.#changed()
    void this.#flush()
  }

  /** Discards the unsaved corrections of the import. */
  drop(): void {
    for (const correction of this.#pending.values())
      if (correction.state !== 'saving') this.#pending.delete(nameOf(correction))
    this.#failure = undefined
    this.#changed()
  }

  #enqueue(corrections: readonly Correction[]): void {
    this.#base ??= this.#options.version()
    for (const correction of corrections) this.#pending.set(nameOf(correction), { ...correction, state: 'waiting' })
    this.#changed()
    // Corrections of a pasted block of cells share one call.
    queueMicrotask(() => void this.#flush())
  }

  #changed(): void {
    this.#version += 1
    const storedCorrections = [...this.#pending.values()].map(({ row, key, text }) => ({ row, key, text }))
    if (storedCorrections.length > 0) this.#draft.write(storedCorrections)
    else this.#draft.clear()
    for (const listener of this.#listeners) listener()
  }

  /** Only one call with corrections runs at a time: the next call sends all edits typed during it. */
  async #flush(): Promise<void> {
    const batch = [...this.#pending.values()].filter(({ state }) => state === 'waiting').slice(0, maxBatchSize)
    if (this.#isSending || batch.length === 0) return
    this.#isSending = true
    for (const correction of batch) this.#pending.set(nameOf(correction), { ...correction, state: 'saving' })
    this.#changed()
    try {
      this.#base = await this.#options.send(correctionOf(batch, this.#base ?? this.#options.version()))
      this.#failure = undefined
      for (const sentCorrection of batch)
        if (this.get(sentCorrection)?.state === 'saving') this.#pending.delete(nameOf(sentCorrection))
      if (this.#pending.size === 0) this.#base = undefined
    } catch (failure) {
      const isStale = this.#options.isStale(failure)
      this.#failure = isStale ? undefined : this.#options.messageOf(failure)
      // Corrections typed after the call began wait with the rest: they would fail in the same way.
      for (const correction of this.#pending.values())
        this.#pending.set(nameOf(correction), { ...correction, state: isStale ? 'kept' : 'failed' })
      if (isStale) this.#options.onStale()
    } finally {
      this.#isSending = false
    }
    this.#changed()
    await this.#flush()
  }
}
