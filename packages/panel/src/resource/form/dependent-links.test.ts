import { resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { dependentChanges, pickerFilter } from './dependent-links.ts'

const { branches, lessons } = resources
const nukusRegion = { id: 1, localizations: [{ id: 2 }, { id: 3 }] }
const otherRegion = { id: 9 }
const shimbay = { id: 50, region: nukusRegion }

describe('a child and its parent', () => {
  it('sets an empty or different parent link from its child', () => {
    expect(dependentChanges(branches, 'district', shimbay, { district: null, region: null })).toEqual({
      region: nukusRegion,
    })
    expect(dependentChanges(branches, 'district', shimbay, { district: null, region: otherRegion })).toEqual({
      region: nukusRegion,
    })
  })
  it('leaves the parent of a child unchanged, in whichever language the parent is', () => {
    expect(dependentChanges(branches, 'district', shimbay, { district: null, region: { id: 3 } })).toEqual({})
  })
  it('empties the child link when another parent, or none, is chosen', () => {
    const values = { district: shimbay, region: nukusRegion }
    expect(dependentChanges(branches, 'region', otherRegion, values)).toEqual({ district: null })
    expect(dependentChanges(branches, 'region', null, values)).toEqual({ district: null })
    expect(dependentChanges(branches, 'region', { id: 2 }, values)).toEqual({})
  })
  it('treats a stored child as belonging to the stored parent', () => {
    const values = { district: { id: 50 }, region: { id: 1 } }
    expect(dependentChanges(branches, 'region', { id: 2, localizations: [{ id: 1 }] }, values)).toEqual({})
    expect(dependentChanges(branches, 'region', otherRegion, values)).toEqual({ district: null })
  })
  it('offers only the children of the chosen parent in the picker', () => {
    expect(pickerFilter(branches, 'district', { region: otherRegion })).toEqual({
      linkPath: ['region'],
      filters: { region: 9 },
    })
    expect(pickerFilter(branches, 'district', { region: null })).toEqual({ linkPath: ['region'], filters: {} })
    expect(pickerFilter(lessons, 'lessongroup', { course: { id: 4 } })).toEqual({
      linkPath: ['course'],
      filters: { course: 4 },
    })
    expect(pickerFilter(branches, 'region', { region: otherRegion })).toEqual({ linkPath: [], filters: {} })
  })
})
