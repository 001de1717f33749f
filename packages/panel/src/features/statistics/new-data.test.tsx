/** Tests that an open report offers new figures and never replaces them by itself. */
import type { ReportsChanged } from '@dala/model'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { emitReportsChanged } from '../../api/report-events.ts'
import { emptyReport } from '../../testing/empty-report.ts'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const answer = emptyReport(7, 'trading', 'Trading')

beforeEach(() => localStorage.setItem('token', 'x'))

const receiveUpdate = (keys: ReportsChanged['keys']) =>
  act(() => emitReportsChanged({ keys, data_through: '2026-10-03T07:06:00.000Z' }))

it('offers new data of a report after an event that names it, until the report is counted again', async () => {
  const calls = fakeApi({
    'GET /api/users/me': owner,
    'GET /api/statistics': { data: [], meta: { pagination: { page: 1, pageSize: 50, pageCount: 0, total: 0 } } },
    'GET /api/regions': { data: [], meta: {} },
    'GET /api/statistics/trading': answer,
  })
  const countReads = () => calls.filter(({ path }) => path === '/api/statistics/trading').length
  renderApp('/app/statistics/trading')
  const refresh = await screen.findByRole('button', { name: 'Refresh' })
  receiveUpdate(['prices'])
  expect(screen.queryByText('There is new data for this report.')).toBeNull()
  expect(refresh.getAttribute('aria-label')).toBe('Refresh')
  receiveUpdate(['prices', 'trading'])
  expect(await screen.findByText('There is new data for this report.')).toBeTruthy()
  expect(countReads()).toBe(1)
  await userEvent.click(screen.getByRole('button', { name: 'New data: refresh' }))
  await waitFor(() => expect(screen.queryByText('There is new data for this report.')).toBeNull())
  expect(countReads()).toBe(2)
})
