import { resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { draftsOf, conditionTreeOf } from './builder-tree.ts'
import { queryOfSearch } from './conditions.ts'
import { droppedFromSearch } from '../dropped.ts'
import { readListSearch, writeListSearch } from '../search.ts'
import { addressOf, savedViewOf } from '../../views/view.ts'
import { readWhere, type ConditionTree, whereQuery, writeWhere } from './where.ts'

const { news, tradinposts } = resources
const keepText = (_name: string, text: string) => text

/** Repeatable source of pseudo-random numbers. */
function makeDrawer(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state >> 8) % limit
  }
}

/** Random conditions of a list of trading posts, in two levels. */
function drawConditions(draw: (limit: number) => number): ConditionTree {
  const letters = ['a', 'ǵ', 'Ж', ' ', '(', ')', ',', '~', ':', '~(', '\\', '*', '🌾', '&', 'and(', '\n']
  const drawText = () => `x${Array.from({ length: draw(6) }, () => letters[draw(letters.length)]).join('')}`
  const drawLeaves = [
    () => ({ name: 'title', text: `*${drawText().replace(/[\\*]/g, String.raw`\$&`)}*` }),
    () => ({ name: 'price', text: `${draw(50)}..${50 + draw(50)}` }),
    () => ({ name: 'status', text: 'processed' }),
    () => ({ name: 'region', text: `${1 + draw(9)}.${10 + draw(9)}` }),
    () => ({ name: 'createdAt', text: '2026-01-01..' }),
  ]
  const drawLeaf = () => drawLeaves[draw(drawLeaves.length)]?.() ?? { name: 'price', text: '5' }
  const makeItems = <T>(make: () => T) => Array.from({ length: 1 + draw(4) }, make)
  const drawOperator = () => (draw(2) === 0 ? 'and' : 'or')
  return {
    joinOperator: drawOperator(),
    items: makeItems(() => (draw(3) === 0 ? { joinOperator: drawOperator(), items: makeItems(drawLeaf) } : drawLeaf())),
  }
}

describe('joined conditions in the address', () => {
  it('reads joined conditions back as they were written, through the builder and through the list too', () => {
    const drawNumber = makeDrawer(11)
    for (let round = 0; round < 500; round += 1) {
      const conditionTree = drawConditions(drawNumber)
      expect(readWhere(writeWhere(conditionTree), keepText)).toEqual(conditionTree)
      expect(conditionTreeOf(tradinposts, draftsOf(tradinposts, conditionTree))).toEqual(conditionTree)
      const search = { where: writeWhere(conditionTree) }
      expect(readListSearch(tradinposts, writeListSearch(search))).toEqual(search)
    }
  })

  it('drops meaningless parts of joined conditions, and returns undefined when no part is left', () => {
    const normalizeWhere = (whereText: string) => readListSearch(tradinposts, { where: whereText }).where
    expect(normalizeWhere('or(price:5,gone:1,status:nonsense)')).toBe('or(price:5)')
    expect(normalizeWhere('and(or(gone:1),price:5)')).toBe('and(price:5)')
    expect(normalizeWhere('and(gone:1)')).toBeUndefined()
    for (const brokenText of [
      '',
      '-',
      'and(',
      'and()',
      'and(price:5',
      'price:5',
      'and(price:5))',
      'not(price:5)',
      'and(or(and(price:5)))',
    ])
      expect(normalizeWhere(brokenText)).toBeUndefined()
  })

  it('queries joined conditions with $and and $or, together with conditions of the screen', () => {
    const whereText = 'and(price:5..10,or(status:processed,region:-))'
    const joinedWhere = {
      $and: [
        { price: { $gte: '5', $lte: '10' } },
        { $or: [{ status: { $eq: 'processed' } }, { region: { $null: true } }] },
      ],
    }
    const tree = readWhere(whereText, keepText)
    expect(tree && whereQuery(tradinposts, tree)).toEqual(joinedWhere)
    expect(
      queryOfSearch(tradinposts, { where: whereText, filter: { price: '7' } }, { $and: [{ id: 1 }] }).filters,
    ).toEqual({
      price: { $eq: '7' },
      $and: [{ id: 1 }, joinedWhere],
    })
  })
})

describe('a saved view', () => {
  const state = { search: { 'f.region': '5', 'f.gone': '1', sort: 'gone:desc' }, columns: ['region', 'gone'] }
  const view = savedViewOf({ id: 5, name: 'Mine', screen: 'news', state, owner: { id: 1 } })

  it('reports fields of a saved view that no longer exist, and opens the view with the others', () => {
    const search = readListSearch(news, view.search)
    expect(search).toEqual({ filter: { region: '5' } })
    const validParameters = { 'f.region': '5' }
    expect(droppedFromSearch(view.search, validParameters, view.layout.columns, ['region'])).toEqual(['gone'])
    expect(droppedFromSearch({ where: 'or(region:5,old:1)', group: 'state' }, { where: 'or(region:5)' })).toEqual([
      'state',
      'old',
    ])
    expect(droppedFromSearch({ where: 'or(((' }, {})).toEqual([''])
    expect(droppedFromSearch({ where: '-' }, {})).toEqual([])
  })

  it('keeps only the id of a saved view in the address until the list differs from the view', () => {
    expect(addressOf(view.search, view, undefined)).toEqual({ view: '5' })
    expect(addressOf({ q: 'a' }, view, undefined)).toEqual({ q: 'a', view: '5' })
    expect(addressOf({}, view, undefined)).toEqual({ view: '5', where: '-' })
    expect(addressOf({}, undefined, view)).toEqual({ view: 'none' })
    expect(addressOf({ q: 'a' }, undefined, view)).toEqual({ q: 'a' })
    expect(addressOf({}, undefined, undefined)).toEqual({})
  })

  it('reads a saved view from any stored value', () => {
    for (const storedState of [null, undefined, 'x', 5, [], { search: 'x', columns: 'y', widths: [], density: 'huge' }])
      expect(savedViewOf({ id: 1, name: 'x', screen: 'news', state: storedState }).search).toEqual({})
  })
})
