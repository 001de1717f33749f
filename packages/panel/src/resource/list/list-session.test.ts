import { pageSizes, resources, type RoleType, type Screen } from '@dala/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CurrentUser } from '../../api/session.ts'
import { findScreen } from '../screen-address.ts'
import type { ListLayout, StoredLayouts } from '../views/layout.ts'
import { type Address, openViewIn } from '../views/open-view.ts'
import type { SavedView } from '../views/view.ts'
import { searchOfView, dropChanges } from '../views/view-transitions.ts'
import {
  columnsOfList,
  layoutOfList,
  type ListAddress,
  type ListScope,
  type ListSession,
  type ListState,
  openList,
  pageQuery,
  scopeOf,
  addressSortedBy,
  setFilter,
  setLayout,
  clearChips,
  clearConditions,
  addOwnKey,
  setSearch,
} from './list-session.ts'

const districts = findScreen('settings/districts')
const newsScreen = findScreen('news')
const posts = findScreen('trading-post')
const accounts = findScreen('consultants')

const userAs = (type: RoleType): CurrentUser => ({
  id: 7,
  username: 'a',
  email: 'a@example.org',
  name: null,
  surname: null,
  is_consultant: false,
  role: { id: 1, name: type, type },
})
const owner = userAs('owner')

const viewOf = (viewChanges: Partial<SavedView> = {}): SavedView => ({
  id: 5,
  name: 'Towns',
  screen: districts.path,
  search: { 'f.type': 'city' },
  layout: {},
  owner: 7,
  role: undefined,
  isPinned: false,
  isStandard: false,
  roleStandard: false,
  ...viewChanges,
})

interface ListOptions {
  screen?: Screen
  own?: ListScope['slots']
  me?: CurrentUser | undefined
  views?: readonly SavedView[]
  layouts?: StoredLayouts
  displayMode?: ListState['displayMode']
}

/** Opens the list of an address, without React. */
function openTestList(address: Address, options: ListOptions = {}): ListSession {
  const { screen = districts, own = {}, views, layouts = {}, displayMode = 'list' } = options
  const me = 'me' in options ? options.me : owner
  const view = openViewIn(address, views, me)
  const scope = scopeOf(screen, own, me)
  const columns = columnsOfList(scope, layoutOfList(layouts, view.open).columns)
  return openList(scope, { address, view, layouts, displayMode, locale: 'ru' }, columns)
}

