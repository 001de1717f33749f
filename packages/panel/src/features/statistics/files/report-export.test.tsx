import type { ReportFile } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyReport } from '../../../testing/empty-report.ts'
import { errorAnswer, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const report = emptyReport(2, 'people', 'People')
const fileIn = (state: ReportFile['state'], progress: number): { data: ReportFile; meta: object } => ({
  data: {
    id: 7,
    key: 'people',
    format: 'xlsx',
    locale: 'kaa',
    state,
    progress,
    name: 'people-2026-10-03.xlsx',
    url: state === 'done' ? '/api/statistics/exports/7/file' : null,
    created_at: '2026-10-03T07:05:00.000Z',
    expires_at: '2026-10-04T07:05:00.000Z',
  },
  meta: {},
})
const lists = {
  'GET /api/users/me': owner,
  'GET /api/regions': { data: [], meta: {} },
  'GET /api/statistics/people': report,
}
const makeFileResponse = () =>
  new Response('bytes', { headers: { 'Content-Disposition': 'attachment; filename="people-2026-10-03.xlsx"' } })

const saveSpy = vi.fn<(name: string) => void>()
beforeEach(() => {
  localStorage.setItem('token', 'x')
  saveSpy.mockReset()
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    if (this.download) saveSpy(this.download)
  })
})
afterEach(() => vi.restoreAllMocks())

async function openExport(address = '/app/statistics/people') {
  const user = userEvent.setup()
  renderApp(address)
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  return { user, dialog: await screen.findByRole('dialog', { name: 'Export' }) }
}

describe('the export of a report', () => {
  it('sends what is shown with the chosen format, language and contents, and saves the file', async () => {
    const calls = fakeApi({
      ...lists,
      'POST /api/statistics/exports': fileIn('done', 100),
      'GET /api/statistics/exports/7/file': makeFileResponse,
    })
    const { user, dialog } = await openExport('/app/statistics/people?period=days90&compare=none&f.region=5')
    await user.click(within(dialog).getByRole('button', { name: 'Excel' }))
    await user.click(within(dialog).getByRole('combobox', { name: 'Language' }))
    await user.click(await screen.findByRole('option', { name: 'Qaraqalpaqsha' }))
    await user.click(within(dialog).getByRole('checkbox', { name: 'How it is counted' }))
    await user.click(within(dialog).getByRole('button', { name: 'Save the file' }))
    await waitFor(() => expect(saveSpy).toHaveBeenCalledWith('people-2026-10-03.xlsx'))
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      data: {
        key: 'people',
        query: { period: 'days90', compare: 'none', filters: { region: '5' } },
        format: 'xlsx',
        locale: 'kaa',
        parts: ['figures', 'series', 'breakdowns'],
      },
    })
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Export' })).toBeNull())
  })

  it('shows the progress of a file that is made in the background', async () => {
    let finishExport = () => {}
    const gate = new Promise<void>((resolve) => (finishExport = resolve))
    fakeApi({
      ...lists,
      'POST /api/statistics/exports': fileIn('running', 60),
      'GET /api/statistics/exports/7': async () => {
        await gate
        return Response.json(fileIn('done', 100))
      },
      'GET /api/statistics/exports/7/file': makeFileResponse,
    })
    const { user, dialog } = await openExport()
    await user.click(within(dialog).getByRole('button', { name: 'Save the file' }))
    await waitFor(() => expect(within(dialog).getByRole('status').textContent).toBe('The file is being prepared… 60%'))
    finishExport()
    await waitFor(() => expect(saveSpy).toHaveBeenCalledOnce(), { timeout: 5_000 })
  })

  it.each([
    ['failed in the background', fileIn('failed', 60), 'The file could not be made. Please try again.'],
    [
      'was refused',
      () => errorAnswer(422, 'UnprocessableEntityError', 'no', 'report.order'),
      'The last day must not be before the first.',
    ],
  ])('says why a file that %s was not saved', async (_case, answer, text) => {
    fakeApi({ ...lists, 'POST /api/statistics/exports': answer })
    const { user, dialog } = await openExport()
    await user.click(within(dialog).getByRole('button', { name: 'Save the file' }))
    await within(dialog).findByText(text)
    expect(saveSpy).not.toHaveBeenCalled()
  })

  it('asks for some contents before it makes a file', async () => {
    const calls = fakeApi(lists)
    const { user, dialog } = await openExport()
    for (const box of within(dialog).getAllByRole('checkbox')) await user.click(box)
    const save = within(dialog).getByRole('button', { name: 'Save the file' })
    await user.click(save)
    expect(save.getAttribute('data-why')).toBe('Choose what the file contains.')
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })
})
