import { type Entry, resources } from '@dala/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FormValues } from '../values.ts'
import { decideConflicts, isSame, keyOfPlace, mergeValues } from './merge.ts'

const { news, districts, companies } = resources

const form = (sharedValues: Record<string, unknown>, texts: FormValues['texts'] = {}): FormValues => ({
  shared: sharedValues,
  texts,
})
const tag = (id: number, ...otherIds: number[]) => ({ id, localizations: otherIds.map((otherId) => ({ id: otherId })) })
const mergeField = (field: string, base: unknown, ownValue: unknown, theirValue: unknown, resource = news) =>
  mergeValues(resource, form({ [field]: base }), form({ [field]: ownValue }), form({ [field]: theirValue }))

describe('merge', () => {
  it('takes from each side of a merge what only that side changed', () => {
    const { values, conflicts, mergedFields } = mergeValues(
      news,
      form({ views: 1, link: 'a' }),
      form({ views: 2, link: 'a' }),
      form({ views: 1, link: 'b' }),
    )
    expect([values.shared, conflicts, mergedFields]).toEqual([{ views: 2, link: 'b' }, [], [{ field: 'link' }]])
  })

  it('finds no conflict where both sides typed the same, or emptied a value in different ways', () => {
    expect(mergeField('link', 'a', 'b', 'b').conflicts).toEqual([])
    expect(mergeField('link', 'a', '', null).conflicts).toEqual([])
    expect(mergeField('region', { id: 1 }, { id: 2, localizations: [{ id: 3 }] }, { id: 3 }).conflicts).toEqual([])
  })

  it('reports different changes of both sides as a conflict, and keeps the typed value', () => {
    const { values, conflicts, mergedFields } = mergeField('link', 'a', 'b', 'c')
    expect(conflicts).toEqual([{ field: 'link', base: 'a', mine: 'b', theirs: 'c' }])
    expect([values.shared, mergedFields]).toEqual([{ link: 'b' }, []])
    expect(decideConflicts(values, conflicts, { link: 'theirs' }).shared).toEqual({ link: 'c' })
    expect(decideConflicts(values, conflicts, {}).shared).toEqual({ link: 'b' })
  })

  it('never finds a conflict between two languages of a record', () => {
    const text = (title: string) => ({ title })
    const { values, conflicts } = mergeValues(
      news,
      form({}, { ru: text('а'), uz: text('a') }),
      form({}, { ru: text('б'), uz: text('a') }),
      form({}, { ru: text('а'), uz: text('b') }),
    )
    expect([values.texts, conflicts]).toEqual([{ ru: { title: 'б' }, uz: { title: 'b' } }, []])
  })

  it('combines lists of links by additions and removals', () => {
    const base = [tag(1), tag(2), tag(3)]
    const { values, conflicts } = mergeField('tags', base, [tag(1), tag(3), tag(4)], [tag(1), tag(2), tag(5)])
    expect(conflicts).toEqual([])
    expect((values.shared['tags'] as Entry[]).map(({ id }) => id)).toEqual([1, 5, 4])
    // A tag that both users add in different languages is one tag.
    expect(mergeField('tags', [], [tag(7, 8)], [tag(8, 7)]).values.shared['tags']).toHaveLength(1)
  })

  it('keeps the order of the side that changed a list, and reports a conflict when both sides did', () => {
    const base = [tag(1), tag(2), tag(3)]
    const ids = (value: unknown) => (value as Entry[]).map(({ id }) => id)
    const movedValues = mergeField('gallery', base, [tag(3), tag(1), tag(2)], [...base, tag(4)])
    expect([ids(movedValues.values.shared['gallery']), movedValues.conflicts]).toEqual([[3, 1, 2, 4], []])
    const galleryOfBoth = mergeField('gallery', base, [tag(3), tag(1), tag(2)], [tag(2), tag(1), tag(3)])
    expect(galleryOfBoth.conflicts).toHaveLength(1)
  })

  it('takes both coordinates of a point, and a district with its region, from one side only', () => {
    const makePoint = (lat: number, lng: number) => form({ lat, lng })
    const { conflicts } = mergeValues(districts, makePoint(1, 1), makePoint(2, 1), makePoint(1, 2))
    expect(conflicts.map(({ field }) => field)).toEqual(['lat', 'lng'])
    expect(mergeValues(districts, makePoint(1, 1), makePoint(1, 1), makePoint(2, 2)).conflicts).toEqual([])
    const makePlaceValues = (region: number, district: number) =>
      form({ region: { id: region }, district: { id: district } })
    const movedValues = mergeValues(companies, makePlaceValues(1, 1), makePlaceValues(2, 2), makePlaceValues(1, 3))
    expect(movedValues.conflicts.map(({ field }) => field)).toEqual(['region', 'district'])
  })

  it('reports no conflict for a field that the record no longer has', () => {
    const { values } = mergeValues(
      news,
      form({ link: 'a', gone: 1 }),
      form({ link: 'b', gone: 2 }),
      form({ link: 'a' }),
    )
    expect(values.shared).toEqual({ link: 'b' })
  })
})

const value = fc.constantFrom('', null, 'a', 'b', 'c')
const entries = fc.uniqueArray(fc.integer({ min: 1, max: 6 })).map((ids) => ids.map((id) => tag(id)))
const values = fc.record({ link: value, tags: entries }).map((sharedValues) => form(sharedValues))

describe('merge of random values', () => {
  it('gives the same conflicts and the same members in either order of a merge', () => {
    fc.assert(
      fc.property(values, values, values, (base, ownValues, theirValues) => {
        const [forwardMerge, reverseMerge] = [
          mergeValues(news, base, ownValues, theirValues),
          mergeValues(news, base, theirValues, ownValues),
        ]
        expect(forwardMerge.conflicts.map(keyOfPlace)).toEqual(reverseMerge.conflicts.map(keyOfPlace))
        const isOpen = (name: string) => forwardMerge.conflicts.some(({ field }) => field === name)
        const members = (mergeResult: typeof forwardMerge) =>
          new Set((mergeResult.values.shared['tags'] as Entry[]).map(({ id }) => id))
        expect(isOpen('tags') || members(forwardMerge)).toEqual(isOpen('tags') || members(reverseMerge))
        expect(isOpen('link') || isSame(forwardMerge.values.shared['link'], reverseMerge.values.shared['link'])).toBe(
          true,
        )
      }),
    )
  })

  it('keeps values that neither side changed, and takes every change of the only side that made any', () => {
    fc.assert(
      fc.property(values, values, (base, changedValues) => {
        expect(mergeValues(news, base, base, changedValues)).toMatchObject({ values: changedValues, conflicts: [] })
        expect(isSame(mergeValues(news, base, changedValues, base).values.shared, changedValues.shared)).toBe(true)
      }),
    )
  })
})
