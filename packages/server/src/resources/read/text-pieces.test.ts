/**
 * Contract §6: parts of texts are found whatever their
 * letters, through an index of keys and by walking the list.
 */
import { foldCase, searchKey } from '@dala/model'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildNews } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

// Letters with search keys of two letters, none or a shared one, and special characters of patterns.
const alphabet = Array.from("aAqQkKwWxszycñńŃngİIiıÍíшШщЩчЧюЮяЯёЁеЕцЦўЎқҚкәӘъЪьЬʻ’`'%_\\.*+?()[]{}^$|- 0123")
const arbitraryText = (maxLength: number) => fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength })
const isStored = (text: string) => text.trim() === text && text !== ''

const titles = fc
  .sample(arbitraryText(24), { numRuns: 140, seed: 17 })
  .filter(isStored)
  .concat(['Wheat and пшеница', 'WHEAT AND ПШЕНИЦА', 'Qońırat', 'QOŃÍRAT'])

const resourceApp = startResourceApp(async ({ database }) => {
  for (const title of titles) await buildNews(database, { title })
})

const matches: Readonly<Record<string, (title: string, soughtPiece: string) => boolean>> = {
  $eq: (title, textPiece) => title === textPiece,
  $contains: (title, textPiece) => title.includes(textPiece),
  $notContains: (title, textPiece) => !title.includes(textPiece),
  $startsWith: (title, textPiece) => title.startsWith(textPiece),
  $endsWith: (title, textPiece) => title.endsWith(textPiece),
  $eqi: (title, textPiece) => foldCase(title) === foldCase(textPiece),
  $nei: (title, textPiece) => foldCase(title) !== foldCase(textPiece),
  $containsi: (title, textPiece) => foldCase(title).includes(foldCase(textPiece)),
  $notContainsi: (title, textPiece) => !foldCase(title).includes(foldCase(textPiece)),
  $startsWithi: (title, textPiece) => foldCase(title).startsWith(foldCase(textPiece)),
  $endsWithi: (title, textPiece) => foldCase(title).endsWith(foldCase(textPiece)),
}

interface List {
  data: { attributes: { title: string } }[]
  meta: { pagination: { total: number } }
}

/** Parts of stored texts, in their own and in the opposite case, and other texts. */
const textPieces = fc.oneof(
  fc
    .tuple(fc.constantFrom(...titles), fc.nat(20), fc.integer({ min: 1, max: 12 }), fc.constantFrom(0, 1, 2))
    .map(([title, startIndex, length, turn]) => {
      const titlePiece = [...title].slice(startIndex % title.length, (startIndex % title.length) + length).join('')
      return turn === 0 ? titlePiece : turn === 1 ? titlePiece.toUpperCase() : titlePiece.toLowerCase()
    }),
  arbitraryText(4),
)

it('finds by every text operator what a plain comparison finds, at the first and the second request', async () => {
  await fc.assert(
    fc.asyncProperty(textPieces, fc.constantFrom(...Object.keys(matches)), async (textPiece, operator) => {
      const expectedTitles = titles.filter((title) => matches[operator]?.(title, textPiece))
      const query = `filters[title][${operator}]=${encodeURIComponent(textPiece)}&sort=title&fields=title&pagination[limit]=100`
      // The second request of the search has a cached total: it finds a common text by walking in list order.
      for (const answer of [
        await resourceApp.read<List>(`/news?${query}`),
        await resourceApp.read<List>(`/news?${query}`),
      ]) {
        expect(answer.meta.pagination.total, `${operator} ${textPiece}`).toBe(expectedTitles.length)
        const foundTitles = answer.data.map(({ attributes }) => attributes.title)
        expect(foundTitles.length).toBe(Math.min(expectedTitles.length, 100))
        expect(foundTitles.every((title) => expectedTitles.includes(title))).toBe(true)
      }
    }),
    { numRuns: 250 },
  )
}, 120_000)

it('finds by every text operator within "not" and other conditions what a plain comparison finds', async () => {
  await fc.assert(
    fc.asyncProperty(textPieces, textPieces, async (excludedPiece, openingPiece) => {
      const expectedTitles = titles.filter(
        (title) =>
          !foldCase(title).includes(foldCase(excludedPiece)) || foldCase(title).startsWith(foldCase(openingPiece)),
      )
      const query = `filters[$or][0][title][$not][$containsi]=${encodeURIComponent(excludedPiece)}&filters[$or][1][title][$startsWithi]=${encodeURIComponent(openingPiece)}`
      for (let count = 0; count < 2; count += 1)
        expect((await resourceApp.read<List>(`/news?${query}`)).meta.pagination.total).toBe(expectedTitles.length)
    }),
    { numRuns: 60 },
  )
}, 60_000)

it('finds by a search the texts whose search keys contain the key of the searched part', async () => {
  const foundNews = await resourceApp.read<List>(`/news?_q=${encodeURIComponent('QOŃÍRAT')}&pagination[limit]=100`)
  const key = searchKey('QOŃÍRAT')
  expect(foundNews.meta.pagination.total).toBe(titles.filter((title) => searchKey(title).includes(key)).length)
})
