import type { ImportDistrict } from '@dala/model'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { faultyRows, importAnswer, importAnswers, rowOf, rowsAnswer } from '../../../testing/fake-import.ts'
import { renderApp } from '../../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const doneFields = {
  state: 'done',
  total: 4,
  created_count: 1,
  updated_count: 1,
  skipped_count: 0,
  failed_count: 2,
  committed_at: '2026-03-09T09:06:00.000Z',
} as const
const answers = {
  ...importAnswers,
  'GET /api/insert_excel/48': importAnswer(doneFields),
  'GET /api/insert_excel/48/districts': { data: [], meta: { total: 0, possible: 0 } },
  'GET /api/insert_excel/48/rows': ({ query }: { query: string }) =>
    Response.json(
      rowsAnswer(
        query.includes('filter=error')
          ? faultyRows.slice(0, 2)
          : [rowOf(5, { after: { price: 2000 }, is_written: true })],
      ),
    ),
}

const district = (id: number, districtFields: Partial<ImportDistrict> = {}): ImportDistrict => ({
  id,
  name: `District ${id}`,
  created: 7,
  updated: 3,
  before: 28,
  after: 35,
  ...districtFields,
})

describe('the report of an import', () => {
  it('shows the prices that an import filled in each district, initially the first six', async () => {
    fakeApi({
      ...answers,
      'GET /api/insert_excel/48/districts': {
        data: Array.from({ length: 8 }, (_, index) => district(index + 1)),
        meta: { total: 8, possible: 40 },
      },
    })
    renderApp('/app/import/48')
    const districtBars = await screen.findByRole('region', { name: 'Filled by district' })
    expect(await within(districtBars).findByText('before and after, of 40')).toBeTruthy()
    expect(within(districtBars).getAllByRole('listitem')).toHaveLength(6)
    expect(within(districtBars).getByText('District 1: 28 before, 35 after, of 40; new 7, changed 3')).toBeTruthy()
    await userEvent.setup().click(within(districtBars).getByRole('button', { name: 'Show 2 more districts' }))
    expect(within(districtBars).getAllByRole('listitem')).toHaveLength(8)
    expect(within(districtBars).queryByRole('button')).toBeNull()
  })

  it('loads the districts of an import report again after a failure', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/insert_excel/48/districts': () =>
        Response.json({ data: null, error: { status: 500 } }, { status: 500 }),
    })
    renderApp('/app/import/48')
    const districtBars = await screen.findByRole('region', { name: 'Filled by district' })
    const retryButton = await within(districtBars).findByRole('button', { name: 'Try again' })
    const count = () => calls.filter(({ path }) => path.endsWith('/districts')).length
    const formerCount = count()
    await userEvent.setup().click(retryButton)
    expect(count()).toBeGreaterThan(formerCount)
  })

  it('shows no districts when an import wrote no prices', async () => {
    fakeApi({ ...answers, 'GET /api/insert_excel/48': importAnswer({ ...doneFields, kind: 'tags' }) })
    renderApp('/app/import/48')
    expect(await screen.findByText('of 4 rows written')).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Filled by district' })).toBeNull()
  })

  it('shows in the report written rows, notable changes, and rows that were not written', async () => {
    fakeApi(answers)
    renderApp('/app/import/48')
    expect(await screen.findByText('of 4 rows written')).toBeTruthy()
    const notableTable = await screen.findByRole('table', { name: 'Most notable changes' })
    expect(within(notableTable).getByText('−50 %')).toBeTruthy()
    const unwrittenRegion = await screen.findByRole('region', { name: 'Not written' })
    expect(await within(unwrittenRegion).findByText('C58: Please enter a number')).toBeTruthy()
    expect(within(unwrittenRegion).getByRole('button', { name: 'Error sheet' })).toBeTruthy()
  })

  it('undoes an import after a confirmation', async () => {
    const calls = fakeApi({
      ...answers,
      'POST /api/insert_excel/48/revert': importAnswer({
        ...doneFields,
        state: 'reverted',
        reverted_at: '2026-03-09T10:00:00.000Z',
      }),
    })
    renderApp('/app/import/48')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Undo the import' }))
    const dialog = await screen.findByRole('dialog', { name: 'Undo this import?' })
    expect(within(dialog).getByText('1 previous value will be restored. 1 new record will be deleted.')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Undo the import' }))
    await screen.findByText('The import was undone')
    expect(calls.filter(({ path }) => path.endsWith('/revert')).map(({ body }) => body)).toEqual([undefined])
  })

  it('names the records that prevent the undo of an import', async () => {
    const records = [{ row: 5, id: 9, name: 'Wheat, Near', why: 'published' }]
    fakeApi({
      ...answers,
      'POST /api/insert_excel/48/revert': () =>
        Response.json(
          {
            data: null,
            error: { status: 409, name: 'ConflictError', message: 'x', code: 'import.touched', details: { records } },
          },
          { status: 409 },
        ),
    })
    renderApp('/app/import/48')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Undo the import' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Undo the import' }))
    expect(await screen.findByText('The import can no longer be undone')).toBeTruthy()
    expect(screen.getByText('Wheat, Near')).toBeTruthy()
    expect(screen.getByText('row 5: published since')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull()
  })
})
