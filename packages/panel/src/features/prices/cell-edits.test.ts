import { describe, expect, it, vi } from 'vitest'
import { CellEdits, type CellBody, type SaveAnswer } from './cell-edits.ts'
import type { CellState } from './price-grid.ts'

const cellPosition = { market: 'retail', region: 3, product: 1, district: 2, unit: 7 } as const
const key = 'retail/1/2'
const emptyCell = { price: null, price_max: null, version: null, state: null, origin: null, flag: null }
const saveAnswerOf = (version: number, cellFields: object = {}): SaveAnswer => ({
  saved: [{ product: 1, district: 2, version, state: 'ok', origin: 'entered', flag: null, ...cellFields }],
  rejected: [],
})

function start(send: (cells: readonly CellBody[]) => Promise<SaveAnswer>) {
  const onSaved = vi.fn<() => void>()
  const sendSpy = vi.fn<(market: string, cells: readonly CellBody[]) => Promise<SaveAnswer>>((_market, cells) =>
    send(cells),
  )
  const isPassing = (failure: unknown) => String(failure).includes('offline')
  const edits = new CellEdits({ storageKey: 'cells', send: sendSpy, messageOf: String, isPassing, onSaved })
  const enterPrice = (text: string, loadedCell: CellState = emptyCell) => {
    edits.setText(cellPosition, text, loadedCell)
    edits.leave(key, loadedCell)
  }
  return { edits, sent: sendSpy, onSaved, enter: enterPrice }
}
const waitForSettled = (edits: CellEdits) => vi.waitFor(() => expect(edits.count('waiting', 'saving')).toBe(0))

