import type { ImportName } from '@dala/model'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, type FakeCall } from '../../../testing/fake-api.ts'
import { importAnswer, importAnswers, mappingOf, openColumns } from '../../../testing/fake-import.ts'
import { reasonOf } from '../../../testing/reason-of.ts'
import { renderApp } from '../../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const name: ImportName = {
  key: 'district',
  name: 'Neer',
  rows: 31,
  target: null,
  candidates: [{ id: 11, name: 'Near' }],
  isRemembered: false,
}
const open = importAnswer({
  mapping: mappingOf({ columns: openColumns, open_columns: 2, names: [name], names_count: 1, open_names: 1 }),
})
const answers = { ...importAnswers, 'GET /api/insert_excel/48': open, 'PUT /api/insert_excel/48': open }
const bodies = (calls: readonly FakeCall[]) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)

describe('the columns of an import', () => {
  it('leave a suggested field empty until it is accepted', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/import/48')
    const user = userEvent.setup()
    const field = await screen.findByRole('combobox', { name: 'Field for “Tuman”' })
    expect(field.textContent).toBe('Not chosen')
    expect(screen.getByText('Looks like “District”')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Accept “District”' }))
    await vi.waitFor(() =>
      expect(bodies(calls)).toEqual([{ data: { version: 4, mapping: { columns: { B: 'district' } } } }]),
    )
  })

  it('lead on only when the decision is saved, from the moment it is made', async () => {
    fakeApi({ ...answers, 'PUT /api/insert_excel/48': () => new Promise<Response>(() => {}) })
    renderApp('/app/import/48')
    fireEvent.click(await screen.findByRole('button', { name: 'Accept “District”' }))
    expect(screen.getByRole('button', { name: /To the check/ }).getAttribute('aria-busy')).toBe('true')
  })

  it('say what waits for a decision, and do not go on before', async () => {
    fakeApi(answers)
    renderApp('/app/import/48')
    const onward = await screen.findByRole('button', { name: 'To the check' })
    expect(reasonOf(onward)).toBe('Your decision is needed: 2 columns and 1 name.')
    expect(screen.getByText('Several fields fit')).toBeTruthy()
    expect(screen.getByRole('button', { name: '“Price” for “Narx”' })).toBeTruthy()
  })

  it('are accepted together where only one field or one record is meant', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/import/48')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Accept all unambiguous, 2' }))
    await vi.waitFor(() =>
      expect(bodies(calls)).toEqual([
        {
          data: {
            version: 4,
            mapping: { columns: { B: 'district' } },
            names: [{ key: 'district', name: 'Neer', target: 11 }],
          },
        },
      ]),
    )
  })

  it('show how the file was read, and the first row as it is understood', async () => {
    fakeApi(answers)
    renderApp('/app/import/48')
    const panel = await screen.findByRole('region', { name: 'How the file was read' })
    expect(within(panel).getByText('B7:B9')).toBeTruthy()
    expect(within(panel).getByText('by stored value, 18')).toBeTruthy()
    expect(screen.getByText('Row 2 will be read as')).toBeTruthy()
    expect(screen.getByText('Read in 2 s. Sheet “Retail”, headings in row 3, 4 rows.')).toBeTruthy()
  })

  it('say that a colleague was quicker, and show what the colleague decided', async () => {
    const calls = fakeApi({
      ...answers,
      'PUT /api/insert_excel/48': () => errorAnswer(409, 'ConflictError', 'x', 'request.conflict'),
    })
    renderApp('/app/import/48')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Accept “District”' }))
    expect(await screen.findByText(/A colleague has changed this import meanwhile/)).toBeTruthy()
    await vi.waitFor(() =>
      expect(calls.filter(({ path, method }) => method === 'GET' && path === '/api/insert_excel/48')).toHaveLength(2),
    )
  })
})
