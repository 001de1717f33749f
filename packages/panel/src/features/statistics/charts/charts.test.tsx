import type { ReportAnswer, ReportStack } from '@dala/model'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { splitAtPartial } from './partial.ts'
import { sparklinePaths } from './sparkline.tsx'
import { stackParts } from './stack-parts.ts'

const intervals = ['2026-10-01', '2026-10-02', '2026-10-03'].map((t) => ({
  t,
  partial: t === '2026-10-02',
  no_data: t === '2026-10-03',
}))
const answer: ReportAnswer = {
  data: {
    id: 2,
    attributes: { key: 'consultations', title: { en: 'Consultations' } },
    metrics: [
      {
        key: 'asked',
        value: 12,
        unit: 'count',
        n: 12,
        previous: null,
        change: null,
        change_kind: 'none',
        partial: true,
        spark: [
          { t: '2026-10-01', value: 9, partial: false },
          { t: '2026-10-02', value: 3, partial: true },
          { t: '2026-10-03', value: null, partial: true },
        ],
      },
    ],
    series: [],
    breakdowns: [],
    stacks: [
      {
        dim: 'category',
        metric: 'asked',
        intervals,
        rows: [
          { id: 7, name: 'Water', values: [6, 2, 0] },
          { id: 8, name: 'Bees', values: [3, 0, 0] },
        ],
        not_set: [0, 1, 0],
      },
    ],
    matrices: [
      {
        dim: 'hour_weekday',
        metric: 'asked',
        rows: [
          { weekday: 1, hour: 9, value: 8 },
          { weekday: 2, hour: 10, value: 4 },
        ],
      },
    ],
  },
  meta: {
    from: '2026-10-01',
    to: '2026-10-03',
    compare_from: null,
    compare_to: null,
    interval: 'day',
    compare: 'none',
    tz: 'Asia/Tashkent',
    data_through: '2026-10-03T07:05:00.000Z',
    generated_at: '2026-10-03T07:05:00.000Z',
  },
}

beforeEach(() => {
  localStorage.setItem('token', 'x')
  fakeApi({
    'GET /api/users/me': owner,
    'GET /api/regions': { data: [], meta: {} },
    'GET /api/consultationcategories': { data: [], meta: {} },
    'GET /api/users': { data: [], count: 0 },
    'GET /api/statistics/2': answer,
  })
})
const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map(({ textContent }) => textContent)

describe('charts of a report', () => {
  it('draws the small line of a figure with a sentence for screen readers', async () => {
    renderApp('/app/statistics/2')
    const summary =
      'New questions and chats, 01.10.2026 to 03.10.2026. Highest: 9 (01.10.2026). Lowest: 3 (02.10.2026). Last: 3 (02.10.2026).'
    expect(await screen.findByText(summary)).toBeTruthy()
  })
  it('shows a table over time with its parts, without intervals in the future', async () => {
    renderApp('/app/statistics/2')
    const name = 'New questions and chats · By category'
    expect(await screen.findByText(`${name}, 01.10.2026 to 03.10.2026: Water 8, Bees 3 and Not set 1.`)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: `Show as table: ${name}` }))
    const rows = rowsOf(within(screen.getByRole('region', { name })).getByRole('table'))
    expect(rows).toEqual(['PeriodWaterBeesNot set', '01.10.2026630', '02.10.2026 · Incomplete201'])
  })
  it('walks the hours of a heat map by the arrow keys, and lists them as a table', async () => {
    renderApp('/app/statistics/2')
    const name = 'New questions and chats · By hour and weekday'
    const grid = await screen.findByRole('grid', { name })
    expect(screen.getByText(`${name}. Most: 8 (Monday, 09:00–10:00). In all: 12.`)).toBeTruthy()
    const user = userEvent.setup()
    within(grid).getByRole('cell', { name: 'Monday, 09:00–10:00: 8' }).focus()
    await user.keyboard('{ArrowDown}{ArrowRight}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Tuesday, 10:00–11:00: 4')
    await user.keyboard('{End}{ArrowRight}{ArrowUp}{ArrowUp}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Monday, 23:00–00:00: 0')
    expect(within(grid).getAllByRole('cell')).toHaveLength(168)
    await user.click(screen.getByRole('button', { name: `Show as table: ${name}` }))
    const rows = rowsOf(within(screen.getByRole('region', { name })).getByRole('table'))
    expect([rows.length, rows[10]]).toEqual([25, '09:00–10:008000000'])
  })
})

it('shows the largest parts of a stack, the others together, and cases without a row', () => {
  const stack: ReportStack = {
    dim: 'region',
    metric: 'asked',
    intervals,
    rows: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, name: `R${id}`, values: [id, id === 8 ? -8 : 0, 0] })),
    not_set: [1, 1, 0],
  }
  expect(stackParts(stack).map(({ key, total }) => [key, total])).toEqual([
    ['7', 7],
    ['6', 6],
    ['5', 5],
    ['4', 4],
    ['others', 6],
    ['not-set', 2],
  ])
})

it('interrupts a small line at missing values, and draws a value between two of them as a dot', () => {
  expect(sparklinePaths([0, 4, null, 2, null], 0, 4)).toEqual({ lines: 'M0.0 22.0L25.0 2.0', dots: 'M75.0 12.0h0.01' })
})

it('dashes a line from and to an incomplete interval', () => {
  const points = [1, 2, 3].map((value) => ({ value, partial: value === 3 }))
  expect(splitAtPartial(points).map(({ wholeValue, partialValue }) => [wholeValue, partialValue])).toEqual([
    [1, null],
    [2, 2],
    [null, 3],
  ])
})
