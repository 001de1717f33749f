import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi, lastCallTo, owner } from '../../../testing/fake-api.ts'
import { FakeRequest, nextRequest } from '../../../testing/fake-upload.ts'
import { importAnswer, importAnswers } from '../../../testing/fake-import.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const { data: record } = importAnswer({ state: 'done', created_count: 64, updated_count: 348 })
const answers = {
  ...importAnswers,
  'GET /api/insert_excel': { data: [record], meta: { pagination: { page: 1, pageSize: 12, total: 1 } } },
}
const chooseFile = async (file: File) => {
  await screen.findByText('Drag the sheet here')
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no place for a file')
  await userEvent.setup().upload(input, file)
}

beforeEach(() => {
  localStorage.setItem('token', 'a')
  FakeRequest.all = []
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})

describe('the start page of imports', () => {
  it('lists earlier imports of the kind with state, user and counts', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/import?kind=pricelists')
    const formerImports = await screen.findByRole('region', { name: 'Previous imports' })
    expect(await within(formerImports).findByRole('link', { name: 'prices.xlsx' })).toHaveProperty(
      'pathname',
      '/app/import/48',
    )
    expect(within(formerImports).getByText('64 new, 348 changed')).toBeTruthy()
    expect(within(formerImports).getByRole('button', { name: 'Undo the import: prices.xlsx' })).toBeTruthy()
    expect(lastCallTo(calls, '/api/insert_excel')?.query).toContain('filters[kind][$eq]=pricelists')
  })

  it('sends the sheet of an import with its kind and its day, and opens the import', async () => {
    fakeApi(answers)
    const { router } = renderApp('/app/import?kind=pricelists&date=2026-03-09')
    await chooseFile(new File(['x'], 'prices.xlsx'))
    const request = await nextRequest(1)
    expect([request.address, request.name]).toEqual(['/api/insert_excel', 'prices.xlsx'])
    expect(request.headers['Idempotency-Key']).toMatch(/^[\da-f-]{36}$/)
    request.answer(200, importAnswer({ state: 'parsing', mapping: null, summary: null, reading: null }))
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/app/import/48'))
  })

  it('shows why a sheet is refused, and retries with the same key', async () => {
    fakeApi(answers)
    renderApp('/app/import?kind=pricelists')
    await chooseFile(new File(['x'], 'prices.xlsx'))
    const firstRequest = await nextRequest(1)
    firstRequest.answer(422, {
      data: null,
      error: { status: 422, name: 'UnprocessableEntityError', message: 'x', code: 'file.macros', details: {} },
    })
    expect(await screen.findByRole('alert')).toHaveProperty('textContent', 'Files with macros are not accepted')
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
    const secondRequest = await nextRequest(2)
    expect(secondRequest.headers['Idempotency-Key']).toBe(firstRequest.headers['Idempotency-Key'])
  })

  it('does not send a file that is too large or empty', async () => {
    fakeApi(answers)
    renderApp('/app/import?kind=pricelists')
    await chooseFile(new File([''], 'empty.xlsx'))
    expect(await screen.findByText('The file is empty.')).toBeTruthy()
    const largeFile = new File(['x'], 'large.xlsx')
    Object.defineProperty(largeFile, 'size', { value: 11 * 1_048_576 })
    await chooseFile(largeFile)
    expect(await screen.findByText('The file is larger than 10 MB. Split it into parts.')).toBeTruthy()
    expect(FakeRequest.all).toHaveLength(0)
  })

  it('refuses a user who may import nothing', async () => {
    fakeApi({
      ...answers,
      'GET /api/users/me': { ...owner, role: { id: 4, name: 'Authenticated', type: 'authenticated' } },
    })
    renderApp('/app/import')
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.queryByText('Drag the sheet here')).toBeNull()
  })

  it('links to imports only in lists whose records can be imported', async () => {
    fakeApi({
      ...answers,
      'GET /api/regions': { data: [], meta: { pagination: { page: 1, pageSize: 15, total: 0 } } },
      'GET /api/news': { data: [], meta: { pagination: { page: 1, pageSize: 15, total: 0 } } },
    })
    const { router } = renderApp('/app/settings/regions')
    const link = await screen.findByRole('link', { name: 'Import: Regions' })
    expect(link).toHaveProperty('search', '?kind=regions')
    await router.navigate({ to: '/app/audit' })
    await vi.waitFor(() => expect(screen.queryByRole('link', { name: /^Import:/ })).toBeNull())
  })
})

describe('an import in progress', () => {
  it('shows the progress of an import', async () => {
    fakeApi({
      ...answers,
      'GET /api/insert_excel/48': importAnswer({
        state: 'parsing',
        mapping: null,
        summary: null,
        reading: null,
        progress: { step: 'checking', done: 1200, total: 10_000 },
      }),
    })
    renderApp('/app/import/48')
    expect(await screen.findByRole('heading', { name: 'The rows are being checked' })).toBeTruthy()
    expect(screen.getByText('1,200 of 10,000 rows')).toBeTruthy()
    expect(screen.getByRole('progressbar', { name: 'The rows are being checked' })).toHaveProperty('value', 1200)
  })

  it('shows why the file of an import could not be read', async () => {
    fakeApi({
      ...answers,
      'GET /api/insert_excel/48': importAnswer({
        state: 'failed',
        mapping: null,
        summary: null,
        reading: null,
        failure: { code: 'file.not-xlsx', params: {}, message: 'Choose an xlsx file' },
      }),
    })
    renderApp('/app/import/48')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('The file could not be read')
    expect(alert.textContent).toContain('Nothing was written.')
  })
})
