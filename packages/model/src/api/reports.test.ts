import { describe, expect, it } from 'vitest'
import english from '../labels/en.json' with { type: 'json' }
import { locales } from '../locales.ts'
import {
  dimensionLabel,
  dimensionRowLabel,
  isReportKey,
  metricExplanation,
  metricLabel,
  reportComparisons,
  reportedContent,
  reportFilters,
  reportIntervals,
  reportHours,
  reportPeriods,
  reports,
  secondSectionLabel,
  sectionsOf,
  wholeReport,
} from './reports.ts'
import { resources } from '../resources/index.ts'
import type { Resource } from '../declaration/define-resource.ts'

// The English catalogue; labels/catalogues.test.ts checks that all catalogues have the same keys.
const messages: Readonly<Record<string, string>> = english
const findMissing = (candidates: readonly string[]) =>
  candidates.some((key) => messages[key]) ? [] : [candidates.join(' or ')]

const sections = Object.entries(reports).flatMap(([key, report]) =>
  sectionsOf(report).map((section, index) => ({ key, number: index + 1, section })),
)

describe.each(sections)('section $number of the report $key', ({ key, section: { metrics, series, breakdowns } }) => {
  it('has labels for the figures of the report, and for how each figure is counted', () => {
    if (!isReportKey(key)) throw new Error(`${key} is no report`)
    expect(
      Object.keys(metrics).flatMap((metric) => [
        ...findMissing(metricLabel(key, metric)),
        ...findMissing(metricExplanation(key, metric)),
      ]),
    ).toEqual([])
  })
  it('has labels for the tables of the report and for their coded rows, languages excepted', () => {
    const codes = breakdowns.flatMap(({ dim, rows }) =>
      typeof rows === 'string'
        ? []
        : rows.filter((row) => !locales.some((locale) => locale === row)).map((row) => dimensionRowLabel(dim, row)),
    )
    expect([...breakdowns.map(({ dim }) => dimensionLabel(dim)), ...codes].flatMap(findMissing)).toEqual([])
  })
  it('declares every figure that the charts and tables of the report show', () => {
    const shownFigures = [...series, ...breakdowns.map(({ metric }) => metric)]
    expect(shownFigures.filter((metric) => !metrics[metric])).toEqual([])
    // A figure of the present moment has no history to draw.
    expect(series.filter((metric) => metrics[metric]?.now)).toEqual([])
  })
  it('has between three and eleven figures, and at most five tables, in each report', () => {
    expect(Object.keys(metrics).length).toBeGreaterThanOrEqual(3)
    expect(Object.keys(metrics).length).toBeLessThanOrEqual(11)
    expect(new Set(breakdowns.map(({ dim }) => dim)).size).toBeLessThanOrEqual(5)
  })
})

describe.each(Object.entries(reports))('the report %s', (key, report) => {
  it('has a label for every field that the report can be filtered by', () => {
    expect(Object.keys(report.filters).flatMap((filter) => findMissing([`field.${filter}`]))).toEqual([])
  })
  it('has a heading for its second section, whose figures and tables are not in the first one', () => {
    if (!isReportKey(key)) throw new Error(`${key} is no report`)
    const { metrics, breakdowns, section } = report
    expect(section ? findMissing(secondSectionLabel(key)) : []).toEqual([])
    const dims = new Set(breakdowns.map(({ dim }) => dim))
    expect(Object.keys(section?.metrics ?? {}).filter((metric) => metrics[metric])).toEqual([])
    expect((section?.breakdowns ?? []).filter(({ dim }) => dims.has(dim))).toEqual([])
    expect(Object.keys(wholeReport(key).metrics)).toEqual([
      ...Object.keys(metrics),
      ...Object.keys(section?.metrics ?? {}),
    ])
  })
})

it('has labels for the filter bar of reports', () => {
  const keys = [
    ...[...reportPeriods, 'custom'].map((name) => `statistics.periods.${name}`),
    ...reportComparisons.map((name) => `statistics.compares.${name}`),
    ...[...reportIntervals, 'auto'].map((name) => `statistics.intervals.${name}`),
    'statistics.hours',
    ...reportHours.map((name) => `statistics.hoursOf.${name}`),
    ...reportFilters.map((name) => `field.${name}`),
  ]
  expect(keys.filter((key) => !messages[key])).toEqual([])
})

it('counts translations of localized content only', () => {
  const registry: Readonly<Record<string, Resource>> = resources
  expect(reportedContent.filter((name) => !registry[name]?.localized)).toEqual([])
})
