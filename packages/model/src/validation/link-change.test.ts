import { describe, expect, it } from 'vitest'
import { defineResource } from '../declaration/define-resource.ts'
import { pictures, relation, relations } from '../fields/link-kinds.ts'
import { text } from '../fields/text-kinds.ts'
import { type LinkChange, toLinkChange, validateRecord } from './validate.ts'

describe('toLinkChange', () => {
  it.each<[given: unknown, change: LinkChange]>([
    [5, { set: [5] }],
    ['5', { set: [5] }],
    [{ id: 5 }, { set: [5] }],
    [{ id: '5' }, { set: [5] }],
    [[5], { set: [5] }],
    [null, { set: [] }],
    [[], { set: [] }],
    [[1, '2', { id: 3 }], { set: [1, 2, 3] }],
    [{ set: [5] }, { set: [5] }],
    [{ set: 5 }, { set: [5] }],
    [{ set: [] }, { set: [] }],
    [{ set: null }, { set: [] }],
    [{ connect: [5] }, { connect: [5], disconnect: [] }],
    [
      { connect: [{ id: 5 }], disconnect: [6] },
      { connect: [5], disconnect: [6] },
    ],
    [{ disconnect: 6 }, { connect: [], disconnect: [6] }],
    ['/uploads/a1.png', { set: [{ url: '/uploads/a1.png' }] }],
    ['/a1.png', { set: [{ url: '/a1.png' }] }],
    [2_147_483_647, { set: [2_147_483_647] }],
  ])('reads the link change %j', (input, change) => {
    expect(toLinkChange(input)).toEqual(change)
  })

  it.each<[given: unknown]>([
    [''],
    ['abc'],
    ['5a'],
    ['-5'],
    [0],
    [-1],
    [1.5],
    [2_147_483_648],
    ['99999999999'],
    [true],
    [{}],
    [{ id: null }],
    [{ name: 'x' }],
    [[1, 'abc']],
    [[[1]]],
    [[null]],
    [{ set: ['abc'] }],
    [{ connect: [1], disconnect: ['x'] }],
    ['/../secret'],
    ['/uploads/a/b.png'],
    ['https://example.org/a1.png'],
  ])('rejects the link change %j', (input) => {
    expect(toLinkChange(input)).toBeUndefined()
  })
})

const holder = defineResource({
  name: 'holders',
  wire: 'holders',
  title: 'name',
  fields: { name: text(), one: relation('tags'), many: relations('tags'), shots: pictures({ required: true }) },
  access: { read: 'public' },
})

describe('validate, links of a body', () => {
  it('uses the last of several targets of a to-one link', () => {
    expect(validateRecord(holder, { one: [1, 2], many: [1, 2] }, 'update').links).toEqual({
      one: { set: [2] },
      many: { set: [1, 2] },
    })
  })
  it('leaves links that a body does not name unchanged', () => {
    expect(validateRecord(holder, {}, 'update')).toEqual({ values: {}, links: {}, issues: [] })
  })
  it.each([
    ['create', {}, 'validation.required'],
    ['create', { shots: [] }, 'validation.required'],
    ['update', { shots: null }, 'validation.null'],
    ['update', { shots: 'abc' }, 'validation.relation'],
  ] as const)('rejects on %s the links %j with %s', (mode, draft, code) => {
    expect(validateRecord(holder, draft, mode).issues).toMatchObject([{ path: ['shots'], code }])
  })
})
