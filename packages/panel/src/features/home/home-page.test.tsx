import { type HomeAnswer, type HomeGroup, homeGroupKeys, homeGroups, type HomeRow, resources } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { queryOfSearch } from '../../resource/list/filters/conditions.ts'
import { readListSearch } from '../../resource/list/search.ts'
import { formatDateTimeIn } from '../../lib/format.ts'
import { reloadPreferences } from '../../lib/preferences.ts'
import { errorAnswer, type FakeCall, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const consultant = {
  ...owner,
  id: 7,
  is_consultant: true,
  role: { id: 4, name: 'User', type: 'authenticated' },
} as const

const row = (id: number, draft: Partial<HomeRow> = {}): HomeRow => ({
  ref: String(id),
  id,
  title: `Question ${id}`,
  locale: 'en',
  from: { id: 50, name: 'Aybek N.' },
  place: 'Chimbay',
  owner: null,
  since: minutesAgo(160),
  due: minutesAgo(130),
  count: null,
  kind: null,
  resource: null,
  outdated: null,
  languages: [],
  outdatedLanguages: [],
  pricedate: null,
  region: null,
  putOffUntil: null,
  ...draft,
})
const group = (key: HomeGroup['key'], rows: HomeRow[], draft: Partial<HomeGroup> = {}): HomeGroup => ({
  key,
  failed: false,
  count: rows.length,
  late: 0,
  oldest: minutesAgo(160),
  flagged: 0,
  missing: 0,
  rows,
  all: homeGroups[key].all(7),
  ...draft,
})
const answer = (draft: Partial<HomeAnswer['data']> = {}): HomeAnswer => ({
  data: {
    scope: 'team',
    totals: { team: 7, mine: 2 },
    putOff: 0,
    late: 2,
    oldest: minutesAgo(130),
    groups: [
      group('chats', [row(1), row(2, { owner: { id: 9, name: 'Aziz Kh.' } })], { count: 5 }),
      group('translations', [
        row(3, {
          ref: 'news/kaa/3',
          title: 'Subsidies',
          resource: 'news',
          outdated: 'kaa',
          languages: ['ru', 'kaa'],
          outdatedLanguages: ['kaa'],
        }),
      ]),
    ],
    week: {
      of: 'prices',
      days: [{ date: '2026-11-25', share: 75, count: null, pricedate: 4 }],
      unpublished: [{ date: '2026-11-25', pricedate: 4 }],
      figures: [],
    },
    changes: [
      {
        id: 1,
        at: minutesAgo(5),
        by: { id: 9, name: 'Nurlan B.' },
        action: 'record.create',
        resource: 'pricelists',
        record: null,
        count: 22,
      },
      {
        id: 2,
        at: minutesAgo(6),
        by: { id: 1, name: 'Owner' },
        action: 'record.update',
        resource: 'news',
        record: { id: 3, title: 'Subsidies', locale: 'en' },
        count: 1,
      },
    ],
    ...draft,
  },
  meta: { generated_at: minutesAgo(0), date: '2026-11-25', zone: 'Asia/Tashkent' },
})
const lists = {
  'GET /api/notices': { data: [], meta: { pagination: { page: 1, pageSize: 20, pageCount: 0, total: 0 }, unread: 0 } },
}
const openHome = (
  home: HomeAnswer | ((call: FakeCall) => Response),
  me: object = owner,
  otherAnswers: Parameters<typeof fakeApi>[0] = {},
  address = '/app/home',
) => {
  const calls = fakeApi({
    ...lists,
    'GET /api/users/me': { ...me },
    'GET /api/home': typeof home === 'function' ? home : () => Response.json(home),
    ...otherAnswers,
  })
  return { calls, ...renderApp(address) }
}
const findWaitingRegion = () => screen.findByRole('region', { name: 'What is waiting' })

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the home page', () => {
  // Kiritimati and Midway never have the same day, so the day of at least one differs from this machine's.
  it.each(['Pacific/Kiritimati', 'Pacific/Midway'])(
    'shows the day of the reports on the home page in %s',
    async (timeZone) => {
      const { data, meta } = answer()
      openHome({ data, meta: { ...meta, zone: timeZone } })
      await findWaitingRegion()
      const day = Number(formatDateTimeIn(new Date(), timeZone).slice(0, 2))
      expect(screen.getByText(/ are overdue/).textContent).toMatch(new RegExp(`^\\w+day, ${day} `))
    },
  )

  it('shows each group of the home page with its count, its details and a link to the whole group', async () => {
    openHome(answer())
    const list = await findWaitingRegion()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('7')
    const chats = within(list).getByRole('region', { name: /^Chats without an answer/ })
    expect(chats.textContent).toContain('the longest 2 h 40 min')
    expect(within(chats).getByRole('link', { name: 'All 5' }).getAttribute('href')).toBe('/app/chats?waiting=yes')
    expect(within(chats).getByText('no consultant')).toBeTruthy()
    expect(screen.getByText(/2 are overdue, the oldest by 2 h 10 min/)).toBeTruthy()
    expect(within(list).getByRole('button', { name: 'Translate' })).toBeTruthy()
  })

  it('marks the home link in the main navigation as the current page, and shows no section menu', async () => {
    openHome(answer())
    await findWaitingRegion()
    const mark = within(screen.getByRole('navigation', { name: 'Main navigation' })).getByRole('link', { name: 'Home' })
    expect(mark.getAttribute('aria-current')).toBe('page')
    expect(screen.queryByRole('navigation', { name: /Pages of the section/ })).toBeNull()
  })

  it('opens the record of a row of the home page', async () => {
    const { router } = openHome(answer())
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Translate' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/translations/news/kaa'))
    expect(router.state.location.search).toMatchObject({ of: 'outdated', record: '3' })
  })

  it('moves on J and K, opens on O, and fills the action of the current row only', async () => {
    const { router } = openHome(answer())
    const user = userEvent.setup()
    const list = await findWaitingRegion()
    const actions = within(list).getAllByRole('button', { name: /^(Assign|Open|Translate)$/ })
    await user.keyboard('j')
    expect(document.activeElement).toBe(actions[0])
    await user.keyboard('j')
    expect(document.activeElement).toBe(actions[1])
    expect(list.querySelectorAll('[data-current]')).toHaveLength(1)
    await user.keyboard('k')
    expect(document.activeElement).toBe(actions[0])
    await user.keyboard('jo')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/chats/2'))
  })

  it('postpones a row of the home page on Z, hides the row, and restores it', async () => {
    const goneAnswer = answer({ putOff: 1, groups: [group('chats', [row(2)])] })
    let isPutOff = false
    const { calls } = openHome(() => Response.json(isPutOff ? goneAnswer : answer()), owner, {
      'POST /api/home/put-off': () => {
        isPutOff = true
        return Response.json({ data: { until: minutesAgo(-60) } })
      },
      'POST /api/home/put-back': () => {
        isPutOff = false
        return Response.json({ ok: true })
      },
    })
    const user = userEvent.setup()
    await findWaitingRegion()
    await user.keyboard('j')
    await user.keyboard('z')
    await user.click(await screen.findByRole('menuitem', { name: 'For an hour' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Question 1' })).toBeNull())
    expect(calls.find(({ path }) => path === '/api/home/put-off')?.body).toEqual({
      data: { group: 'chats', ref: '1', time: 'hour' },
    })
    expect(screen.getByRole('button', { name: '1 put off' })).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('link', { name: 'Question 1' })).toBeTruthy()
  })

  it('shows a row among the others as soon as the postponed row is restored', async () => {
    let isPutOff = true
    const restoredAnswer = answer({ putOff: 0 })
    const remainingAnswer = answer({ putOff: 1, groups: [group('chats', [row(2)])] })
    const putOffAnswer = answer({ putOff: 1, groups: [group('chats', [row(1, { putOffUntil: minutesAgo(-60) })])] })
    openHome(
      ({ query }) =>
        Response.json(query.includes('put_off') ? putOffAnswer : isPutOff ? remainingAnswer : restoredAnswer),
      owner,
      {
        'POST /api/home/put-back': () => {
          isPutOff = false
          return Response.json({ ok: true })
        },
      },
    )
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: '1 put off' }))
    await user.click(await screen.findByRole('button', { name: 'Bring back' }))
    await user.click(screen.getByRole('button', { name: 'Back to what is waiting' }))
    expect(await screen.findByRole('link', { name: 'Question 1' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '1 new' })).toBeNull()
  })

  it('takes a free question on the home page', async () => {
    const ownWork = answer({ scope: 'mine', totals: { mine: 1 }, groups: [group('free', [row(4)])] })
    let isTaken = false
    const { calls } = openHome(
      () => Response.json(isTaken ? answer({ scope: 'mine', totals: { mine: 0 }, groups: [] }) : ownWork),
      consultant,
      {
        'POST /api/consultations/4/assign': () => {
          isTaken = true
          return Response.json({ data: { id: 4, attributes: {} }, meta: {} })
        },
      },
    )
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Take' }))
    expect(await screen.findByText('Nothing waits')).toBeTruthy()
    expect(calls.find(({ path }) => path === '/api/consultations/4/assign')?.body).toEqual({
      data: { to: 7, from: null },
    })
  })

  it('never moves rows of the home page by itself, but offers new rows', async () => {
    let latestAnswer = answer()
    const { queryClient } = openHome(() => Response.json(latestAnswer))
    const list = await findWaitingRegion()
    latestAnswer = answer({ totals: { team: 8, mine: 2 }, groups: [group('chats', [row(9), row(1)], { count: 6 })] })
    await queryClient.invalidateQueries({ queryKey: ['home'] })
    await userEvent.setup().click(await screen.findByRole('button', { name: '1 new' }))
    expect(within(list).getByRole('link', { name: 'Question 9' })).toBeTruthy()
  })

  it('shows a failed group with a button to try again, and keeps the other groups', async () => {
    let isFailing = true
    const failedAnswer = answer({ groups: [group('chats', [row(1)]), group('posts', [], { failed: true })] })
    openHome(() => Response.json(isFailing ? failedAnswer : answer()))
    const alert = await screen.findByRole('alert')
    expect(screen.getByRole('link', { name: 'Question 1' })).toBeTruthy()
    isFailing = false
    await userEvent.setup().click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: 'Translate' })).toBeTruthy()
  })

  it('shows why nothing of the home page could be loaded, and tries again', async () => {
    let isFailing = true
    openHome(() => (isFailing ? errorAnswer(500, 'InternalServerError', 'x') : Response.json(answer())))
    const button = await screen.findByRole('button', { name: 'Try again' })
    isFailing = false
    await userEvent.setup().click(button)
    expect(await findWaitingRegion()).toBeTruthy()
  })

  it('shows that no work waits, and what comes next', async () => {
    openHome(answer({ groups: [], totals: { team: 0, mine: 0 }, late: 0, oldest: null }))
    expect(await screen.findByText('Nothing waits')).toBeTruthy()
    expect(screen.getByText('Next: publish the prices of 25.11.2026.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the day' }).getAttribute('href')).toBe('/app/price-list/4')
  })

  it('explains the home page to a role without groups', async () => {
    const user = { ...consultant, is_consultant: false }
    openHome(answer({ scope: 'mine', totals: {}, groups: [], week: null, changes: null }), user)
    expect(await screen.findByRole('heading', { level: 1, name: 'Nothing is assigned to you here' })).toBeTruthy()
  })

  it('disables actions that change records while there is no connection', async () => {
    openHome(answer())
    await findWaitingRegion()
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
    window.dispatchEvent(new Event('offline'))
    try {
      await waitFor(() =>
        expect(screen.getByRole('button', { name: 'Assign' }).getAttribute('aria-disabled')).toBe('true'),
      )
      expect(screen.getByRole('button', { name: 'Translate' }).getAttribute('aria-disabled')).toBeNull()
    } finally {
      Object.defineProperty(navigator, 'onLine', { configurable: true, value: true })
      window.dispatchEvent(new Event('online'))
    }
  })

  it('describes recent changes as text, with a link to the record', async () => {
    openHome(answer())
    const changes = await screen.findByRole('region', { name: 'What changed' })
    expect(changes.textContent).toContain('Nurlan B. · added: 22')
    expect(changes.textContent).toContain('You · changed')
    expect(within(changes).getByRole('link', { name: 'Subsidies' }).getAttribute('href')).toBe('/app/news/3')
    expect(within(changes).getByRole('link', { name: 'Log' }).getAttribute('href')).toBe('/app/audit')
  })

  it('opens the home page on G and then H from any page', async () => {
    const { router } = openHome(answer(), owner, {}, '/app/profile')
    await screen.findByRole('button', { name: /^Notifications/ })
    await userEvent.setup().keyboard('gh')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/home'))
  })

  it('opens the home page at /app once it is chosen as the start page', async () => {
    localStorage.setItem('start-page', 'home')
    reloadPreferences()
    const { router } = openHome(answer(), owner, {}, '/app')
    await findWaitingRegion()
    expect(router.state.location.pathname).toBe('/app/home')
  })
})

describe('the address of a group that is part of a list', () => {
  const readPlainText = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_key, innerValue: unknown) =>
      typeof innerValue === 'boolean' ? String(innerValue) : innerValue,
    )
  const listGroupKeys = homeGroupKeys.filter(
    (key) => homeGroups[key].list && homeGroups[key].list.resource !== 'chatrooms',
  )

  it.each(listGroupKeys)('lists behind the link of a group the same records as the group counts: %s', (key) => {
    const { list, all } = homeGroups[key]
    const resource = list && resources[list.resource]
    if (!resource) throw new Error(key)
    const search = readListSearch(resource, all(7).search)
    const conditions = readPlainText(queryOfSearch(resource, search, {}))
    const filters = list.filters(7)
    expect(JSON.stringify(conditions)).toContain(JSON.stringify(Object.values(filters)[0]))
    expect(Object.keys(search.filter ?? {})).toEqual(Object.keys(filters))
    expect(search.sort).toBe(list.sort.replace(/:asc$/, ''))
  })
})
