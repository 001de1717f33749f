import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { RecordRow } from '@dala/model'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { setWindowWidth } from '../../../testing/window-width.ts'

const meta = {
  from: '2026-10-01',
  to: '2026-10-03',
  compare_from: '2026-09-28',
  compare_to: '2026-09-30',
  interval: 'day',
  compare: 'previous',
  tz: 'Asia/Tashkent',
  data_through: '2026-10-03T07:05:00.000Z',
  generated_at: '2026-10-03T07:05:00.000Z',
}
const figure = { unit: 'count', previous: 10, change: 20, change_kind: 'percent', partial: false }
const answer = {
  data: {
    id: 2,
    attributes: { key: 'consultations', title: { en: 'Consultations' }, description: { en: 'Questions' } },
    metrics: [
      { ...figure, key: 'asked', value: 2, n: 2 },
      { ...figure, key: 'reopened', value: 0, n: 0 },
    ],
    series: [
      {
        key: 'asked',
        points: [{ t: '2026-10-01', value: 1, previous: 1, previous_t: '2026-09-28', partial: false, no_data: false }],
      },
    ],
    breakdowns: [
      {
        dim: 'region',
        metric: 'asked',
        rows: [{ id: 5, name: 'Khorezm', value: 1, previous: 9, n: 1 }],
        not_set: { value: 1, previous: 1, n: 1 },
        team: null,
      },
    ],
    stacks: [],
    matrices: [],
  },
  meta,
}
const record = (id: number, overrides: Partial<RecordRow> = {}): RecordRow => ({
  resource: 'consultations',
  id,
  title: `Question ${id}`,
  at: '2026-10-02T06:30:00.000Z',
  value: null,
  person: { id: 9, name: 'Gulshat M.' },
  ...overrides,
})
const records = { data: [record(1904), record(1879, { id: null, title: null, person: null })], count: 2, meta }
const lists = {
  'GET /api/users/me': owner,
  'GET /api/regions': { data: [], meta: {} },
  'GET /api/consultationcategories': { data: [], meta: {} },
  'GET /api/users': { data: [], count: 0 },
  'GET /api/statistics/map/regions': { data: [] },
  'GET /api/statistics/consultations': answer,
}
const recordsPath = 'GET /api/statistics/consultations/records'

beforeEach(() => localStorage.setItem('token', 'x'))

const panel = async (name: string) => within(await screen.findByRole('complementary', { name: `Records: ${name}` }))

