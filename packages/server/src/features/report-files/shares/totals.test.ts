import type { ReportFigures, ReportMetric, ReportRow } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { groupsToHide, sharedFigures } from './totals.ts'

describe('groupsToHide', () => {
  it.each([
    ['no group where all are large', [[5, 9, 0, 20]], []],
    ['a small group with the smallest other one', [[3, 9, 20]], [0, 1]],
    ['two small groups whose sum is large enough', [[3, 4, 20]], [0, 1]],
    ['a further group where the sum of the small ones is small', [[1, 2, 8, 20]], [0, 1, 2]],
    ['a further group where each small one follows from their sum', [[4, 4, 8, 20]], [0, 1, 2]],
    ['never an empty group for a filled one', [[3, 0, 9]], [0, 2]],
    [
      'the same groups in all columns',
      [
        [3, 9, 20],
        [9, 9, 9],
      ],
      [0, 1],
    ],
    [
      'groups until all columns hide enough',
      [
        [3, 9, 20],
        [7, 0, 9],
      ],
      [0, 1, 2],
    ],
  ] as const)('hides small groups of a shared report: %s', (_case, columns, hiddenGroups) => {
    expect([...(groupsToHide(columns) ?? [])].toSorted((one, other) => one - other)).toEqual(hiddenGroups)
  })

  it.each([[[[3]]], [[[4, 4]]], [[[1, 1]]], [[[3, 0, 0]]]])(
    'shows nothing of the shared report’s groups %j',
    (columns) => {
      expect(groupsToHide(columns)).toBeUndefined()
    },
  )

  it('leaves no hidden group that follows from the total, for random tables', () => {
    let state = 11
    const drawNumber = (limit: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * limit)
    }
    for (let turn = 0; turn < 500; turn += 1) {
      const cases = Array.from({ length: 1 + drawNumber(7) }, () => drawNumber(12))
      const hiddenGroups = groupsToHide([cases])
      if (!hiddenGroups || hiddenGroups.size === 0) continue
      const members = [...hiddenGroups].map((groupIndex) => cases[groupIndex] ?? 0)
      const sum = members.reduce((total, caseCount) => total + caseCount, 0)
      expect(sum).toBeGreaterThanOrEqual(5)
      expect(members.length).toBeGreaterThan(1)
      expect(
        cases.filter((caseCount, groupIndex) => caseCount > 0 && caseCount < 5 && !hiddenGroups.has(groupIndex)),
      ).toEqual([])
    }
  })
})

const metric = (
  key: string,
  value: number | null,
  caseCount: number,
  overrides: Partial<ReportMetric> = {},
): ReportMetric => ({
  key,
  value,
  unit: 'count',
  n: caseCount,
  previous: 3,
  change: 1,
  change_kind: 'percent',
  partial: false,
  ...overrides,
})
const row = (id: number | string, value: number, caseCount = value): ReportRow => ({
  id,
  name: String(id),
  value,
  previous: 2,
  n: caseCount,
})
const point = (t: string, value: number | null) => ({
  t,
  value,
  previous: 2,
  previous_t: '2025-01-01',
  partial: false,
  no_data: value === null,
})
const table = (dim: string, name: string, rows: ReportRow[], notSet: number | null = null) => ({
  dim,
  metric: name,
  rows,
  not_set: notSet === null ? null : { value: notSet, previous: 1, n: notSet },
  team: 7,
})

const figures = (overrides: Partial<ReportFigures>): ReportFigures => ({
  metrics: [],
  series: [],
  breakdowns: [],
  stacks: [],
  matrices: [],
  ...overrides,
})

