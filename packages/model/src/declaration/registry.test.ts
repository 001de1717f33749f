import { describe, expect, it } from 'vitest'
import { defineResource, type Resource } from './define-resource.ts'
import type { Fields } from '../fields/field.ts'
import { localized, readOnly } from '../fields/field.ts'
import { countOf, relation, relations } from '../fields/link-kinds.ts'
import { slug, text } from '../fields/text-kinds.ts'
import { choiceOf, decimalNumber, integer } from '../fields/value-kinds.ts'
import { buildRegistry, DeclarationFault } from './registry.ts'
import { resources } from '../resources/index.ts'

const access = { read: 'authenticated' } as const
const makeResource = (name: string, fields: Fields, extraProperties: Partial<Resource> = {}): Resource => ({
  ...defineResource({ name, wire: name, title: 'name', fields: { name: text(), ...fields }, access }),
  ...extraProperties,
})

/** The faults that a set of declarations is rejected with. */
function faultsOf(...declaredResources: Resource[]): readonly string[] {
  try {
    buildRegistry(Object.fromEntries(declaredResources.map((resource) => [resource.name, resource])))
    return []
  } catch (error) {
    if (error instanceof DeclarationFault) return error.faults
    throw error
  }
}

it('accepts the declared resources of the product', () => {
  expect(buildRegistry(resources)).toBe(resources)
})

