import type { PostReview } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const waitingSince = '2026-03-09T06:00:00.000Z'
const post = (id: number, draft: object = {}) => ({
  id,
  attributes: {
    title: `Post ${id}`,
    description: 'Fresh, write to @dilshod',
    price: 16_500,
    currency: 'UZS',
    negotiable: false,
    delivery: false,
    phone: '+998 00 300-00-01',
    status: 'on_hold',
    edit_state: null,
    waiting_since: waitingSince,
    reports_open: 0,
    expires_at: null,
    views: 0,
    locale: 'en',
    version: 2,
    createdAt: waitingSince,
    updatedAt: waitingSince,
    localizations: { data: [] },
    ...draft,
  },
})
const review: PostReview = {
  version: 2,
  author: {
    id: 3,
    name: 'Aybek',
    language: 'kaa',
    since: waitingSince,
    blocked: false,
    posts: 14,
    refusals: 1,
    reports: 0,
  },
  claim: null,
  edit: null,
  twins: [],
  price: null,
  contacts: ['@dilshod'],
  words: [],
  reports: [],
  decisions: [],
}
const cleanReview = { ...review, contacts: [] }
const reason = (id: number, code: string, applies_to: string) => ({
  id,
  attributes: {
    code,
    applies_to,
    label: { en: `Reason ${code}` },
    text: { en: `Text ${code}`, kaa: `Tekst ${code}` },
    active: true,
  },
})
const state = {
  claims: [],
  counts: {
    on_hold: 2,
    needs_changes: 0,
    reported: 0,
    processed: 3,
    rejected: 0,
    expired: 0,
    archived: 0,
    all: 5,
  },
  target: { hours: 4, working: { 1: { from: 0, to: 1440 } }, zone: 'Asia/Tashkent' },
}
const list = (...data: object[]) => ({ data, meta: { pagination: { page: 1, pageSize: 100, total: data.length } } })
const listAnswer = (...data: object[]) => ({
  data,
  meta: { pagination: { page: 1, pageSize: 100, total: data.length }, counts: state.counts },
})
const answers = {
  'GET /api/users/me': owner,
  'GET /api/tradinposts': listAnswer(post(5), post(6)),
  'GET /api/tradinposts/5': { data: post(5), meta: {} },
  'GET /api/tradinposts/6': { data: post(6), meta: {} },
  'GET /api/tradinposts/queue': { data: state, meta: {} },
  'GET /api/tradinposts/5/review': { data: review, meta: {} },
  'GET /api/tradinposts/6/review': { data: cleanReview, meta: {} },
  'GET /api/moderationreasons': list(
    reason(1, 'contact_in_text', 'decision'),
    reason(2, 'blurred', 'needs_changes'),
    reason(3, 'fraud', 'report'),
  ),
  'POST /api/tradinposts/5/claim': { data: { by: { id: owner.id, name: 'Owner' }, until: waitingSince }, meta: {} },
  'POST /api/tradinposts/6/claim': { data: { by: { id: owner.id, name: 'Owner' }, until: waitingSince }, meta: {} },
  'DELETE /api/tradinposts/5/claim': { ok: true },
  'DELETE /api/tradinposts/6/claim': { ok: true },
  'POST /api/tradinposts/5/moderate': { data: post(5, { status: 'rejected' }), meta: {} },
  'POST /api/tradinposts/6/moderate': { data: post(6, { status: 'processed' }), meta: {} },
  'POST /api/tradinposts/5/undo': { data: post(5), meta: {} },
}
const findPostHeading = (id: number) => screen.findByRole('heading', { level: 1, name: `Post ${id}` })

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the review of a post', () => {
  it('decides a review by keyboard: a choice, its reasons, and undo while the next post is open', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/trading-post/seen/5')
    await findPostHeading(5)
    const user = userEvent.setup()
    await user.keyboard('c')
    const languageBoxes = await screen.findAllByRole('checkbox')
    expect(languageBoxes.map((box) => box.closest('label')?.textContent)).toEqual([
      'Reason contact_in_texta hint points to it1',
      'Reason blurred2',
    ])
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(calls.some(({ path }) => path.endsWith('/moderate'))).toBe(false)
    await user.keyboard('12')
    expect(screen.getByText('Tekst contact_in_text Tekst blurred').getAttribute('lang')).toBe('kaa')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await findPostHeading(6)
    expect(calls.find(({ path }) => path.endsWith('/moderate'))?.body).toEqual({
      data: {
        to: 'needs_changes',
        reason: ['contact_in_text', 'blurred'],
        public_note: null,
        version: 2,
      },
    })
    expect((await screen.findByText(/: returned/)).tagName).toBe('OUTPUT')
    await user.keyboard('u')
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/tradinposts/5/undo')).toBe(true))
    expect(screen.queryByText(/: returned/)).toBeNull()
  })

  it('approves a post without hints immediately, and asks twice if there is a hint', async () => {
    const calls = fakeApi(answers)
    const moderationCalls = () => calls.filter(({ path }) => path.endsWith('/moderate')).map(({ path }) => path)
    renderApp('/app/trading-post/seen/5')
    await findPostHeading(5)
    const user = userEvent.setup()
    await user.keyboard('a')
    expect(moderationCalls()).toEqual([])
    await user.keyboard('j')
    await findPostHeading(6)
    await user.keyboard('a')
    await waitFor(() => expect(moderationCalls()).toEqual(['/api/tradinposts/6/moderate']))
  })

  it('ignores letter keys of the review while the user types, and cancels the choice on Escape', async () => {
    fakeApi(answers)
    renderApp('/app/trading-post/seen/5')
    await findPostHeading(5)
    const user = userEvent.setup()
    await user.type(screen.getByRole('textbox', { name: /For colleagues/ }), 'car')
    expect(screen.queryAllByRole('checkbox')).toEqual([])
    await user.tab()
    await user.keyboard('r')
    expect(await screen.findAllByRole('checkbox')).toHaveLength(1)
    await user.keyboard('{Escape}')
    expect(screen.queryAllByRole('checkbox')).toEqual([])
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /For colleagues/ }).value).toBe('car')
  })

  it('shows whether the author of a post is blocked, and no mark otherwise', async () => {
    const author = { ...review.author, blocked: true }
    fakeApi({ ...answers, 'GET /api/tradinposts/6/review': { data: { ...cleanReview, author }, meta: {} } })
    renderApp('/app/trading-post/seen/6')
    await findPostHeading(6)
    const decision = screen.getByRole('complementary', { name: 'Decision' })
    expect(within(decision).getByText('Blocked')).toBeTruthy()
    await userEvent.setup().keyboard('k')
    await findPostHeading(5)
    expect(screen.queryByText('Blocked')).toBeNull()
  })

  it('locks the decision while a colleague reviews the post', async () => {
    const claim = { by: { id: 77, name: 'Marat A.' }, until: new Date(Date.now() + 180_000).toISOString() }
    const calls = fakeApi({
      ...answers,
      'GET /api/tradinposts/6/review': { data: { ...cleanReview, claim }, meta: {} },
    })
    renderApp('/app/trading-post/seen/6')
    await findPostHeading(6)
    const decision = screen.getByRole('complementary', { name: 'Decision' })
    expect(within(decision).getByText('Marat A. is looking at it')).toBeTruthy()
    await userEvent.setup().keyboard('a')
    expect(calls.some(({ path }) => path.endsWith('/moderate'))).toBe(false)
  })

  it('reports that the reviewed post has changed, and keeps the choice while it reloads', async () => {
    let version = 3
    const calls = fakeApi({
      ...answers,
      'GET /api/tradinposts/5': () => Response.json({ data: post(5, { version }), meta: {} }),
      'GET /api/tradinposts/5/review': { data: { ...review, version: 4 }, meta: {} },
    })
    renderApp('/app/trading-post/seen/5')
    await findPostHeading(5)
    const user = userEvent.setup()
    await user.keyboard('r1')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(calls.some(({ path }) => path.endsWith('/moderate'))).toBe(false)
    version = 4
    await user.click(screen.getByRole('button', { name: 'Reload it' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Reload it' })).toBeNull())
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /contact_in_text/ }).checked).toBe(true)
  })

  it('shows only changed fields of an edit beside the public text, with the contact marked', async () => {
    const edit = {
      state: 'waiting' as const,
      at: waitingSince,
      changes: [
        { field: 'description', locale: 'en' as const, before: 'Fresh', after: 'Fresh, write to @dilshod' },
        { field: 'price', locale: null, before: 16_500, after: 19_965 },
      ],
    }
    fakeApi({
      ...answers,
      'GET /api/tradinposts/5': { data: post(5, { status: 'processed', edit_state: 'waiting' }), meta: {} },
      'GET /api/tradinposts/5/review': { data: { ...review, edit }, meta: {} },
    })
    renderApp('/app/trading-post/seen/5')
    await findPostHeading(5)
    const table = screen.getByRole('table')
    expect(within(table).getAllByRole('row')).toHaveLength(3)
    expect(within(table).getByText('+21 %')).toBeTruthy()
    expect(table.querySelector('ins mark')?.textContent).toContain('@dilshod')
    expect(screen.getByText('8 other fields are unchanged')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Take it down' })).toBeTruthy()
  })

  describe('the review of a post with a similar one', () => {
    const similarPost = {
      id: 9,
      title: 'Post 9',
      status: 'processed',
      price: 15_000,
      currency: 'UZS',
      createdAt: waitingSince,
      picture: null,
      kind: 'livestock',
      score: 0.55,
      same: ['phone', 'picture_alike'] as const,
    }
    const category = { data: { id: 4, attributes: { name: 'Feed', kind: 'seed' } } }
    const reviewWithTwin = {
      ...answers,
      'GET /api/tradinposts/5': { data: post(5, { tradingpostcategory: category }), meta: {} },
      'GET /api/tradinposts/5/review': { data: { ...review, twins: [similarPost] }, meta: {} },
      'GET /api/tradinposts/9': {
        data: post(9, { description: 'Stale, write to @dilshod', phone: '998003000001', price: 15_000 }),
        meta: {},
      },
    }

    it('names why two posts are similar, and shows drawings by the kind of goods', async () => {
      fakeApi(reviewWithTwin)
      renderApp('/app/trading-post/seen/5')
      await findPostHeading(5)
      const twins = screen.getByRole('region', { name: 'Looks like another post' })
      expect(within(twins).getByText(/the same phone and a similar photo/)).toBeTruthy()
      const figures = [...twins.querySelectorAll<SVGElement>('svg[data-figure]')]
      expect(figures.map(({ dataset }) => dataset['figure'])).toEqual(['seed', 'livestock'])
      expect(figures.every((figure) => figure.getAttribute('aria-hidden') === 'true')).toBe(true)
    })

    it.each(['the key', 'the hint', 'the button'])(
      'opens two similar posts side by side by %s, and closes them on Escape',
      async (openingMethod) => {
        fakeApi(reviewWithTwin)
        renderApp('/app/trading-post/seen/5')
        await findPostHeading(5)
        const user = userEvent.setup()
        if (openingMethod === 'the key') await user.keyboard('t')
        else
          await user.click(
            screen.getByRole('button', { name: openingMethod === 'the hint' ? 'Similar post' : /^Compare/ }),
          )
        const dialog = await screen.findByRole('dialog', { name: 'Similar posts side by side' })
        const rowOf = async (name: string) =>
          (await within(dialog).findByText(name, { selector: 'th span' })).closest('tr')
        const marksIn = (row: HTMLElement | null) =>
          [...(row?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent)
        expect(marksIn(await rowOf('Price'))).toHaveLength(2)
        expect(marksIn(await rowOf('Phone'))).toEqual([])
        expect(marksIn(await rowOf('Description'))).toEqual(['Fresh,', 'Contact in the text: @dilshod', 'Stale,'])
        expect(within(dialog).getByRole('region', { name: 'This post' })).toBeTruthy()
        await user.keyboard('a')
        await user.keyboard('{Escape}')
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
        await findPostHeading(5)
      },
    )
  })

  it('shows a drawing for a post of the queue without a photo', async () => {
    const category = { data: { id: 4, attributes: { kind: 'machinery' } } }
    fakeApi({ ...answers, 'GET /api/tradinposts': listAnswer(post(5, { tradingpostcategory: category }), post(6)) })
    renderApp('/app/trading-post/seen/5')
    await findPostHeading(5)
    const queue = screen.getByRole('complementary', { name: 'Queue' })
    const figures = [...queue.querySelectorAll<SVGElement>('svg[data-figure]')]
    expect(figures.map(({ dataset }) => dataset['figure'])).toEqual(['machinery', 'other'])
  })

  it('shows a message when the queue of posts is empty', async () => {
    fakeApi({ ...answers, 'GET /api/tradinposts': listAnswer(post(6)) })
    renderApp('/app/trading-post/seen/6')
    await findPostHeading(6)
    await userEvent.setup().keyboard('a')
    expect(await screen.findByRole('link', { name: 'Show PROCESSED' })).toBeTruthy()
  })
})
