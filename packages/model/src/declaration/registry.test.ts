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

/** The faults that a set of declarations is refused with. */
function faultsOf(...declared: Resource[]): readonly string[] {
  try {
    buildRegistry(Object.fromEntries(declared.map((resource) => [resource.name, resource])))
    return []
  } catch (error) {
    if (error instanceof DeclarationFault) return error.faults
    throw error
  }
}

it('accepts the declarations of the product', () => {
  expect(buildRegistry(resources)).toBe(resources)
})

describe('faults in declarations', () => {
  const plain = make('b', {})
  it.each<[what: string, path: string, declared: Resource[]]>([
    ['an unknown target', 'a.fields.x.target', [make('a', { x: relation('nowhere') })]],
    ['an unknown target of a count', 'a.fields.x.target', [make('a', { x: countOf('nowhere', 'a') })]],
    ['a count by a field that points elsewhere', 'a.fields.x.by', [make('a', { x: countOf('b', 'name') }), plain]],
    ['an inverse that is not there', 'a.fields.x.inverse', [make('a', { x: relations('b', { inverse: 'y' }) }), plain]],
    [
      'an inverse that answers somebody else',
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
      'a part that is lost with a record that comes back',
      'a.fields.x.onDelete',
      [make('a', { x: relation('b', { onDelete: 'cascade' }) }, { noTrash: true }), plain],
    ],
    [
      'a part that comes back with another record than it is lost with',
      'a.fields.y.onDelete',
      [
        make(
          'a',
          { x: relation('b', { onDelete: 'cascade' }), y: relation('b', { onDelete: 'cascade' }) },
          { noTrash: true, returnsWith: 'x' },
        ),
        plain,
      ],
    ],
    [
      'a way back by a link that does not delete',
      'a.returnsWith',
      [make('a', { x: relation('b') }, { noTrash: true, returnsWith: 'x' }), plain],
    ],
    [
      'a way back with a record and one of its own',
      'a.returnsWith',
      [make('a', { x: relation('b', { onDelete: 'cascade' }) }, { returnsWith: 'x' }), plain],
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
    [
      'a filter that is not there',
      'a.list.filters',
      [make('a', {}, { list: { columns: [], search: [], filters: ['x'] } })],
    ],
    ['a sort that is not there', 'a.list.sort', [make('a', {}, { list: { columns: [], search: [], sort: 'x:desc' } })]],
    ['a card field that is not there', 'a.card', [make('a', {}, { card: ['x'] })]],
    [
      'a form field that is not there',
      'a.form.sections',
      [make('a', {}, { form: { sections: [{ name: 's', fields: ['x'] }] } })],
    ],
    [
      'a field beside the form that is not there',
      'a.form.aside',
      [make('a', {}, { form: { sections: [], aside: ['x'] } })],
    ],
    ['a slug from nowhere', 'a.fields.x.slugFrom', [make('a', { x: slug({ slugFrom: 'nowhere' }) })]],
    ['one API name for two', 'b.wire', [make('a', {}, { wire: 'same' }), make('b', {}, { wire: 'same' })]],
    [
      'one address for two',
      'b.screens',
      ['a', 'b'].map((name) => make(name, {}, { screens: [{ path: 'p', section: 'content' }] })),
    ],
    [
      'a screen of a field that is not there',
      'a.screens',
      [make('a', {}, { screens: [{ path: 'p', section: 'content', only: { x: true } }] })],
    ],
    [
      'a field that is not there for cells',
      'a.list.also',
      [make('a', {}, { list: { columns: [], also: ['x'], search: [] } })],
    ],
    [
      'segments of a field that is not there',
      'a.list.segments',
      [make('a', {}, { list: { columns: [], search: [], segments: 'x' } })],
    ],
    ['a lead that is not there', 'a.list.lead', [make('a', {}, { list: { columns: [], search: [], lead: 'x' } })]],
    [
      'a second line that is not there',
      'a.list.under',
      [make('a', {}, { list: { columns: [], search: [], under: 'x' } })],
    ],
    ['a shared key of nothing', 'a.uniqueTogether', [make('a', {}, { uniqueTogether: [['name', 'x']] })]],
    ['a figure that is no choice', 'a.figure', [make('a', { x: integer() }, { figure: 'x' })]],
    ['an order of nothing', 'a.ascending', [make('a', { x: integer() }, { ascending: [['x', 'y']] })]],
    [
      'a step by nobody',
      'a.fields.x.steps',
      [make('a', { x: choiceOf(['p', 'q'], { default: 'p', steps: [{ from: 'p', to: 'q', by: [{ own: 'y' }] }] }) })],
    ],
    [
      'a step to nowhere',
      'a.fields.x',
      [make('a', { x: { ...choiceOf(['p']), default: 'p', steps: [{ from: 'p', to: 'q', by: ['admin'] }] } })],
    ],
    [
      'a state without a start',
      'a.fields.x',
      [make('a', { x: choiceOf(['p', 'q'], { steps: [{ from: 'p', to: 'q', by: ['server'] }] }) })],
    ],
    [
      'a writable field that is not there',
      'a.access.update',
      [make('a', {}, { access: { read: 'admin', update: { authenticated: { fields: ['x'] } } } })],
    ],
    [
      'a field of consultants that is not there',
      'a.access.create',
      [make('a', {}, { access: { read: 'admin', create: { consultant: { fields: ['x'] } } } })],
    ],
    ['a store that is not there', 'a.storedAs', [make('a', {}, { storedAs: 'b' })]],
    ['a list of nothing', 'a.listedBy', [make('a', {}, { listedBy: 'x' })]],
    ['a list of many records', 'a.listedBy', [make('a', { x: relations('b') }, { listedBy: 'x' }), plain]],
    ['a computed field that can be written', 'a.fields.x', [make('a', { x: integer({ computed: true }) })]],
    ['a caller that is no user', 'a.fields.x.caller', [make('a', { x: relation('b', { caller: 'always' }) }), plain]],
  ])('%s is named by %s', (_what, path, declared) => {
    expect(faultsOf(...declared).map((fault) => fault.slice(0, fault.indexOf(': ')))).toContain(path)
  })

  it('are none where records of another resource have its links', () => {
    const fields = { name: text(), x: relations('b', { inverse: 'y' }) }
    const linked = make('b', { y: readOnly(relations('a', { inverse: 'x' })) })
    expect(faultsOf(make('a', fields), linked, make('some', fields, { storedAs: 'a' }))).toEqual([])
    expect(faultsOf(make('a', fields), linked, make('some', fields))).toHaveLength(1)
  })
  it('are all reported together', () => {
    expect(faultsOf(make('a', { x: relation('nowhere'), y: choiceOf([]) }, { title: 'z' }))).toHaveLength(3)
  })
  it('tell a key from the name behind it', () => {
    expect(() => buildRegistry({ a: make('b', {}) })).toThrow('a: is registered as a but named b')
  })
})

describe('the registry', () => {
  it('is without fault and knows what is localized', () => {
    expect(faultsOf(...Object.values(resources))).toEqual([])
    const { news, tags, units, users } = resources
    expect([news, tags, units, users].map((resource) => resource.localized)).toEqual([true, true, false, false])
  })
})