describe('buildRegistry', () => {
  const plainResource = makeResource('b', {})
  it.each<[what: string, path: string, declared: Resource[]]>([
    ['an unknown target', 'a.fields.x.target', [makeResource('a', { x: relation('nowhere') })]],
    ['an unknown target of a count', 'a.fields.x.target', [makeResource('a', { x: countOf('nowhere', 'a') })]],
    [
      'a count by a field that points elsewhere',
      'a.fields.x.by',
      [makeResource('a', { x: countOf('b', 'name') }), plainResource],
    ],
    [
      'an inverse that is not there',
      'a.fields.x.inverse',
      [makeResource('a', { x: relations('b', { inverse: 'y' }) }), plainResource],
    ],
    [
      'an inverse that points at another field',
      'a.fields.x.inverse',
      [
        makeResource('a', { x: relations('b', { inverse: 'y' }) }),
        makeResource('b', { y: relations('b', { inverse: 'y' }) }),
      ],
    ],
    [
      'two to-one sides of one link',
      'a.fields.x.inverse',
      [
        makeResource('a', { x: relation('b', { inverse: 'y' }) }),
        makeResource('b', { y: relation('a', { inverse: 'x' }) }),
      ],
    ],
    [
      'a mirror that can be written',
      'b.fields.y',
      [
        makeResource('a', { x: relation('b', { inverse: 'y' }) }),
        makeResource('b', { y: relations('a', { inverse: 'x' }) }),
      ],
    ],
    [
      'a part that is deleted with a record that can be restored',
      'a.fields.x.onDelete',
      [makeResource('a', { x: relation('b', { onDelete: 'cascade' }) }, { noTrash: true }), plainResource],
    ],
    [
      'a part that is restored with another record than it is deleted with',
      'a.fields.y.onDelete',
      [
        makeResource(
          'a',
          { x: relation('b', { onDelete: 'cascade' }), y: relation('b', { onDelete: 'cascade' }) },
          { noTrash: true, restoredWith: 'x' },
        ),
        plainResource,
      ],
    ],
    [
      'a restore link that does not cascade on delete',
      'a.restoredWith',
      [makeResource('a', { x: relation('b') }, { noTrash: true, restoredWith: 'x' }), plainResource],
    ],
    [
      'a restore link and a trash of its own',
      'a.restoredWith',
      [makeResource('a', { x: relation('b', { onDelete: 'cascade' }) }, { restoredWith: 'x' }), plainResource],
    ],
    ['a link per language', 'a.fields.x', [makeResource('a', { x: localized(relation('b')) }), plainResource]],
    ['a default outside its limits', 'a.fields.x.default', [makeResource('a', { x: integer({ default: 0, min: 1 }) })]],
    ['a default that is no choice', 'a.fields.x', [makeResource('a', { x: { ...choiceOf(['p']), default: 'q' } })]],
    ['repeated choices', 'a.fields.x', [makeResource('a', { x: choiceOf(['p', 'p']) })]],
    ['no choices', 'a.fields.x', [makeResource('a', { x: choiceOf([]) })]],
    ['impossible lengths', 'a.fields.x', [makeResource('a', { x: text({ minLength: 9, maxLength: 3 }) })]],
    ['impossible digits', 'a.fields.x', [makeResource('a', { x: decimalNumber({ digits: [2, 4] }) })]],
    ['a name every record has', 'a.fields.version', [makeResource('a', { version: integer() })]],
    ['a name with a dot', 'a.fields.x.y', [makeResource('a', { 'x.y': integer() })]],
    ['a text from nowhere', 'a.fields.x.from', [makeResource('a', { x: text({ from: 'nowhere' }) })]],
    ['a title that is a link', 'a.title', [makeResource('a', { x: relation('b') }, { title: 'x' }), plainResource]],
    ['a title that is not there', 'a.title', [makeResource('a', {}, { title: 'x' })]],
    ['a column that is not there', 'a.list.columns', [makeResource('a', {}, { list: { columns: ['x'], search: [] } })]],
    ['a search that is not there', 'a.list.search', [makeResource('a', {}, { list: { columns: [], search: ['x'] } })]],
    [
      'a search in numbers',
      'a.list.search',
      [makeResource('a', { x: integer() }, { list: { columns: [], search: ['x'] } })],
    ],
    [
      'an unknown filter',
      'a.list.filters',
      [makeResource('a', {}, { list: { columns: [], search: [], filters: ['x'] } })],
    ],
    [
      'a sort that is not there',
      'a.list.sort',
      [makeResource('a', {}, { list: { columns: [], search: [], sort: 'x:desc' } })],
    ],
    ['a card field that is not there', 'a.card', [makeResource('a', {}, { card: ['x'] })]],
    [
      'an unknown form field',
      'a.form.sections',
      [makeResource('a', {}, { form: { sections: [{ name: 's', fields: ['x'] }] } })],
    ],
    [
      'an unknown field beside the form',
      'a.form.aside',
      [makeResource('a', {}, { form: { sections: [], aside: ['x'] } })],
    ],
    ['a slug from nowhere', 'a.fields.x.slugFrom', [makeResource('a', { x: slug({ slugFrom: 'nowhere' }) })]],
    [
      'one API name for two',
      'b.wire',
      [makeResource('a', {}, { wire: 'same' }), makeResource('b', {}, { wire: 'same' })],
    ],
    [
      'two screens with one address',
      'b.screens',
      ['a', 'b'].map((name) => makeResource(name, {}, { screens: [{ path: 'p', section: 'content' }] })),
    ],
    [
      'an unknown field in a screen',
      'a.screens',
      [makeResource('a', {}, { screens: [{ path: 'p', section: 'content', fixedValues: { x: true } }] })],
    ],
    [
      'an unknown field for custom columns',
      'a.list.extraFields',
      [makeResource('a', {}, { list: { columns: [], extraFields: ['x'], search: [] } })],
    ],
    [
      'segments of an unknown field',
      'a.list.segments',
      [makeResource('a', {}, { list: { columns: [], search: [], segments: 'x' } })],
    ],
    [
      'an unknown picture of a list',
      'a.list.leadPicture',
      [makeResource('a', {}, { list: { columns: [], search: [], leadPicture: 'x' } })],
    ],
    [
      'an unknown second line',
      'a.list.subtitle',
      [makeResource('a', {}, { list: { columns: [], search: [], subtitle: 'x' } })],
    ],
    ['a shared key of nothing', 'a.uniqueTogether', [makeResource('a', {}, { uniqueTogether: [['name', 'x']] })]],
    [
      'a field for drawings that is no choice',
      'a.drawingField',
      [makeResource('a', { x: integer() }, { drawingField: 'x' })],
    ],
    ['an order of nothing', 'a.orderedPairs', [makeResource('a', { x: integer() }, { orderedPairs: [['x', 'y']] })]],
    [
      'a state step that nobody may take',
      'a.fields.x.transitions',
      [
        makeResource('a', {
          x: choiceOf(['p', 'q'], { default: 'p', transitions: [{ from: 'p', to: 'q', by: [{ ownerField: 'y' }] }] }),
        }),
      ],
    ],
    [
      'a state step to an unknown state',
      'a.fields.x',
      [
        makeResource('a', {
          x: { ...choiceOf(['p']), default: 'p', transitions: [{ from: 'p', to: 'q', by: ['admin'] }] },
        }),
      ],
    ],
    [
      'a state without a default',
      'a.fields.x',
      [makeResource('a', { x: choiceOf(['p', 'q'], { transitions: [{ from: 'p', to: 'q', by: ['server'] }] }) })],
    ],
    [
      'an unknown writable field',
      'a.access.update',
      [makeResource('a', {}, { access: { read: 'admin', update: { authenticated: { fields: ['x'] } } } })],
    ],
    [
      'an unknown field in a grant of consultants',
      'a.access.create',
      [makeResource('a', {}, { access: { read: 'admin', create: { consultant: { fields: ['x'] } } } })],
    ],
    ['a store that is not there', 'a.storedAs', [makeResource('a', {}, { storedAs: 'b' })]],
    ['a list of nothing', 'a.listedBy', [makeResource('a', {}, { listedBy: 'x' })]],
    [
      'a list of many records',
      'a.listedBy',
      [makeResource('a', { x: relations('b') }, { listedBy: 'x' }), plainResource],
    ],
    ['a computed field that can be written', 'a.fields.x', [makeResource('a', { x: integer({ computed: true }) })]],
    [
      'a caller that is no user',
      'a.fields.x.setToCaller',
      [makeResource('a', { x: relation('b', { setToCaller: 'always' }) }), plainResource],
    ],
  ])('reports a declaration with %s at the path %s', (_what, path, declaredResources) => {
    expect(faultsOf(...declaredResources).map((fault) => fault.slice(0, fault.indexOf(': ')))).toContain(path)
  })

  it('accepts links of a resource that is restored with another resource', () => {
    const fields = { name: text(), x: relations('b', { inverse: 'y' }) }
    const linkedResource = makeResource('b', { y: readOnly(relations('a', { inverse: 'x' })) })
    expect(
      faultsOf(makeResource('a', fields), linkedResource, makeResource('some', fields, { storedAs: 'a' })),
    ).toEqual([])
    expect(faultsOf(makeResource('a', fields), linkedResource, makeResource('some', fields))).toHaveLength(1)
  })
  it('reports every fault of the declarations in one error', () => {
    expect(faultsOf(makeResource('a', { x: relation('nowhere'), y: choiceOf([]) }, { title: 'z' }))).toHaveLength(3)
  })
  it("reports a registry key that differs from the resource's name", () => {
    expect(() => buildRegistry({ a: makeResource('b', {}) })).toThrow('a: is registered as a but named b')
  })
})

describe('the registry', () => {
  it('has no faulty declaration, and knows which resources are localized', () => {
    expect(faultsOf(...Object.values(resources))).toEqual([])
    const { news, tags, units, users } = resources
    expect([news, tags, units, users].map((resource) => resource.localized)).toEqual([true, true, false, false])
  })
})
