import { describe, expect, it } from 'vitest'
import type { Resource } from '../declaration/define-resource.ts'
import { resources } from './index.ts'

/** Resources with a list screen, and a picture beside their form. */
const picturedResources = Object.values<Resource>(resources).filter(
  ({ fields, list, form }) => list && (form?.aside ?? []).some((name) => fields[name]?.kind === 'picture'),
)

describe('lists of records with pictures (requirements §2)', () => {
  it.each(picturedResources.map((resource) => [resource.name, resource] as const))(
    'shows the list of %s in the modes list, thumb and image',
    (_name, { list, fields }) => {
      expect(list?.modes).toEqual(['list', 'thumb', 'image'])
      expect(fields[list?.leadPicture ?? '']?.kind).toBe('picture')
    },
  )
})
