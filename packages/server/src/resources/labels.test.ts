import { describe, expect, it } from 'vitest'
import { labelsOf } from './labels.ts'

describe('labelsOf', () => {
  it.each(['uz', 'kaa'] as const)('has the same keys in both scripts of %s, and another text', (locale) => {
    const [latinLabels, cyrillicLabels] = [labelsOf(locale), labelsOf(`${locale}-Cyrl`)]
    expect(Object.keys(cyrillicLabels)).toEqual(Object.keys(latinLabels))
    expect(Object.hasOwn(cyrillicLabels, 'action.yes')).toBe(true)
    expect(Object.hasOwn(cyrillicLabels, 'action.missing')).toBe(false)
    expect(latinLabels['action.yes']).toMatch(/^\p{Script=Latin}+$/u)
    expect(cyrillicLabels['action.yes']).toMatch(/^\p{Script=Cyrillic}+$/u)
    expect({ ...cyrillicLabels }['action.yes']).toBe(cyrillicLabels['action.yes'])
  })
})