describe('sharedFigures', () => {
  it('leaves out figures of fewer than five cases, with their lines and tables, and all earlier values', () => {
    const shownFigures = sharedFigures(
      figures({
        metrics: [
          metric('asked', 40, 40),
          metric('answered', 4, 4),
          metric('reply_median', 12, 3, { unit: 'minutes' }),
          metric('finished', 0, 0),
        ],
        series: [
          { key: 'asked', points: [point('2025-03-01', 20), point('2025-03-02', 20), point('2025-03-03', null)] },
          { key: 'answered', points: [point('2025-03-01', 4)] },
        ],
        breakdowns: [table('desk', 'answered', [row('chat', 4)])],
      }),
      'consultations',
    )
    expect(
      shownFigures.metrics.map(({ key, value, n, previous, change }) => [key, value, n, previous, change]),
    ).toEqual([
      ['asked', 40, 40, null, null],
      ['answered', null, 0, null, null],
      ['reply_median', null, 0, null, null],
      ['finished', 0, 0, null, null],
    ])
    expect(shownFigures.few).toEqual(['answered', 'reply_median'])
    expect(shownFigures.series.map(({ key }) => key)).toEqual(['asked'])
    expect(shownFigures.series[0]?.points.map(({ value, previous }) => [value, previous])).toEqual([
      [20, null],
      [20, null],
      [null, null],
    ])
    expect(shownFigures.breakdowns).toEqual([])
  })

  it('adds small groups and those that would reveal them to one row', () => {
    const { breakdowns } = sharedFigures(
      figures({
        metrics: [metric('asked', 40, 40)],
        breakdowns: [table('region', 'asked', [row(1, 20), row(2, 8), row(3, 3)], 9)],
      }),
      'consultations',
    )
    expect(breakdowns[0]?.rows.map(({ id, value, previous }) => [id, value, previous])).toEqual([
      [1, 20, null],
      ['others', 11, null],
    ])
    expect(breakdowns[0]?.not_set).toEqual({ value: 9, previous: null, n: 9 })
    expect(breakdowns[0]?.team).toBeNull()
  })

  it('leaves out tables over time and by the hour, and the small lines of figures', () => {
    const shownFigures = sharedFigures(
      figures({
        metrics: [metric('asked', 40, 40, { spark: [{ t: '2025-03-01', value: 3, partial: false }] })],
        stacks: [
          { dim: 'category', metric: 'asked', intervals: [], rows: [{ id: 1, name: 'A', values: [3] }], not_set: null },
        ],
        matrices: [{ dim: 'hour_weekday', metric: 'asked', rows: [{ weekday: 1, hour: 9, value: 3 }] }],
      }),
      'consultations',
    )
    expect([shownFigures.stacks, shownFigures.matrices, shownFigures.metrics[0]?.spark]).toEqual([[], [], undefined])
  })

  it('hides the cases without a value as a group of a shared report', () => {
    const { breakdowns } = sharedFigures(
      figures({
        metrics: [metric('asked', 40, 40)],
        breakdowns: [table('region', 'asked', [row(1, 20), row(2, 18)], 2)],
      }),
      'consultations',
    )
    expect(breakdowns[0]).toMatchObject({
      rows: [
        { id: 1, value: 20 },
        { id: 'others', value: 20 },
      ],
      not_set: null,
    })
  })

  it('leaves out tables of people, levels over time, and tables that would show nothing', () => {
    const shownFigures = sharedFigures(
      figures({
        metrics: [metric('answered', 40, 40), metric('open_now', 8, 8)],
        breakdowns: [
          table('consultant', 'answered', [row(7, 20), row(8, 20)]),
          table('desk', 'open_now', [row('chat', 4), row('consultation', 4)]),
        ],
      }),
      'consultants',
    )
    expect(shownFigures.breakdowns).toEqual([])
    const level = sharedFigures(
      figures({
        metrics: [metric('backlog', 40, 40)],
        series: [{ key: 'backlog', points: [point('2025-03-01', 38), point('2025-03-02', 40)] }],
      }),
      'consultations',
    )
    expect(level.series).toEqual([])
  })

  it('hides days of few cases with a further day, and a line that is mostly hidden', () => {
    const line = (values: number[]) =>
      sharedFigures(
        figures({
          metrics: [metric('asked', 40, 40)],
          series: [{ key: 'asked', points: values.map((value, day) => point(`2025-03-0${day + 1}`, value)) }],
        }),
        'consultations',
      ).series[0]?.points.map(({ value }) => value)
    expect(line([3, 9, 0, 12, 16])).toEqual([null, null, 0, 12, 16])
    expect(line([3, 2, 4, 31])).toBeUndefined()
  })
})
