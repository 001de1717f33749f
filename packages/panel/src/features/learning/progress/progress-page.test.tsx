import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, type FakeCall, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const attributes = {
  title: 'Drip irrigation',
  state: 'published',
  version: 3,
  locale: 'en',
  localizations: { data: [] },
}
const buckets = Array.from({ length: 20 }, (_, index) => 40 - index)
const figures = {
  started: 40,
  active: 12,
  completed: 10,
  median_s: 7_500,
  funnel: [
    { id: 11, title: 'Water', started: 40, completed: 30 },
    { id: 12, title: 'Pumps', started: 25, completed: 10 },
  ],
  curves: [
    { id: 11, part: '', title: null, place: 0, buckets },
    { id: 12, part: 'b', title: null, place: 2, buckets: buckets.map(() => 7) },
  ],
}
const learner = (id: number, name: string, learnerFields: object = {}) => ({
  id,
  name,
  region: 'Kegeyli',
  percent: 66,
  started_at: '2026-03-01T10:00:00.000Z',
  last_activity: '2026-03-02T10:00:00.000Z',
  completed_at: null,
  certificate: null,
  ...learnerFields,
})
const certifiedProgress = { percent: 100, completed_at: '2026-03-02T10:00:00.000Z', certificate: '0123456789ABCDEZ' }
const learners = (rows: object[], total = rows.length) => ({
  data: rows,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: Math.ceil(total / 15), total } },
})
const answers = {
  'GET /api/users/me': owner,
  'GET /api/courses/7': { data: { id: 7, attributes }, meta: {} },
  'GET /api/courses/7/statistics': { data: figures, meta: {} },
  'GET /api/courses/7/learners': learners([learner(5, 'Ayjamal'), learner(6, 'Berdaq', certifiedProgress)], 31),
  'GET /api/regions': {
    data: [{ id: 3, attributes: { name: 'Kegeyli' } }],
    meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: 1 } },
  },
}
const queriesOf = (calls: readonly FakeCall[], routeName: string) =>
  calls.flatMap(({ path, query }) => (path === `/api/courses/7/${routeName}` ? [query] : []))
const renderPage = (search = '') => renderApp(`/app/e-learning/progress/7${search}`)

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the page of progress of a course', () => {
  it('shows the figures of a course, its funnel, the rule of percentages and the learners', async () => {
    fakeApi(answers)
    renderPage()
    expect(await screen.findByRole('heading', { level: 1, name: 'Progress: Drip irrigation' })).toBeTruthy()
    const tiles = within(await screen.findByRole('region', { name: 'Figures of the course' })).getAllByRole('listitem')
    expect(tiles.map(({ textContent }) => textContent)).toEqual([
      'Started40',
      'Active in 7 days1230%',
      'Completed1025%',
      'Median time to complete2 h 05 minfrom 10 completions',
    ])
    const [funnel] = screen.getAllByRole('table')
    const rows = within(funnel as HTMLElement).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent)).toEqual(['LessonStartedCompleted', 'Water4030', 'Pumps2510'])
    expect(screen.getByText(/^The percentage is the completed lessons divided by all lessons/)).toBeTruthy()
    expect(await screen.findByRole('rowheader', { name: /^Ayjamal/ })).toBeTruthy()
    expect(screen.getByText('1–2 of 31')).toBeTruthy()
  })

  it('keeps the filters, the order and the page of learners in the address, and sends them to the server', async () => {
    const calls = fakeApi(answers)
    const { router } = renderPage('?language=kaa&region=3&sort=percent:desc&page=2&q=ay')
    await screen.findByRole('rowheader', { name: /^Ayjamal/ })
    expect(queriesOf(calls, 'statistics')).toEqual(['?titles=en&locale=kaa&region=3'])
    expect(queriesOf(calls, 'learners').at(-1)).toBe(
      '?locale=en&sort=percent:desc&_q=ay&pagination[page]=2&pagination[pageSize]=15',
    )
    expect(screen.getByRole('columnheader', { name: /Progress/ }).getAttribute('aria-sort')).toBe('descending')
    await userEvent.setup().click(screen.getByRole('button', { name: /^Name/ }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ sort: 'name:asc', region: '3' }))
    expect(router.state.location.search).not.toHaveProperty('page')
  })

  it('shows the watch curve of a chosen part as a table', async () => {
    fakeApi(answers)
    renderPage('?video=12.b')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Show as table: What is watched' }))
    const table = within(screen.getByRole('region', { name: 'Pumps: Part 2' }))
    expect(table.getAllByRole('row')).toHaveLength(21)
    expect(table.getByRole('row', { name: '95–100 % 7' })).toBeTruthy()
  })

  it('downloads the certificate of a learner and the sheet of all learners', async () => {
    const file = () => new Response('x', { headers: { 'Content-Disposition': 'attachment; filename="x.pdf"' } })
    const calls = fakeApi({
      ...answers,
      'GET /api/courses/7/learners/6/certificate': file,
      'GET /api/courses/7/learners': ({ query }) =>
        query.includes('format') ? file() : Response.json(answers['GET /api/courses/7/learners']),
    })
    renderPage()
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Certificate 0123-4567-89AB-CDEZ: Berdaq, PDF' }))
    await user.click(screen.getByRole('button', { name: 'Excel (xlsx)' }))
    await waitFor(() => expect(queriesOf(calls, 'learners/6/certificate')).toEqual(['?locale=en']))
    expect(queriesOf(calls, 'learners').at(-1)).toBe('?locale=en&sort=last_activity:desc&format=xlsx')
  })

  it('reports that nobody has started the course, or that no learner matches the filters', async () => {
    const emptyFigures = { started: 0, active: 0, completed: 0, median_s: null, funnel: [], curves: [] }
    fakeApi({ ...answers, 'GET /api/courses/7/statistics': { data: emptyFigures, meta: {} } })
    const firstPage = renderPage()
    expect(await screen.findByText('Nobody has started yet')).toBeTruthy()
    firstPage.unmount()
    renderPage('?language=uz')
    expect(await screen.findByText('Nobody matches these filters.')).toBeTruthy()
    expect(screen.getByText('No video of known length has been watched yet.')).toBeTruthy()
  })

  it('shows why the figures of a course are missing, and reads them again on demand', async () => {
    let isFailing = true
    fakeApi({
      ...answers,
      'GET /api/courses/7/statistics': () =>
        isFailing ? errorAnswer(400, 'ValidationError', 'No') : Response.json({ data: figures, meta: {} }),
    })
    renderPage()
    expect(await screen.findByText('The figures could not be loaded')).toBeTruthy()
    isFailing = false
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('region', { name: 'Figures of the course' })).toBeTruthy()
  })

  it('shows learners no page of the progress of a course', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/users/me': { ...owner, role: { id: 3, name: 'A', type: 'authenticated' } },
    })
    renderPage()
    expect(await screen.findByText('403', { exact: false })).toBeTruthy()
    expect(queriesOf(calls, 'statistics')).toEqual([])
  })
})
