/** The definitions of a report's figures: name and explanation in every language, and formula (statistics §5, §6). */
import {
  type Locale,
  locales,
  type MessageId,
  metricExplanation,
  metricLabel,
  type ReportDefinition,
  type ReportKey,
  wholeReport,
} from '@dala/model'
import { labelsOf } from '../../resources/labels.ts'
import { figureOf, type Figure, type ReportSource } from './measures.ts'

/** The first text that a language has under one of the keys. */
const textIn = (language: Locale, keys: readonly string[]): string => {
  const labels: Readonly<Record<string, string>> = labelsOf(language) satisfies Readonly<Record<MessageId, string>>
  return keys.map((key) => labels[key]).find((text) => text !== undefined) ?? ''
}

const inEachLanguage = (keys: readonly string[]) =>
  Object.fromEntries(locales.map((language) => [language, textIn(language, keys)])) as Record<Locale, string>

/** Formula of a figure over the cases of its measures. */
function formulaOf(figure: Figure): string {
  if ('each' in figure) return `1000 × ${figure.each} ÷ ${figure.thousand}`
  return `${figure.of}(${figure.measure})`
}

/** Returns the definitions of all figures of a report, in the order of the report. */
export const definitionsOf = (report: ReportKey, source: ReportSource): ReportDefinition[] =>
  Object.keys(wholeReport(report).metrics).map((key) => ({
    key,
    title: inEachLanguage(metricLabel(report, key)),
    text: inEachLanguage(metricExplanation(report, key)),
    formula: formulaOf(figureOf(source, key)),
  }))