describe('an open list', () => {
  it('uses the declared values of a list for a bare address', () => {
    expect(openTestList({})).toMatchObject({
      query: { search: {}, language: 'ru', rows: {}, chips: [], isNarrowed: false },
      order: { sort: { field: 'name', descending: false }, group: undefined },
      paging: { page: 1, size: 15 },
      columns: {
        names: ['name', 'localizations', 'region', 'code', 'type', 'updatedAt'],
        selectedColumns: undefined,
        widths: undefined,
      },
      display: { mode: 'list', density: undefined },
      view: { open: undefined, isLost: false, isChanged: false, searchParams: {} },
    })
  })

  it('reads every part of a list’s address', () => {
    const address = { page: 3, size: 20, sort: 'code:desc', q: 'nu', lang: 'kaa', 'f.type': 'city', group: 'region' }
    const { query, order, paging, view } = openTestList(address)
    expect({ order, paging, words: view.searchParams }).toEqual({
      order: { sort: { field: 'code', descending: true }, group: 'region' },
      paging: { page: 3, size: 20 },
      words: { size: '20', sort: 'code:desc', q: 'nu', lang: 'kaa', 'f.type': 'city', group: 'region' },
    })
    expect([query.language, query.isNarrowed, query.chips.map(({ filter }) => filter.name)]).toEqual([
      'kaa',
      true,
      ['type'],
    ])
  })

  it('drops meaningless parts of a list’s address, and remembers that they were requested', () => {
    const { query, view } = openTestList({ 'f.type': 'city', 'f.lost': '1', sort: 'lost', size: '7', page: 'x' })
    expect(query.search).toEqual({ filter: { type: 'city' } })
    expect(view.searchParams).toEqual({ 'f.type': 'city' })
    expect(view.requestedSearch.searchParams).toEqual({ 'f.type': 'city', 'f.lost': '1', sort: 'lost', size: '7' })
  })

  it('combines the conditions of the screen with those of the address', () => {
    const ownSlots = {
      filters: { active: { $eq: true } },
      filtersOf: ({ show }: Address) => (show === 'old' ? { code: { $null: true } } : {}),
    }
    const { query } = openTestList({ show: 'old' }, { own: ownSlots })
    expect([query.rows, query.isNarrowed]).toEqual([{ active: { $eq: true }, code: { $null: true } }, true])
    expect(openTestList({}, { own: ownSlots }).query.isNarrowed).toBe(false)
  })

  it('shows only the columns of a card to a user who sees only cards', () => {
    const { columns } = openTestList({}, { screen: accounts, me: userAs('authenticated') })
    const { card = [] } = resources.users
    expect(columns.names.filter((name) => !card.some((cardField) => cardField === name))).toEqual([])
    expect(openTestList({}, { screen: accounts }).columns.names.length).toBeGreaterThan(columns.names.length)
  })

  it.each<[string, ListLayout, string[], string[] | undefined]>([
    ['the chosen columns after the name', { columns: ['type', 'code'] }, ['name', 'type', 'code'], ['type', 'code']],
    ['no column that does not exist', { columns: ['lost', 'code'] }, ['name', 'code'], ['code']],
    ['the name alone where no other is chosen', { columns: [] }, ['name'], []],
  ])('shows in the table of a list %s', (_title, layout, names, selectedNames) => {
    const { columns, view } = openTestList({}, { layouts: { '': layout } })
    expect(columns).toEqual({ names, selectedColumns: selectedNames, widths: undefined })
    expect(view.requestedSearch.columns).toEqual(layout.columns)
  })

  it.each<[string, ListOptions, string]>([
    ['the mode of the user where the resource offers it', { screen: newsScreen, displayMode: 'image' }, 'image'],
    ['the table where the resource does not offer it', { screen: districts, displayMode: 'image' }, 'list'],
    [
      'the mode of a layout before that of the user',
      { screen: newsScreen, displayMode: 'image', layouts: { '': { mode: 'thumb' } } },
      'thumb',
    ],
  ])('shows a list in %s', (_title, options, mode) => {
    expect(openTestList({}, options).display.mode).toBe(mode)
  })

  it.each<[string, Address, ListOptions, { searchParams: object; isChanged: boolean }]>([
    [
      'is its view where the address names it alone',
      { view: 5 },
      {},
      { searchParams: { 'f.type': 'city' }, isChanged: false },
    ],
    [
      'differs from its view by what the address adds',
      { view: 5, 'f.type': 'city', sort: 'code' },
      {},
      { searchParams: { 'f.type': 'city', sort: 'code' }, isChanged: true },
    ],
    [
      'differs from its view by a stored layout',
      { view: 5 },
      { layouts: { 5: { columns: ['code'] } } },
      { searchParams: { 'f.type': 'city' }, isChanged: true },
    ],
    [
      'does not differ by invalid parts of its view',
      { view: 5 },
      { views: [viewOf({ search: { 'f.type': 'city', 'f.lost': '1' } })] },
      { searchParams: { 'f.type': 'city' }, isChanged: false },
    ],
    [
      'has no conditions where the address empties its view',
      { view: 5, where: '-' },
      {},
      { searchParams: {}, isChanged: true },
    ],
  ])('compares an open list with its saved view: %s', (_title, address, options, expected) => {
    expect(openTestList(address, { views: [viewOf()], ...options }).view).toMatchObject(expected)
  })

  it('uses the layout of a saved view until a layout is stored for the view', () => {
    const layout = { columns: ['code'], density: 'compact' } as const
    const views = [viewOf({ layout })]
    expect(openTestList({ view: 5 }, { views })).toMatchObject({
      columns: { names: ['name', 'code'] },
      display: { density: 'compact' },
    })
    const arrangedList = openTestList(
      { view: 5 },
      { views, layouts: { '': { columns: [] }, 5: { columns: ['type'] } } },
    )
    expect(arrangedList.columns.names).toEqual(['name', 'type'])
  })
})

describe('the query of a page', () => {
  const keyOf = (list: ListSession, page?: number) => pageQuery(list, page).queryKey.at(-1)

  it('requests the page of a list from the address, or another page', () => {
    const list = openTestList({ page: 3, size: 20, 'f.type': 'city' })
    const pagination = (page: number) => ({ pagination: { page, pageSize: 20 }, filters: { type: { $eq: 'city' } } })
    expect([keyOf(list), keyOf(list, 4)]).toMatchObject([pagination(3), pagination(4)])
  })

  it('requests the chosen columns for a table, and the declared columns otherwise', () => {
    const layouts = { '': { columns: ['createdAt'] } }
    const queryFields = (displayMode: 'list' | 'image') =>
      keyOf(openTestList({}, { screen: newsScreen, layouts, displayMode }))
    expect(JSON.stringify(queryFields('list'))).toContain('createdAt')
    expect(queryFields('image')).toEqual(keyOf(openTestList({}, { screen: newsScreen, displayMode: 'image' })))
  })
})