describe('the records behind a figure', () => {
  it('opens the records of a figure beside the report, keeps them in the address, and returns the focus', async () => {
    const calls = fakeApi({ ...lists, [recordsPath]: records })
    const { router } = renderApp('/app/statistics/consultations?period=month')
    const button = await screen.findByRole('button', { name: 'New questions and chats: 2. Show the records' })
    await userEvent.click(button)
    const recordsPanel = await panel('New questions and chats')
    expect(router.state.location.search).toEqual({ period: 'month', metric: 'asked' })
    expect(await recordsPanel.findByText('2 records, as on the page')).toBeTruthy()
    expect(recordsPanel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Question 190402.10.2026 11:30№ 1904Gulshat M.',
      'Record that you may not open02.10.2026 11:30',
    ])
    expect(recordsPanel.getByRole('link').getAttribute('href')).toBe('/app/consultation/1904')
    expect(calls.find(({ path }) => path.endsWith('/records'))?.query).toBe(
      '?period=month&locale=en&metric=asked&limit=50&start=0',
    )
    expect(button.getAttribute('aria-pressed')).toBe('true')
    expect(document.activeElement).toBe(recordsPanel.getByRole('heading', { name: 'New questions and chats' }))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(router.state.location.search).toEqual({ period: 'month' }))
    expect(document.activeElement).toBe(button)
    router.history.back()
    expect(await panel('New questions and chats')).toBeTruthy()
  })
  it.each([
    ['metric=asked&dim=region&dim_id=5', 'New questions and chats, Khorezm', '1 record, as on the page'],
    ['metric=asked&dim=region&dim_id=not_set', 'New questions and chats, Not set', '1 record, as on the page'],
    ['metric=asked&bucket=2026-10-01', 'New questions and chats, 01.10.2026', '1 record, as on the page'],
  ])('opens the records of the address %s', async (search, name, count) => {
    fakeApi({ ...lists, [recordsPath]: { ...records, data: [record(7)], count: 1 } })
    renderApp(`/app/statistics/consultations?${search}`)
    expect(await (await panel(name)).findByText(count)).toBeTruthy()
  })
  it('shows, hides and moves columns by keyboard, stores them for the report, and exports these', async () => {
    const calls = fakeApi({ ...lists, [recordsPath]: records })
    const { unmount } = renderApp('/app/statistics/consultations?metric=asked')
    const recordsPanel = await panel('New questions and chats')
    const row = async () => (await recordsPanel.findAllByRole('listitem'))[0]?.textContent
    expect(await row()).toBe('Question 190402.10.2026 11:30№ 1904Gulshat M.')
    const trigger = recordsPanel.getByRole('button', { name: 'Columns' })
    trigger.focus()
    await userEvent.keyboard('{Enter}')
    const menu = within(await screen.findByRole('dialog', { name: 'Columns' }))
    await userEvent.click(menu.getByRole('checkbox', { name: 'Time' }))
    await userEvent.click(menu.getByRole('checkbox', { name: 'Kind' }))
    const earlierButton = menu.getByRole('button', { name: 'Move “Kind” earlier' })
    for (let move = 0; move < 3; move += 1) await userEvent.click(earlierButton)
    expect(await row()).toBe('Question 1904Consultation№ 1904Gulshat M.')
    await userEvent.keyboard('{Escape}')
    expect(await panel('New questions and chats')).toBeTruthy()
    await userEvent.click(recordsPanel.getByRole('button', { name: /^Export/ }))
    await waitFor(() =>
      expect(calls.at(-1)?.query).toBe('?locale=en&metric=asked&format=xlsx&columns=resource,id,value,person'),
    )
    unmount()
    renderApp('/app/statistics/consultations?metric=asked')
    const reopenedPanel = await panel('New questions and chats')
    expect((await reopenedPanel.findAllByRole('listitem'))[0]?.textContent).toBe(
      'Question 1904Consultation№ 1904Gulshat M.',
    )
    await userEvent.click(reopenedPanel.getByRole('button', { name: 'Columns' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Reset columns' }))
    expect((await reopenedPanel.findAllByRole('listitem'))[0]?.textContent).toBe(
      'Question 190402.10.2026 11:30№ 1904Gulshat M.',
    )
  })
  it('offers no records of a figure without cases, and shows none for an unknown figure of an address', async () => {
    fakeApi(lists)
    renderApp('/app/statistics/consultations?metric=bogus')
    await screen.findByRole('button', { name: 'New questions and chats: 2. Show the records' })
    expect(screen.queryByRole('button', { name: /^Reopened: 0/ })).toBeNull()
    expect(screen.queryByRole('complementary')).toBeNull()
  })
  it('reports that the records changed since the figure, and refreshes the figure', async () => {
    const calls = fakeApi({ ...lists, [recordsPath]: { ...records, count: 3 } })
    renderApp('/app/statistics/consultations?metric=asked')
    const recordsPanel = await panel('New questions and chats')
    expect(await recordsPanel.findByText('Records now: 3; on the page: 2')).toBeTruthy()
    const countReads = () => calls.filter(({ path }) => path === '/api/statistics/consultations').length
    const formerCount = countReads()
    await userEvent.click(recordsPanel.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(countReads()).toBe(formerCount + 1))
  })
  it('moves through the records by J and K', async () => {
    fakeApi({ ...lists, [recordsPath]: { ...records, data: [record(1), record(2)] } })
    renderApp('/app/statistics/consultations?metric=asked')
    const recordsPanel = await panel('New questions and chats')
    const links = await recordsPanel.findAllByRole('link')
    links[0]?.focus()
    await userEvent.keyboard('j')
    expect(document.activeElement).toBe(links[1])
    await userEvent.keyboard('k')
    expect(document.activeElement).toBe(links[0])
  })
  it('loads further records, and downloads all of them', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }))
    const calls = fakeApi({
      ...lists,
      [recordsPath]: ({ query }) => {
        if (query.includes('format=xlsx'))
          return new Response('x', { headers: { 'content-disposition': 'attachment; filename="records.xlsx"' } })
        const start = query.includes('start=50') ? 50 : 0
        return Response.json({
          ...records,
          data: Array.from({ length: start === 0 ? 50 : 10 }, (_, recordIndex) => record(start + recordIndex + 1)),
          count: 60,
        })
      },
    })
    renderApp('/app/statistics/consultations?metric=asked')
    const recordsPanel = await panel('New questions and chats')
    await userEvent.click(await recordsPanel.findByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(recordsPanel.getAllByRole('link')).toHaveLength(60))
    expect(recordsPanel.queryByRole('button', { name: 'Show more' })).toBeNull()
    await userEvent.click(recordsPanel.getByRole('button', { name: 'Export 60' }))
    await waitFor(() => expect(calls.some(({ query }) => query.includes('format=xlsx'))).toBe(true))
  })
  it('shows why the records could not be loaded, and tries again', async () => {
    fakeApi({ ...lists, [recordsPath]: () => errorAnswer(500, 'InternalServerError', 'x', 'server.internal') })
    renderApp('/app/statistics/consultations?metric=asked')
    const recordsPanel = await panel('New questions and chats')
    expect(await recordsPanel.findByRole('button', { name: 'Try again' })).toBeTruthy()
  })
  it('shows the records over the whole window of a phone', async () => {
    setWindowWidth(390)
    fakeApi({ ...lists, [recordsPath]: records })
    const { router } = renderApp('/app/statistics/consultations?metric=asked')
    const recordsPanel = within(await screen.findByRole('dialog', { name: 'New questions and chats' }))
    expect(await recordsPanel.findByText('2 records, as on the page')).toBeTruthy()
    await userEvent.click(recordsPanel.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })
})
