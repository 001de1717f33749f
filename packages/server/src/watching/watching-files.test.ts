import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type MetricDeclaration, metrics } from './metrics.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../../..', path), 'utf8')
const declared = Object.entries<MetricDeclaration>(metrics)

/** Names of series that the declared metrics have. */
const seriesNames = new Set(
  declared.flatMap(([name, { kind }]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
)
const labelsOf = (series: string) => {
  const declaration = declared.find(([name]) => series.replace(/_(bucket|sum|count)$/, '') === name || series === name)
  return ['instance', 'job', ...(declaration?.[1].labels ?? []), ...(series.endsWith('_bucket') ? ['le'] : [])]
}

/** Undeclared series and labels of a text of expressions. */
const undeclaredIn = (text: string) =>
  [...text.matchAll(/\b(dala_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, name = '', selector = '']) => [
    ...(seriesNames.has(name) ? [] : [name]),
    ...[...selector.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)]
      .filter(([, label = '']) => !labelsOf(name).includes(label))
      .map(([, label = '']) => `${name}{${label}}`),
  ])

interface Board {
  panels: { title: string; targets: { expr: string }[] }[]
}

describe('the files for Prometheus and Grafana', () => {
  test('use only declared metrics and labels in rules and in their tests', () => {
    const rules = read('deploy/prometheus/alerts.yml')
    expect(rules.match(/\bdala_\w+/g)?.length).toBeGreaterThan(10)
    expect(undeclaredIn(rules)).toEqual([])
    expect(undeclaredIn(read('deploy/prometheus/alerts.test.yml'))).toEqual([])
  })

  test('use only declared metrics and labels on the board', () => {
    const board = JSON.parse(read('deploy/grafana/dala.json')) as Board
    const expressions = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(15)
    expect(expressions.flatMap(undeclaredIn)).toEqual([])
  })

  test('show every declared metric on the board', () => {
    const board = read('deploy/grafana/dala.json')
    expect(
      declared.map(([name]) => name).filter((name) => !board.includes(name) && name !== 'dala_disk_size_bytes'),
    ).toEqual([])
  })

  test('have a rule test of each alert', () => {
    const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    const tests = read('deploy/prometheus/alerts.test.yml')
    expect(alerts.length).toBeGreaterThan(10)
    expect(alerts.filter((name) => !tests.includes(`alertname: ${name}\n`))).toEqual([])
  })
})

test('documents the metrics in docs/watching.md as the program declares them', () => {
  const rows = [...read('docs/watching.md').matchAll(/^\| `(dala_\w+)` +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)]
  expect(rows.map((row) => row.slice(1))).toEqual(
    declared.map(([name, { kind, labels, help }]) => [
      name,
      kind,
      labels.length === 0 ? '–' : labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]),
  )
})