describe('a change of a list', () => {
  const address = { page: 4, sort: 'code', q: 'nu', 'f.type': 'city', show: 'old' }
  const otherParams = { sort: 'code', q: 'nu', 'f.type': 'city', show: 'old' }
  it.each<[string, (list: ListSession) => ListAddress, ListAddress]>([
    ['to a page keeps everything else', (list) => setSearch(list, { page: 2 }), { ...otherParams, page: 2 }],
    ['to a page size leads to the first page', (list) => setSearch(list, { size: 12 }), { ...otherParams, size: '12' }],
    ['to another text leads to the first page', (list) => setSearch(list, { q: 'be' }), { ...otherParams, q: 'be' }],
    ['to no text removes it', (list) => setSearch(list, { q: '' }), { sort: 'code', 'f.type': 'city', show: 'old' }],
    ['to a language keeps the conditions', (list) => setSearch(list, { lang: 'uz' }), { ...otherParams, lang: 'uz' }],
    ['to groups keeps the order', (list) => setSearch(list, { group: 'region' }), { ...otherParams, group: 'region' }],
    ['to an order replaces the former one', (list) => addressSortedBy(list, 'name'), { ...otherParams, sort: 'name' }],
    [
      'to the opposite order marks it',
      (list) => addressSortedBy(list, 'code', true),
      { ...otherParams, sort: 'code:desc' },
    ],
    ['to a condition keeps the others', (list) => setFilter(list, 'region', '4'), { ...otherParams, 'f.region': '4' }],
    [
      'to another condition replaces it',
      (list) => setFilter(list, 'type', 'district'),
      { ...otherParams, 'f.type': 'district' },
    ],
    [
      'that removes a condition keeps the others',
      (list) => setFilter(list, 'type', undefined),
      { sort: 'code', q: 'nu', show: 'old' },
    ],
    ['that removes the chips keeps the text', clearChips, { sort: 'code', q: 'nu', show: 'old' }],
    ['to a key of the screen replaces it', (list) => addOwnKey(list, 'show', 'new'), { ...otherParams, show: 'new' }],
    [
      'that removes a key of the screen keeps the conditions',
      (list) => addOwnKey(list, 'show', undefined),
      { sort: 'code', q: 'nu', 'f.type': 'city' },
    ],
    ['that removes all conditions keeps the order', clearConditions, { sort: 'code' }],
    ['to the declared list drops everything', (list) => searchOfView(list, undefined), {}],
    ['to a view names it', (list) => searchOfView(list, viewOf()), { view: 5 }],
  ])('returns the address of a changed list: a change %s', (_title, transition, expected) => {
    expect(transition(openTestList(address))).toEqual(expected)
  })

  it('keeps the segment of a list when the chips are removed', () => {
    const list = openTestList(
      { 'f.status': 'processed', 'f.price': '5..10', where: 'or(price:5,price:7)' },
      { screen: posts },
    )
    expect(list.query.chips.map(({ filter }) => filter.name)).toEqual(['price'])
    expect(clearChips(list)).toEqual({ 'f.status': 'processed' })
  })

  it.each<[string, Address, (list: ListSession) => ListAddress, ListAddress]>([
    [
      'names the view and the differences',
      { view: 5 },
      (list) => addressSortedBy(list, 'code'),
      {
        view: '5',
        'f.type': 'city',
        sort: 'code',
      },
    ],
    [
      'is the view alone where nothing differs',
      { view: 5, 'f.type': 'district' },
      (list) => setFilter(list, 'type', 'city'),
      {
        view: '5',
      },
    ],
    ['keeps an emptied view open', { view: 5 }, clearConditions, { view: '5', where: '-' }],
    ['asks for no view where a bare address would open one', { q: 'a' }, clearConditions, { view: 'none' }],
    ['leads from the standard view to none', {}, (list) => searchOfView(list, undefined), { view: 'none' }],
    ['keeps the view on another page', {}, (list) => setSearch(list, { page: 2 }), { view: '5', page: 2 }],
  ])('returns the address of a list with a saved view: a change %s', (_title, startAddress, transition, expected) => {
    expect(transition(openTestList(startAddress, { views: [viewOf({ isStandard: true })] }))).toEqual(expected)
  })
})

