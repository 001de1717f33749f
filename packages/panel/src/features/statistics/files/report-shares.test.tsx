import type { ReportShareRow } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyReport } from '../../../testing/empty-report.ts'
import { errorAnswer, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const report = emptyReport(2, 'consultations', 'Consultations')
const share = (id: number, overrides: Partial<ReportShareRow> = {}): ReportShareRow => ({
  id,
  key: 'consultations',
  query: {},
  locale: 'kaa',
  frozen: false,
  passcode: true,
  by: { id: 1, name: 'Aysulu' },
  active: true,
  opened: 2,
  last_opened_at: '2026-10-02T07:05:00.000Z',
  created_at: '2026-10-01T07:05:00.000Z',
  expires_at: '2026-11-01T07:05:00.000Z',
  withdrawn_at: null,
  ...overrides,
})
const url = 'https://dala.test/api/statistics/shared/secret'
const lists = {
  'GET /api/users/me': owner,
  'GET /api/regions': { data: [], meta: {} },
  'GET /api/consultationcategories': { data: [], meta: {} },
  'GET /api/users': { data: [], count: 0 },
  'GET /api/statistics/saved': { data: [], meta: {} },
  'GET /api/statistics/consultations': report,
  'GET /api/statistics/shares': { data: [], meta: {} },
}

beforeEach(() => localStorage.setItem('token', 'x'))

async function openShares(address = '/app/statistics/consultations') {
  const user = userEvent.setup()
  renderApp(address)
  await user.click(await screen.findByRole('button', { name: 'Share outside' }))
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Share outside' })) }
}

describe('the shared pages of a report', () => {
  it('makes a shared page with the settings of the address, and shows its address once', async () => {
    const calls = fakeApi({
      ...lists,
      'POST /api/statistics/shares': { data: { ...share(1), url }, meta: {} },
    })
    const { user, dialog } = await openShares('/app/statistics/consultations?period=year&f.region=5')
    await user.click(dialog.getByRole('button', { name: 'As of now' }))
    await user.click(dialog.getByRole('combobox', { name: 'Open for' }))
    await user.click(await screen.findByRole('option', { name: '7 days' }))
    await user.click(dialog.getByRole('combobox', { name: 'Language' }))
    await user.click(await screen.findByRole('option', { name: 'Qaraqalpaqsha' }))
    await user.type(dialog.getByLabelText('Passcode'), 'short')
    await user.click(dialog.getByRole('button', { name: 'Make the page' }))
    expect(await dialog.findByText('At least 6 characters')).toBeTruthy()
    await user.type(dialog.getByLabelText('Passcode'), '-no-more')
    await user.click(dialog.getByRole('button', { name: 'Make the page' }))
    const field = await dialog.findByRole('textbox', { name: 'Link' })
    expect(field.getAttribute('value')).toBe(url)
    const body = calls.find(({ method }) => method === 'POST')?.body ?? {}
    const { data } = body as { data: Record<string, unknown> }
    const { expires_at: expiresAt, ...otherFields } = data
    expect(otherFields).toEqual({
      key: 'consultations',
      query: { period: 'year', filters: { region: '5' } },
      locale: 'kaa',
      passcode: 'short-no-more',
      frozen: true,
    })
    const days = (Date.parse(String(expiresAt)) - Date.now()) / 86_400_000
    expect([days > 6.9, days < 7]).toEqual([true, true])
  })

  it('lists shared pages with their openings, and withdraws them', async () => {
    const endedShare = share(2, {
      active: false,
      opened: 0,
      last_opened_at: null,
      by: null,
      passcode: false,
      frozen: true,
    })
    const calls = fakeApi({
      ...lists,
      'GET /api/statistics/shares': { data: [share(1), endedShare, share(3, { key: 'prices' })], meta: {} },
      'DELETE /api/statistics/shares/1': { data: share(1, { active: false }), meta: {} },
    })
    const { user, dialog } = await openShares()
    const list = within(await dialog.findByRole('region', { name: 'Shared pages' }))
    await list.findByText('Open until 01.11.2026 12:05')
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Open until 01.11.2026 12:05At each opening · Qaraqalpaqsha · PasscodeMade by Aysulu on 01.10.2026 12:05Opened 2 times, last on 02.10.2026 12:05Withdraw',
      'No longer openAs of now · QaraqalpaqshaMade by Removed person on 01.10.2026 12:05Never opened',
    ])
    await user.click(list.getByRole('button', { name: 'Withdraw' }))
    await screen.findByText('The page is no longer open.')
    await waitFor(() =>
      expect(calls.filter(({ path, method }) => method === 'GET' && path === '/api/statistics/shares')).toHaveLength(2),
    )
  })

  it('reports why a shared page could not be made', async () => {
    fakeApi({
      ...lists,
      'POST /api/statistics/shares': () => errorAnswer(422, 'UnprocessableEntityError', 'no', 'report.order'),
    })
    const { user, dialog } = await openShares()
    await user.click(dialog.getByRole('button', { name: 'Make the page' }))
    expect(await dialog.findByText('The last day must not be before the first.')).toBeTruthy()
  })

  it('makes no shared page of the figures of one consultant', async () => {
    const calls = fakeApi(lists)
    const { user, dialog } = await openShares('/app/statistics/consultations?f.consultant=7')
    const makeButton = dialog.getByRole('button', { name: 'Make the page' })
    await user.click(makeButton)
    expect(makeButton.getAttribute('data-why')).toBe(
      'A report of one consultant is not shared outside. Clear the filter first.',
    )
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('offers no shared pages to consultants', async () => {
    const consultant = { ...owner, role: { ...owner.role, type: 'authenticated' }, is_consultant: true }
    fakeApi({ ...lists, 'GET /api/users/me': consultant })
    renderApp('/app/statistics/consultations')
    expect(await screen.findByRole('button', { name: 'Export' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Share outside' })).toBeNull()
  })
})
