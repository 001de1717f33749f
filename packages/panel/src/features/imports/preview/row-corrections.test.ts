import type { ImportCorrection } from '@dala/model'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { correctionOf, RowCorrections, skipKey } from './row-corrections.ts'

describe('correctionOf', () => {
  it('collects the corrected cells of a row, and separates rows left out from rows included', () => {
    const rowCorrections = [
      { row: 5, key: 'price', text: '10' },
      { row: 5, key: 'unit', text: null },
      { row: 7, key: 'price', text: '' },
      { row: 8, key: skipKey, text: 'yes' },
      { row: 9, key: skipKey, text: null },
    ]
    expect(correctionOf(rowCorrections, 3)).toEqual({
      version: 3,
      rows: [
        { row: 5, values: { price: '10', unit: null } },
        { row: 7, values: { price: '' } },
      ],
      skip: [8],
      keep: [9],
    })
  })
})

describe('RowCorrections', () => {
  beforeEach(() => localStorage.clear())

  const options = (send: (body: ImportCorrection) => Promise<number>) => ({
    storageKey: 'draft/import/1/48',
    send,
    version: () => 4,
    messageOf: () => 'refused',
    isStale: () => false,
    onStale: () => undefined,
  })

  it('sends a correction typed during a call in the next call, with the version of the response', async () => {
    const answers: ((version: number) => void)[] = []
    const sentCorrections: ImportCorrection[] = []
    const rowCorrections = new RowCorrections(
      options((body) => {
        sentCorrections.push(body)
        return new Promise((resolve) => answers.push(resolve))
      }),
    )
    rowCorrections.put([{ row: 1, key: 'price', text: '1' }], [null])
    await vi.waitFor(() => expect(sentCorrections).toHaveLength(1))
    rowCorrections.put([{ row: 2, key: 'price', text: '2' }], [null])
    rowCorrections.put([{ row: 3, key: 'price', text: '3' }], [null])
    answers[0]?.(5)
    await vi.waitFor(() => expect(sentCorrections).toHaveLength(2))
    expect(sentCorrections.map(({ version, rows }) => [version, rows?.map(({ row }) => row)])).toEqual([
      [4, [1]],
      [5, [2, 3]],
    ])
  })

  it('stores unsent corrections of an import for the next visit', async () => {
    const failingCorrections = new RowCorrections(options(() => Promise.reject(new Error('away'))))
    failingCorrections.put([{ row: 1, key: 'price', text: '1' }], [null])
    await vi.waitFor(() => expect(failingCorrections.count('failed')).toBe(1))
    const send = vi.fn<() => Promise<number>>(() => Promise.resolve(5))
    const reloadedCorrections = new RowCorrections(options(send))
    expect([reloadedCorrections.count('kept'), reloadedCorrections.get({ row: 1, key: 'price' })?.text]).toEqual([
      1,
      '1',
    ])
    reloadedCorrections.retry()
    await vi.waitFor(() => expect(reloadedCorrections.count()).toBe(0))
    expect(send).toHaveBeenCalledWith({ version: 4, rows: [{ row: 1, values: { price: '1' } }] })
  })

  it('reads corrections stored by an older panel, and drops invalid corrections', () => {
    const storedCorrections = [
      { row: 1, key: 'price', text: null },
      { row: '2', key: 'price', text: '2' },
      { row: 3 },
      null,
    ]
    localStorage.setItem('draft/import/1/48', JSON.stringify(storedCorrections))
    const rowCorrections = new RowCorrections(options(() => Promise.resolve(5)))
    expect([rowCorrections.count('kept'), rowCorrections.count()]).toEqual([1, 1])
    localStorage.setItem('draft/import/1/48', '{"row":')
    expect(new RowCorrections(options(() => Promise.resolve(5))).count()).toBe(0)
  })
})
