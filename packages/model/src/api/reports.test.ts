import { describe, expect, it } from 'vitest'
import english from '../labels/en.json' with { type: 'json' }
import { locales } from '../locales.ts'
import {
  dimLabel,
  dimRowLabel,
  isReportKey,
  metricHow,
  metricLabel,
  reportComparisons,
  reportedContent,
  reportFilters,
  reportIntervals,
  reportPeriods,
  reports,
} from './reports.ts'
import { resources } from '../resources/index.ts'
import type { Resource } from '../declaration/define-resource.ts'

// The other three catalogues have the same keys: labels/catalogues.test.ts.
const words: Readonly<Record<string, string>> = english
const missing = (candidates: readonly string[]) =>
  candidates.some((key) => words[key]) ? [] : [candidates.join(' or ')]

describe.each(Object.entries(reports))('the report %s', (key, { metrics, series, breakdowns, filters }) => {
  it('has words for its figures, and for how each is counted', () => {
    if (!isReportKey(key)) throw new Error(`${key} is no report`)
    expect(
      Object.keys(metrics).flatMap((metric) => [
        ...missing(metricLabel(key, metric)),
        ...missing(metricHow(key, metric)),
      ]),
    ).toEqual([])
  })
  it('has words for its tables and their coded rows; languages name themselves', () => {
    const codes = breakdowns.flatMap(({ dim, rows }) =>
      typeof rows === 'string'
        ? []
        : rows.filter((row) => !locales.some((locale) => locale === row)).map((row) => dimRowLabel(dim, row)),
    )
    expect([...breakdowns.map(({ dim }) => dimLabel(dim)), ...codes].flatMap(missing)).toEqual([])
  })
  it('draws and shares out figures that it has', () => {
    const named = [...series, ...breakdowns.map(({ metric }) => metric)]
    expect(named.filter((metric) => !metrics[metric])).toEqual([])
    // What is so now has no past to be drawn.
    expect(series.filter((metric) => metrics[metric]?.now)).toEqual([])
  })
  it('shows as many figures as can be read, and few enough tables', () => {
    expect(Object.keys(metrics).length).toBeGreaterThanOrEqual(3)
    expect(Object.keys(metrics).length).toBeLessThanOrEqual(8)
    expect(new Set(breakdowns.map(({ dim }) => dim)).size).toBeLessThanOrEqual(4)
  })
  it('is filtered by fields that have words', () => {
    expect(Object.keys(filters).flatMap((filter) => missing([`field.${filter}`]))).toEqual([])
  })
})

it('the bar of reports has its words', () => {
  const keys = [
    ...[...reportPeriods, 'custom'].map((name) => `statistics.periods.${name}`),
    ...reportComparisons.map((name) => `statistics.compares.${name}`),
    ...[...reportIntervals, 'auto'].map((name) => `statistics.intervals.${name}`),
    ...reportFilters.map((name) => `field.${name}`),
  ]
  expect(keys.filter((key) => !words[key])).toEqual([])
})

it('the content whose translations are counted has translations', () => {
  const registry: Readonly<Record<string, Resource>> = resources
  expect(reportedContent.filter((name) => !registry[name]?.localized)).toEqual([])
})
