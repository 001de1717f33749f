import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, type FakeCall } from '../../../testing/fake-api.ts'
import { faultyRows, importAnswer, importAnswers, rowOf, rowsAnswer, summaryOf } from '../../../testing/fake-import.ts'
import { reasonOf } from '../../../testing/reason-of.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { setWindowWidth } from '../../../testing/window-width.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

const bodies = (calls: readonly FakeCall[]) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
const cell = (row: number, key: string) => {
  const cellElement = document.querySelector<HTMLElement>(`[data-at="${row} ${key}"]`)
  if (!cellElement) throw new Error(`There is no cell ${key} in row ${row}`)
  return cellElement
}
const openPreview = async () => {
  renderApp('/app/import/48')
  await screen.findByRole('grid')
  return userEvent.setup()
}

describe('the preview of an import', () => {
  it('groups rows of an import by what needs work, with old and new values and the change', async () => {
    fakeApi(importAnswers)
    await openPreview()
    const grid = screen.getByRole('grid')
    const heads = within(grid)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
    expect(heads.filter((head) => /\d/.test(head))).toEqual([
      'Errors2Rows with errors are not written',
      'Changed1',
      'New1',
    ])
    expect(cell(5, 'price').textContent).toBe('was 4,000becomes 4,150')
    expect(within(grid).getByText('+3.8 %')).toBeTruthy()
    expect(cell(58, 'price').textContent).toBe('155O0')
    expect(screen.getByText('2 of 4 rows will be written: new 1, changed 1.')).toBeTruthy()
  })

  it('accepts a suggestion for a cell on Enter, and moves to the next fault', async () => {
    const calls = fakeApi(importAnswers)
    const user = await openPreview()
    await user.keyboard('[F8]')
    expect(document.activeElement).toBe(cell(17, 'district'))
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(cell(58, 'price'))
    await vi.waitFor(() =>
      expect(bodies(calls)).toEqual([{ data: { version: 4, rows: [{ row: 17, values: { district: 'Near' } }] } }]),
    )
    await user.keyboard('{Shift>}[F8]{/Shift}')
    expect(document.activeElement).toBe(cell(17, 'district'))
  })

  it('sends the text typed into a cell of an import; leaves the cell unchanged on Escape', async () => {
    const calls = fakeApi(importAnswers)
    const user = await openPreview()
    await user.keyboard('[F8][F8]{F2}')
    const field = screen.getByRole('textbox', { name: 'Price, 58' })
    expect(field).toHaveProperty('value', '155O0')
    await user.keyboard('9{Escape}{F2}')
    expect(screen.getByRole('textbox', { name: 'Price, 58' })).toHaveProperty('value', '155O0')
    await user.clear(screen.getByRole('textbox', { name: 'Price, 58' }))
    await user.keyboard('15 600{Enter}')
    await vi.waitFor(() =>
      expect(bodies(calls)).toEqual([{ data: { version: 4, rows: [{ row: 58, values: { price: '15 600' } }] } }]),
    )
  })

  it('sends text that is typed again while the same correction is being undone', async () => {
    const correctedRows = faultyRows.map((row) => (row.row === 58 ? { ...row, corrected: { price: '15600' } } : row))
    const { promise: saveAnswer, resolve: save } = Promise.withResolvers<void>()
    const calls = fakeApi({
      ...importAnswers,
      'GET /api/insert_excel/48/rows': rowsAnswer(correctedRows),
      'PUT /api/insert_excel/48': async () => {
        await saveAnswer
        return Response.json(importAnswer({ version: 5 }))
      },
    })
    const user = await openPreview()
    await user.keyboard('[F8][F8]{F2}')
    await user.clear(screen.getByRole('textbox', { name: 'Price, 58' }))
    await user.keyboard('155O0{Enter}')
    await user.click(cell(58, 'price'))
    await user.keyboard('15600{Enter}')
    save()
    await vi.waitFor(() =>
      expect(bodies(calls).at(-1)).toEqual({ data: { version: 5, rows: [{ row: 58, values: { price: '15600' } }] } }),
    )
  })

  it('pastes a block from the cell on in one call, and undoes the block as one step', async () => {
    const calls = fakeApi(importAnswers)
    const user = await openPreview()
    await user.click(cell(58, 'district'))
    await user.paste('Near\t15000\nFar\t4200')
    await vi.waitFor(() => expect(bodies(calls)).toHaveLength(1))
    expect(bodies(calls)[0]).toEqual({
      data: {
        version: 4,
        rows: [
          { row: 58, values: { district: 'Near', price: '15000' } },
          { row: 5, values: { district: 'Far', price: '4200' } },
        ],
      },
    })
    await user.keyboard('{Control>}z{/Control}')
    await vi.waitFor(() => expect(bodies(calls)).toHaveLength(2))
    expect(bodies(calls)[1]).toEqual({
      data: {
        version: 5,
        rows: [
          { row: 58, values: { district: null, price: null } },
          { row: 5, values: { district: null, price: null } },
        ],
      },
    })
  })

  it('stores corrections of an import while there is no connection, and sends them when it is back', async () => {
    let isUnreachable = true
    const calls = fakeApi({
      ...importAnswers,
      'PUT /api/insert_excel/48': () =>
        isUnreachable ? Response.error() : Response.json(importAnswer({ version: 5 })),
    })
    const user = await openPreview()
    await user.keyboard('[F8]{Enter}')
    expect(await screen.findByText(/1 correction has not been sent yet/)).toBeTruthy()
    expect(reasonOf(screen.getByRole('button', { name: 'Write 2 rows' }))).toBe('Some corrections have not been sent.')
    isUnreachable = false
    act(() => void window.dispatchEvent(new Event('online')))
    await vi.waitFor(() => expect(screen.queryByText(/has not been sent yet/)).toBeNull())
    expect(bodies(calls)).toHaveLength(2)
  })

  it('asks before it sends corrections to an import that a colleague has changed', async () => {
    let version = 4
    const calls = fakeApi({
      ...importAnswers,
      'GET /api/insert_excel/48': () => Response.json(importAnswer({ version })),
      'PUT /api/insert_excel/48': ({ body }) => {
        const { data } = body as { data: { version: number } }
        if (data.version === 9) return Response.json(importAnswer({ version: 10 }))
        version = 9
        return errorAnswer(409, 'ConflictError', 'x', 'request.conflict')
      },
    })
    const user = await openPreview()
    await user.keyboard('[F8]{Enter}')
    expect(await screen.findByText(/1 of your corrections is on this device only/)).toBeTruthy()
    await vi.waitFor(() =>
      expect(calls.filter(({ method, path }) => method === 'GET' && path === '/api/insert_excel/48')).toHaveLength(2),
    )
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await vi.waitFor(() => expect(screen.queryByText(/on this device only/)).toBeNull())
    expect(bodies(calls).at(-1)).toMatchObject({ data: { version: 9 } })
  })

  it('leaves a row out of an import, and includes the row again', async () => {
    const calls = fakeApi({
      ...importAnswers,
      'GET /api/insert_excel/48/rows': rowsAnswer([faultyRows[0] ?? rowOf(17), rowOf(58, { action: 'skip' })]),
    })
    const user = await openPreview()
    await user.keyboard('[F8]')
    await user.click(screen.getByRole('button', { name: 'Leave the row out' }))
    await vi.waitFor(() => expect(bodies(calls)).toEqual([{ data: { version: 4, skip: [17] } }]))
    await user.click(screen.getByRole('button', { name: 'Include again, row 58' }))
    await vi.waitFor(() => expect(bodies(calls)[1]).toEqual({ data: { version: 5, keep: [58] } }))
  })

  const warnedRow = rowOf(72, {
    given: { product: 'Wheat', district: 'Near', price: '42500' },
    after: { product: { id: 21, name: 'Wheat' }, district: { id: 11, name: 'Near' }, price: 42_500 },
    issues: [
      {
        level: 'warning',
        cell: 'C72',
        field: 'price',
        code: 'price.slip-more',
        params: { factor: 10 },
        message: 'x',
        value: '42500',
        suggestion: { value: '4250', label: '4250' },
      },
    ],
  })
  const answerWithWarning = {
    ...importAnswers,
    'GET /api/insert_excel/48': importAnswer({ summary: summaryOf({ total: 2, error: 0, warning: 1, update: 2 }) }),
    'GET /api/insert_excel/48/rows': rowsAnswer([warnedRow, rowOf(5)]),
  }

  it('corrects the single row of a warning, or confirms the row, by the buttons of the warning', async () => {
    const calls = fakeApi(answerWithWarning)
    const user = await openPreview()
    await user.click(screen.getByRole('button', { name: 'Keep row 72' }))
    await vi.waitFor(() => expect(bodies(calls)).toEqual([{ data: { version: 4, confirm: [72] } }]))
    const correctButton = await screen.findByRole('button', { name: 'Correct to 4,250 in row 72' })
    expect(correctButton.textContent).toBe('Correct to 4,250')
    await user.click(correctButton)
    await vi.waitFor(() =>
      expect(bodies(calls)[1]).toEqual({ data: { version: 5, rows: [{ row: 72, values: { price: '4250' } }] } }),
    )
  })

  it('confirms the row of a warning on Alt+K, and undoes the confirmation on Ctrl+Z', async () => {
    const calls = fakeApi(answerWithWarning)
    const user = await openPreview()
    await user.keyboard('[F8]')
    expect(document.activeElement?.getAttribute('data-at')).toBe('72 price')
    await user.keyboard('{Alt>}k{/Alt}')
    await vi.waitFor(() => expect(bodies(calls)).toEqual([{ data: { version: 4, confirm: [72] } }]))
    await user.keyboard('{Control>}z{/Control}')
    await vi.waitFor(() => expect(bodies(calls)[1]).toEqual({ data: { version: 5, unconfirm: [72] } }))
  })

  it('shows that a warning was confirmed, and reopens the warning', async () => {
    const calls = fakeApi({
      ...answerWithWarning,
      'GET /api/insert_excel/48/rows': rowsAnswer([{ ...warnedRow, is_confirmed: true }]),
    })
    const user = await openPreview()
    expect(screen.getByText('Confirmed')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Keep row 72' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Undo the confirmation of row 72' }))
    await vi.waitFor(() => expect(bodies(calls)).toEqual([{ data: { version: 4, unconfirm: [72] } }]))
  })

  it('marks the wrong letter of a name, names the letter, and selects it for replacement', async () => {
    const name = 'Whe\u0430t'
    const issue = {
      level: 'error',
      cell: 'A9',
      field: 'product',
      code: 'import.unknown-name',
      params: { name },
      message: 'x',
      value: name,
      suggestion: { value: '#21', label: 'Wheat' },
      wrong_letters: [3],
    } as const
    const calls = fakeApi({
      ...importAnswers,
      'GET /api/insert_excel/48/rows': rowsAnswer([
        rowOf(9, { action: 'error', given: { product: name }, before: null, after: {}, changed: [], issues: [issue] }),
      ]),
    })
    const user = await openPreview()
    await user.keyboard('[F8]')
    const cell = document.activeElement
    expect(cell?.querySelector('[data-wrong]')?.textContent).toBe('\u0430')
    expect(cell?.textContent).toContain(`${name}. Letter 4, “\u0430”, is Cyrillic`)
    expect(screen.getByText('. Letter 4, “\u0430”, is Cyrillic')).toBeTruthy()
    await user.keyboard('{F2}')
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Product, 9' })
    expect([field.selectionStart, field.selectionEnd]).toEqual([3, 4])
    await user.keyboard('a{Enter}')
    await vi.waitFor(() =>
      expect(bodies(calls)).toEqual([{ data: { version: 4, rows: [{ row: 9, values: { product: 'Wheat' } }] } }]),
    )
  })

  it('writes an import on Ctrl+Enter, with warnings only if they are confirmed', async () => {
    const calls = fakeApi({
      ...importAnswers,
      'GET /api/insert_excel/48': importAnswer({ summary: summaryOf({ error: 0, warning: 1 }) }),
      'POST /api/insert_excel/48/commit': importAnswer({ state: 'committing' }),
    })
    const user = await openPreview()
    expect(screen.getByRole('button', { name: 'Write 1 row' })).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'and 1 with a warning' }))
    expect(screen.getByRole('button', { name: 'Write 2 rows' })).toBeTruthy()
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByRole('heading', { name: 'The rows are being written' })).toBeTruthy()
    const [commitCall] = calls.filter(({ path }) => path.endsWith('/commit'))
    expect(commitCall?.body).toEqual({ data: { version: 4, mode: 'valid_only', confirm_warnings: true } })
    expect(commitCall?.key).toMatch(/^[\da-f-]{36}$/)
  })

  it('refuses the mode all or nothing while the import has errors', async () => {
    fakeApi(importAnswers)
    const user = await openPreview()
    await user.click(screen.getByRole('button', { name: 'All or nothing' }))
    expect(reasonOf(screen.getByRole('button', { name: 'Write 2 rows' }))).toBe(
      'All or nothing: 2 rows with errors must be corrected or left out first.',
    )
  })

  it('counts the records changed since the check of an import, and loads the rows again', async () => {
    const calls = fakeApi({
      ...importAnswers,
      'POST /api/insert_excel/48/commit': () =>
        Response.json(
          {
            data: null,
            error: { status: 409, name: 'ConflictError', message: 'x', code: 'import.changed', details: { count: 3 } },
          },
          { status: 409 },
        ),
    })
    const user = await openPreview()
    await user.click(screen.getByRole('button', { name: 'Write 2 rows' }))
    expect(await screen.findByText(/3 records have changed since the check/)).toBeTruthy()
    await vi.waitFor(() => expect(calls.filter(({ path }) => path.endsWith('/rows'))).toHaveLength(2))
  })

  it('shows one card for each row of an import on a phone, and corrects values in the open card', async () => {
    setWindowWidth(390)
    const calls = fakeApi(importAnswers)
    renderApp('/app/import/48')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: /^Rice/ }))
    const field = screen.getByRole('textbox', { name: 'Price' })
    await user.clear(field)
    await user.type(field, '15600{Enter}')
    await vi.waitFor(() =>
      expect(bodies(calls)).toEqual([{ data: { version: 4, rows: [{ row: 58, values: { price: '15600' } }] } }]),
    )
    expect(screen.getByText('Step 3 of 4. Check')).toBeTruthy()
  })
})
