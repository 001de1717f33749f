/** Compares the coverage of translations with a set of sixty news in every combination of states (statistics §10). */
import { type Locale, locales, type ReportAnswer } from '@dala/model'
import { beforeAll, expect, it } from 'vitest'
import { buildRecord } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const sourceLanguage: Locale = 'ru'
const targetLanguages = locales.filter((locale) => locale !== sourceLanguage)
const states = ['current', 'outdated', 'missing'] as const
type TranslationState = (typeof states)[number]

interface NewsCase {
  active: boolean
  state: Readonly<Record<string, TranslationState>>
}

/** All 27 combinations of three languages and three states, published and as drafts, and six drafts more. */
const cases: NewsCase[] = [true, false].flatMap((isActive) =>
  states.flatMap((firstState) =>
    states.flatMap((secondState) =>
      states.map((thirdState) => ({
        active: isActive,
        state: Object.fromEntries(
          targetLanguages.map((locale, localeIndex) => [
            locale,
            [firstState, secondState, thirdState][localeIndex] ?? firstState,
          ]),
        ),
      })),
    ),
  ),
)
cases.push(...cases.slice(0, 6).map(({ state }) => ({ active: false, state })))

const resourceApp = startResourceApp(async ({ database }) => {
  await buildRecord(database, 'statistics', { key: 'content', title: { en: 'Content' } })
})

async function buildCase({ active, state }: NewsCase, number: number): Promise<void> {
  const { body } = await resourceApp.ask('POST', `/news?locale=${sourceLanguage}`, {
    data: { title: `Вода ${number}`, active },
  })
  const source = (body as { data: { id: number } }).data.id
  const entries = new Map<string, number>()
  for (const [locale, value] of Object.entries(state)) {
    if (value === 'missing') continue
    const translation = await resourceApp.ask('POST', `/news/${source}/localizations`, {
      locale,
      title: `Suw ${number}`,
    })
    entries.set(locale, (translation.body as { id: number }).id)
  }
  if (!Object.values(state).includes('outdated')) return
  await resourceApp.ask('PUT', `/news/${source}`, { data: { title: `Вода и соль ${number}` } })
  for (const [locale, entry] of entries)
    if (state[locale] === 'current')
      await resourceApp.ask('PUT', `/news/${entry}`, { data: { title: `Suw hám duz ${number}` } })
}

beforeAll(async () => {
  for (const [number, newsCase] of cases.entries()) await buildCase(newsCase, number)
})

it('counts the current, outdated and missing translations of sixty news, of published ones alone', async () => {
  expect(cases).toHaveLength(60)
  const { data } = await resourceApp.read<ReportAnswer>('/statistics/content')
  const publishedCases = cases.filter(({ active }) => active)
  const countOf = (wantedState: TranslationState, locale?: string) =>
    publishedCases
      .flatMap(({ state }) => Object.entries(state))
      .filter(([language, value]) => value === wantedState && (locale === undefined || language === locale)).length
  const valueOf = (key: string) => data.metrics.find((metric) => metric.key === key)?.value
  for (const state of states) {
    expect([state, valueOf(`translations_${state}`)]).toEqual([state, countOf(state)])
    const rows = data.breakdowns.find(({ dim, metric }) => dim === 'locale' && metric === `translations_${state}`)?.rows
    for (const locale of targetLanguages)
      expect([state, locale, rows?.find(({ id }) => id === locale)?.value]).toEqual([
        state,
        locale,
        countOf(state, locale),
      ])
  }
  expect(valueOf('translated')).toBeCloseTo(
    (countOf('current') / (publishedCases.length * targetLanguages.length)) * 100,
    1,
  )
  expect([valueOf('published'), valueOf('drafts')]).toEqual([27, 33])
})
