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
const make = (name: string, fields: Fields, more: Partial<Resource> = {}): Resource => ({
  ...defineResource({ name, wire: name, title: 'name', fields: { name: text(), ...fields }, access }),
  ...more,
})

/** The faults that a set of declarations is rejected with. */
function faultsOf(...declared: Resource[]): readonly string[] {
  try {
    buildRegistry(Object.fromEntries(declared.map((resource) => [resource.name, resource])))
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
  const plain = make('b', {})
  it.each<[what: string, path: string, declared: Resource[]]>([
    ['an unknown target', 'a.fields.x.target', [make('a', { x: relation('nowhere') })]],
    ['an unknown target of a count', 'a.fields.x.target', [make('a', { x: countOf('nowhere', 'a') })]],
    ['a count by a field that points elsewhere', 'a.fields.x.by', [make('a', { x: countOf('b', 'name') }), plain]],
    ['an inverse that is not there', 'a.fields.x.inverse', [make('a', { x: relations('b', { inverse: 'y' }) }), plain]],
    [
      'an inverse that points at another field',
      'a.fields.x.inverse',
      [make('a', { x: relations('b', { inverse: 'y' }) }), make('b', { y: relations('b', { inverse: 'y' }) })],
    ],
    [
      'two to-one sides of one link',
      'a.fields.x.inverse',
      [make('a', { x: relation('b', { inverse: 'y' }) }), make('b', { y: relation('a', { inverse: 'x' }) })],
    ],
    [
      'a mirror that can be written',
      'b.fields.y',
      [make('a', { x: relation('b', { inverse: 'y' }) }), make('b', { y: relations('a', { inverse: 'x' }) })],
    ],
    [
      'a part that is deleted with a record that can be restored',
      'a.fields.x.onDelete',
      [make('a', { x: relation('b', { onDelete: 'cascade' }) }, { noTrash: true }), plain],
    ],
    [
      'a part that is restored with another record than it is deleted with',
      'a.fields.y.onDelete',
      [
        make(
          'a',
          { x: relation('b', { onDelete: 'cascade' }), y: relation('b', { onDelete: 'cascade' }) },
          { noTrash: true, restoredWith: 'x' },
        ),
        plain,
      ],
    ],
    [
      'a restore link that does not cascade on delete',
      'a.restoredWith',
      [make('a', { x: relation('b') }, { noTrash: true, restoredWith: 'x' }), plain],
    ],
    [
      'a restore link and a trash of its own',
      'a.restoredWith',
      [make('a', { x: relation('b', { onDelete: 'cascade' }) }, { restoredWith: 'x' }), plain],
    ],
    ['a link per language', 'a.fields.x', [make('a', { x: localized(relation('b')) }), plain]],
    ['a default outside its limits', 'a.fields.x.default', [make('a', { x: integer({ default: 0, min: 1 }) })]],
    ['a default that is no choice', 'a.fields.x', [make('a', { x: { ...choiceOf(['p']), default: 'q' } })]],
    ['repeated choices', 'a.fields.x', [make('a', { x: choiceOf(['p', 'p']) })]],
    ['no choices', 'a.fields.x', [make('a', { x: choiceOf([]) })]],
    ['impossible lengths', 'a.fields.x', [make('a', { x: text({ minLength: 9, maxLength: 3 }) })]],
    ['impossible digits', 'a.fields.x', [make('a', { x: decimalNumber({ digits: [2, 4] }) })]],
    ['a name every record has', 'a.fields.version', [make('a', { version: integer() })]],
    ['a name with a dot', 'a.fields.x.y', [make('a', { 'x.y': integer() })]],
    ['a text from nowhere', 'a.fields.x.from', [make('a', { x: text({ from: 'nowhere' }) })]],
    ['a title that is a link', 'a.title', [make('a', { x: relation('b') }, { title: 'x' }), plain]],
    ['a title that is not there', 'a.title', [make('a', {}, { title: 'x' })]],
    ['a column that is not there', 'a.list.columns', [make('a', {}, { list: { columns: ['x'], search: [] } })]],
    ['a search that is not there', 'a.list.search', [make('a', {}, { list: { columns: [], search: ['x'] } })]],
    ['a search in numbers', 'a.list.search', [make('a', { x: integer() }, { list: { columns: [], search: ['x'] } })]],
    ['an unknown filter', 'a.list.filters', [make('a', {}, { list: { columns: [], search: [], filters: ['x'] } })]],
    ['a sort that is not there', 'a.list.sort', [make('a', {}, { list: { columns: [], search: [], sort: 'x:desc' } })]],
    ['a card field that is not there', 'a.card', [make('a', {}, { card: ['x'] })]],
    [
      'an unknown form field',
      'a.form.sections',
      [make('a', {}, { form: { sections: [{ name: 's', fields: ['x'] }] } })],
    ],
    ['an unknown field beside the form', 'a.form.aside', [make('a', {}, { form: { sections: [], aside: ['x'] } })]],
    ['a slug from nowhere', 'a.fields.x.slugFrom', [make('a', { x: slug({ slugFrom: 'nowhere' }) })]],
    ['one API name for two', 'b.wire', [make('a', {}, { wire: 'same' }), make('b', {}, { wire: 'same' })]],
    [
      'two screens with one address',
      'b.screens',
      ['a', 'b'].map((name) => make(name, {}, { screens: [{ path: 'p', section: 'content' }] })),
    ],
    [
      'an unknown field in a screen',
      'a.screens',
      [make('a', {}, { screens: [{ path: 'p', section: 'content', fixedValues: { x: true } }] })],
    ],
    [
      'an unknown field for custom columns',
      'a.list.extraFields',
      [make('a', {}, { list: { columns: [], extraFields: ['x'], search: [] } })],
    ],
    [
      'segments of an unknown field',
      'a.list.segments',
      [make('a', {}, { list: { columns: [], search: [], segments: 'x' } })],
    ],
    [
      'an unknown picture of a list',
      'a.list.leadPicture',
      [make('a', {}, { list: { columns: [], search: [], leadPicture: 'x' } })],
    ],
    [
      'an unknown second line',
      'a.list.subtitle',
      [make('a', {}, { list: { columns: [], search: [], subtitle: 'x' } })],
    ],
    ['a shared key of nothing', 'a.uniqueTogether', [make('a', {}, { uniqueTogether: [['name', 'x']] })]],
    ['a field for drawings that is no choice', 'a.drawingField', [make('a', { x: integer() }, { drawingField: 'x' })]],
    ['an order of nothing', 'a.orderedPairs', [make('a', { x: integer() }, { orderedPairs: [['x', 'y']] })]],
    [
      'a state step that nobody may take',
      'a.fields.x.transitions',
      [
        make('a', {
          x: choiceOf(['p', 'q'], { default: 'p', transitions: [{ from: 'p', to: 'q', by: [{ ownerField: 'y' }] }] }),
        }),
      ],
    ],
    [
      'a state step to an unknown state',
      'a.fields.x',
      [make('a', { x: { ...choiceOf(['p']), default: 'p', transitions: [{ from: 'p', to: 'q', by: ['admin'] }] } })],
    ],
    [
      'a state without a default',
      'a.fields.x',
      [make('a', { x: choiceOf(['p', 'q'], { transitions: [{ from: 'p', to: 'q', by: ['server'] }] }) })],
    ],
    [
      'an unknown writable field',
      'a.access.update',
      [make('a', {}, { access: { read: 'admin', update: { authenticated: { fields: ['x'] } } } })],
    ],
    [
      'an unknown field in a grant of consultants',
      'a.access.create',
      [make('a', {}, { access: { read: 'admin', create: { consultant: { fields: ['x'] } } } })],
    ],
    ['a store that is not there', 'a.storedAs', [make('a', {}, { storedAs: 'b' })]],
    ['a list of nothing', 'a.listedBy', [make('a', {}, { listedBy: 'x' })]],
    ['a list of many records', 'a.listedBy', [make('a', { x: relations('b') }, { listedBy: 'x' }), plain]],
    ['a computed field that can be written', 'a.fields.x', [make('a', { x: integer({ computed: true }) })]],
    [
      'a caller that is no user',
      'a.fields.x.setToCaller',
      [make('a', { x: relation('b', { setToCaller: 'always' }) }), plain],
    ],
  ])('reports a declaration with %s at the path %s', (_what, path, declared) => {
    expect(faultsOf(...declared).map((fault) => fault.slice(0, fault.indexOf(': ')))).toContain(path)
  })

  it('accepts links of a resource that is restored with another resource', () => {
    const fields = { name: text(), x: relations('b', { inverse: 'y' }) }
    const linked = make('b', { y: readOnly(relations('a', { inverse: 'x' })) })
    expect(faultsOf(make('a', fields), linked, make('some', fields, { storedAs: 'a' }))).toEqual([])
    expect(faultsOf(make('a', fields), linked, make('some', fields))).toHaveLength(1)
  })
  it('reports every fault of the declarations in one error', () => {
    expect(faultsOf(make('a', { x: relation('nowhere'), y: choiceOf([]) }, { title: 'z' }))).toHaveLength(3)
  })
  it("reports a registry key that differs from the resource's name", () => {
    expect(() => buildRegistry({ a: make('b', {}) })).toThrow('a: is registered as a but named b')
  })
})

describe('the registry', () => {
  it('has no faulty declaration, and knows which resources are localized', () => {
    expect(faultsOf(...Object.values(resources))).toEqual([])
    const { news, tags, units, users } = resources
    expect([news, tags, units, users].map((resource) => resource.localized)).toEqual([true, true, false, false])
  })
})