describe('a changed layout', () => {
  const layouts: StoredLayouts = { '': { columns: ['code', 'lost'], widths: { name: 200 } }, 6: { columns: [] } }

  it.each<[string, Address, ListLayout, ReturnType<typeof setLayout>]>([
    [
      'stores columns beside the widths',
      {},
      { columns: ['type'] },
      { layouts: { ...layouts, '': { columns: ['type'], widths: { name: 200 } } }, preferences: {} },
    ],
    [
      'keeps stored columns that the list cannot show now',
      {},
      { widths: { name: 90 } },
      { layouts: { ...layouts, '': { columns: ['code', 'lost'], widths: { name: 90 } } }, preferences: {} },
    ],
    [
      'sets density and mode for all lists without a view',
      {},
      { density: 'compact', mode: 'thumb' },
      { layouts, preferences: { density: 'compact', displayMode: 'thumb' } },
    ],
    [
      'stores density with the view that is open',
      { view: 5 },
      { density: 'compact' },
      { layouts: { ...layouts, 5: { columns: ['region'], density: 'compact' } } },
    ],
  ])('stores a changed layout of a list: %s', (_title, address, layoutChange, expected) => {
    const list = openTestList(address, { views: [viewOf({ layout: { columns: ['region'] } })], layouts })
    expect(setLayout(list, layoutChange)).toEqual(expected)
  })

  it('undoes the changes of a layout only for a view', () => {
    expect(dropChanges(openTestList({}, { layouts }), viewOf({ id: 6 }))).toEqual({
      layouts: { ...layouts, 6: undefined },
    })
  })
})

describe('the address of a list', () => {
  const condition = {
    type: fc.constantFrom('city', 'district', 'city.district'),
    region: fc.integer({ min: 1, max: 99 }).map(String),
    lat: fc
      .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 41, max: 90 }))
      .map((rangeEnds) => rangeEnds.join('..')),
  }
  /** Address of a list with a meaning in every part. */
  const meaningfulAddress = fc.record(
    {
      size: fc.constantFrom(...pageSizes.map(String)),
      sort: fc.constantFrom('code', 'code:desc', 'region', 'updatedAt:desc'),
      q: fc.string({ minLength: 1, maxLength: 8 }),
      lang: fc.constantFrom('en', 'ru', 'uz', 'kaa'),
      group: fc.constantFrom('type', 'region'),
      where: fc
        .tuple(fc.constantFrom('and', 'or'), condition.type, condition.region)
        .map(([join, type, region]) => `${join}(type:${type},region:${region})`),
      'f.type': condition.type,
      'f.region': condition.region,
      'f.lat': condition.lat,
      show: fc.string({ minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: [] },
  )
  const views = fc.option(
    fc.tuple(meaningfulAddress, fc.boolean()).map(([search, isDefault]) => [viewOf({ search, isStandard: isDefault })]),
    { nil: undefined },
  )
  const page = fc.integer({ min: 1, max: 50 })
  const keys = ['page', 'size', 'sort', 'q', 'lang', 'group', 'where', 'f.type', 'f.lat', 'f.lost', 'view', 'show']
  /** Address of a list with any text that a user may type. */
  const typedAddress = fc.dictionary(
    fc.constantFrom(...keys),
    fc.oneof(fc.string({ maxLength: 12 }), fc.integer(), fc.constantFrom('5', 'none', 'city', 'code:desc', '-')),
  )

  it('reads the address of a list back as it was written', () => {
    fc.assert(
      fc.property(meaningfulAddress, page, (address, number) => {
        expect(setSearch(openTestList({ ...address, page: number }), { page: number })).toEqual({
          ...address,
          page: number,
        })
      }),
    )
  })

  it('returns the same list from its own address, whatever was typed and whichever views exist', () => {
    fc.assert(
      fc.property(typedAddress, views, (address, knownViews) => {
        const list = openTestList(address, { views: knownViews ?? [] })
        const { page: number } = list.paging
        const listWithView = openTestList(setSearch(list, { page: number }), { views: knownViews ?? [] })
        expect([
          listWithView.query,
          listWithView.order,
          listWithView.paging,
          listWithView.columns,
          listWithView.view.searchParams,
        ]).toEqual([list.query, list.order, list.paging, list.columns, list.view.searchParams])
        expect(pageQuery(listWithView).queryKey).toEqual(pageQuery(list).queryKey)
      }),
    )
  })
})