describe('CellEdits', () => {
  it('sends an edited price when its cell is left, with the version the user has seen', async () => {
    const { edits, sent, onSaved, enter } = start(async () => saveAnswerOf(1))
    enter('3 400')
    expect(localStorage.getItem('cells')).toContain('3 400')
    await waitForSettled(edits)
    expect(sent).toHaveBeenCalledWith('retail', [
      { product: 1, district: 2, unit: 7, price: 3400, price_max: null, version: null },
    ])
    expect(edits.figures(key, emptyCell)).toMatchObject({ price: 3400, version: 1 })
    expect([edits.get(key), localStorage.getItem('cells'), onSaved.mock.calls.length]).toEqual([undefined, null, 1])
    enter('3400')
    await waitForSettled(edits)
    expect(sent).toHaveBeenCalledTimes(1)
    enter('')
    await waitForSettled(edits)
    expect(sent.mock.calls[1]?.[1]).toMatchObject([{ price: null, version: 1 }])
  })

  it('keeps the version of the price at the first letter, whatever a colleague saves before the last one', async () => {
    const { edits, sent } = start(async () => saveAnswerOf(5))
    const shownCell = { ...emptyCell, price: 3000, version: 3 }
    const colleagueCell = { ...emptyCell, price: 15_000, version: 4 }
    edits.setText(cellPosition, '13', shownCell)
    edits.setText(cellPosition, '13000', colleagueCell)
    edits.leave(key, colleagueCell)
    await waitForSettled(edits)
    expect(sent.mock.calls[0]?.[1]).toMatchObject([{ price: 13_000, version: 3 }])
  })

  it('keeps text of a cell that is no price, and does not send the text', () => {
    const { edits, sent, enter } = start(async () => saveAnswerOf(1))
    enter('three')
    expect(edits.get(key)).toMatchObject({ text: 'three', state: 'wrong', problem: 'Please enter a number' })
    expect(sent).not.toHaveBeenCalled()
  })

  it('keeps the edit of a price through a failure and a reload, and sends the edit again', async () => {
    const firstEdits = start(() => Promise.reject(new Error('broken')))
    firstEdits.enter('3400')
    await waitForSettled(firstEdits.edits)
    expect(firstEdits.edits.get(key)).toMatchObject({ state: 'failed' })
    expect(firstEdits.edits.failure()).toBe('Error: broken')
    const { edits, sent } = start(async () => saveAnswerOf(1))
    expect(edits.get(key)).toMatchObject({ text: '3400', state: 'kept' })
    edits.retry()
    await waitForSettled(edits)
    expect(sent).toHaveBeenCalledTimes(1)
    expect(localStorage.getItem('cells')).toBeNull()
  })

  it('waits for the connection and sends pending edits of prices when it is back', async () => {
    let isUnreachable = true
    const { edits, sent, enter } = start(() =>
      isUnreachable ? Promise.reject(new Error('offline')) : Promise.resolve(saveAnswerOf(1)),
    )
    enter('3400')
    await waitForSettled(edits)
    expect(edits.count('pending')).toBe(1)
    isUnreachable = false
    edits.resume()
    await waitForSettled(edits)
    expect([sent.mock.calls.length, edits.unsaved()]).toEqual([2, []])
  })

  it('undoes edits of prices one by one, and a pasted block in one step', async () => {
    const { edits, sent, enter } = start(async (cells) => ({
      saved: cells.map(({ product, district }) => ({
        product,
        district,
        version: 9,
        state: 'ok',
        origin: 'entered',
        flag: null,
      })),
      rejected: [],
    }))
    enter('3400')
    await waitForSettled(edits)
    edits.batch(() => {
      for (const district of [2, 3]) {
        edits.setText({ ...cellPosition, district }, '5', emptyCell)
        edits.leave(`retail/1/${district}`, emptyCell)
      }
    })
    await waitForSettled(edits)
    expect(edits.figures(key, emptyCell)).toMatchObject({ price: 5 })
    expect(edits.undo(() => undefined)).toBe(true)
    await waitForSettled(edits)
    expect(sent.mock.calls.at(-1)?.[1]).toMatchObject([
      { district: 2, price: 3400, version: 9 },
      { district: 3, price: null },
    ])
    edits.undo(() => undefined)
    await waitForSettled(edits)
    expect(edits.figures(key, emptyCell)).toMatchObject({ price: null })
    expect(edits.undo(() => undefined)).toBe(false)
  })

  it('opens the question of a flagged cell, and closes the question by a confirmation with a note', async () => {
    const flag = { severity: 'confirm', code: 'price.far' } as const
    const { edits, sent, enter } = start(async ([cell]) =>
      saveAnswerOf(1, cell?.confirm ? { state: 'confirmed', flag } : { state: 'check', flag }),
    )
    enter('90000')
    await waitForSettled(edits)
    expect([edits.openQuestion(), edits.figures(key, emptyCell).state]).toEqual([key, 'check'])
    edits.confirm(cellPosition, emptyCell, 'Drought')
    await waitForSettled(edits)
    expect(sent.mock.calls[1]?.[1]).toMatchObject([{ price: 90_000, version: 1, confirm: true, note: 'Drought' }])
    expect(edits.openQuestion()).toBeUndefined()
  })

  it('confirms a carried price when the same figure is typed', async () => {
    const carriedCell = { ...emptyCell, price: 3400, version: 2, state: 'ok', origin: 'carried' }
    const { edits, sent, enter } = start(async () => saveAnswerOf(3))
    enter('3400', carriedCell)
    await waitForSettled(edits)
    expect(sent).toHaveBeenCalledTimes(1)
    expect(edits.figures(key, carriedCell)).toMatchObject({ origin: 'entered', version: 3 })
  })

  it('suggests the limits of a swapped price range in order', () => {
    const { edits, enter } = start(async () => saveAnswerOf(1))
    enter('3600-3400')
    expect(edits.get(key)).toMatchObject({ state: 'wrong', suggestion: { price: 3400, price_max: 3600 } })
  })

  it('lets the user choose a price after a conflict with a colleague', async () => {
    const colleagueCell = { price: 3500, price_max: null, version: 4 }
    const staleCell = { product: 1, district: 2, code: 'record.stale', message: '', params: {}, current: colleagueCell }
    const { edits, sent, enter } = start(async ([cell]) =>
      cell?.version === 4 ? saveAnswerOf(5) : { saved: [], rejected: [staleCell] },
    )
    enter('3400')
    await waitForSettled(edits)
    expect(edits.get(key)).toMatchObject({ state: 'clash', text: '3400', colleagueFigures: colleagueCell })
    edits.settle(key, 'mine')
    await waitForSettled(edits)
    expect(sent.mock.calls[1]?.[1]).toMatchObject([{ price: 3400, version: 4 }])
    expect(edits.figures(key, emptyCell)).toMatchObject({ price: 3400, version: 5 })

    const otherPage = start(async () => ({ saved: [], rejected: [staleCell] }))
    otherPage.enter('3400')
    await waitForSettled(otherPage.edits)
    otherPage.edits.settle(key, 'theirs')
    expect([otherPage.edits.figures(key, emptyCell), otherPage.edits.get(key)]).toMatchObject([
      colleagueCell,
      undefined,
    ])
  })

  it('keeps text typed in a cell while the previous figure is being saved', async () => {
    let answer: (saveAnswer: SaveAnswer) => void = () => undefined
    const { sent, enter } = start(() => new Promise((resolve) => (answer = resolve)))
    enter('3400')
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
    enter('3500')
    answer(saveAnswerOf(1))
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2))
    expect(sent.mock.calls[1]?.[1]).toMatchObject([{ price: 3500, version: 1 }])
  })

  it('reads edits of prices stored by an older panel, and drops invalid edits', () => {
    const storedEdit = { place: cellPosition, text: '3400', version: null }
    const invalidEdits = [
      { ...storedEdit, place: null },
      { ...storedEdit, place: { ...cellPosition, market: 'black' } },
      { text: '1' },
      7,
    ]
    localStorage.setItem('cells', JSON.stringify([storedEdit, ...invalidEdits]))
    const { edits } = start(async () => saveAnswerOf(1))
    expect(edits.unsaved()).toEqual([{ ...storedEdit, state: 'kept' }])
    localStorage.setItem('cells', '[{')
    expect(start(async () => saveAnswerOf(1)).edits.unsaved()).toEqual([])
  })
})
