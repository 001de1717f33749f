import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, type FakeCall, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const attributes = {
  question: 'Why are the leaves yellow?',
  answer: '<p>Water less</p>',
  status: 'answered',
  language: 'en',
  answered_at: '2026-03-01T11:00:00.000Z',
  finished_at: null,
  finish_reason: null,
  reopened_at: null,
  is_public: false,
  rating: 4,
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
  version: 3,
  consultant: { data: { id: 6, attributes: { username: 'timur', name: 'Timur', surname: 'A.' } } },
  user: { data: { id: 5, attributes: { username: 'aybek', name: 'Aybek', surname: 'N.' } } },
}
const entry = (changes = {}) => ({ data: { id: 7, attributes: { ...attributes, ...changes } }, meta: {} })
const answerWithConflict = (answer: string) => () => {
  const details = { current: { id: 7, answer, version: 5 } }
  const error = { status: 409, name: 'ConflictError', message: 'x', code: 'record.stale', details }
  return Response.json({ data: null, error }, { status: 409 })
}
const findPuts = (calls: readonly FakeCall[]) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)

/** Stores a draft as if the page was closed during writing: the editor itself needs a real browser. */
const keepDraft = (text: string, formerAnswer = attributes.answer) =>
  localStorage.setItem('draft/answer/1/7', JSON.stringify({ text, version: 3, before: formerAnswer }))

beforeEach(() => localStorage.setItem('token', 'a'))

describe('publishing an answer', () => {
  it('shows where the answer will be visible, and which of its parts are hidden there', async () => {
    fakeApi({ 'GET /api/users/me': owner, 'GET /api/consultations/7': entry() })
    renderApp('/app/consultation/7')
    const choice = await screen.findByRole('switch', { name: 'May be shown to everybody' })
    const help = document.getElementById(choice.getAttribute('aria-describedby') ?? '')
    expect(help?.textContent).toMatch(/list of published answers.*numbers and addresses are hidden/)
  })
})

describe('the question of a consultation', () => {
  it('is shown in its other script in place, and back as it was written', async () => {
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry({ question: 'Gʻoʻza bargi sargʻaydi', language: 'uz' }),
    })
    renderApp('/app/consultation/7')
    const user = userEvent.setup()
    const button = await screen.findByRole('button', { name: 'Show in Cyrillic' })
    button.focus()
    await user.keyboard('{Enter}')
    expect(screen.getByText('Ғўза барги сарғайди').getAttribute('lang')).toBe('uz-Cyrl')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show as written' }))
    await user.keyboard('{Enter}')
    expect(screen.getByText('Gʻoʻza bargi sargʻaydi').getAttribute('lang')).toBe('uz')
    expect(findPuts(calls)).toEqual([])
  })

  it('is shown as it was written when another one was shown in its other script before', async () => {
    const next = entry({ question: 'Paxta qachon ekiladi', language: 'uz' })
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry({ question: 'Gʻoʻza bargi sargʻaydi', language: 'uz' }),
      'GET /api/consultations/8': { ...next, data: { ...next.data, id: 8 } },
    })
    // The panel has both questions already, so it goes from one to the other without a page between them.
    const { router } = renderApp('/app/consultation/8')
    expect(await screen.findByText('Paxta qachon ekiladi')).toBeTruthy()
    await router.navigate({ to: '/app/consultation/7' })
    expect(await screen.findByText('Gʻoʻza bargi sargʻaydi')).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show in Cyrillic' }))
    await router.navigate({ to: '/app/consultation/8' })
    expect(await screen.findByText('Paxta qachon ekiladi')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Show in Cyrillic' })).toBeTruthy()
  })

  it('has no other script in a language with one', async () => {
    fakeApi({ 'GET /api/users/me': owner, 'GET /api/consultations/7': entry() })
    renderApp('/app/consultation/7')
    expect(await screen.findByText('Why are the leaves yellow?')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Show in/ })).toBeNull()
  })
})

describe('the answer of a consultation', () => {
  it('shows both texts of an answer after a conflict, and overwrites the other one if the user chooses so', async () => {
    let isRefused = false
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry(),
      'PUT /api/consultations/7': () => {
        if (isRefused) return Response.json(entry({ answer: '<p>Mine</p>', version: 6 }))
        isRefused = true
        return answerWithConflict('<p>Theirs</p>')()
      },
    })
    keepDraft('<p>Mine</p>')
    const user = userEvent.setup()
    renderApp('/app/consultation/7')
    await user.click(await screen.findByRole('button', { name: 'Save the answer' }))
    expect(await screen.findByText('Theirs')).toBeTruthy()
    expect(screen.getAllByText('Mine').length).toBeGreaterThan(0)
    expect(localStorage.getItem('draft/answer/1/7')).toContain('Mine')
    await user.click(screen.getByRole('button', { name: 'Keep mine' }))
    expect(await screen.findByText('The answer is saved')).toBeTruthy()
    expect(findPuts(calls)).toEqual([
      { data: { answer: '<p>Mine</p>', version: 3 } },
      { data: { answer: '<p>Mine</p>', version: 5 } },
    ])
    await waitFor(() => expect(localStorage.getItem('draft/answer/1/7')).toBeNull())
  })

  it('takes the other user’s text of an answer without another write', async () => {
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry(),
      'PUT /api/consultations/7': answerWithConflict('<p>Theirs</p>'),
    })
    keepDraft('<p>Mine</p>')
    const user = userEvent.setup()
    renderApp('/app/consultation/7')
    await user.click(await screen.findByRole('button', { name: 'Save the answer' }))
    await user.click(await screen.findByRole('button', { name: 'Take theirs' }))
    await waitFor(() => expect(screen.queryByText('Theirs')).toBeNull())
    expect(localStorage.getItem('draft/answer/1/7')).toBeNull()
    expect(findPuts(calls)).toHaveLength(1)
  })

  it('asks nothing about an answer when only other fields of the consultation were changed', async () => {
    let tryCount = 0
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry(),
      'PUT /api/consultations/7': () => {
        tryCount += 1
        return tryCount === 1
          ? answerWithConflict(attributes.answer)()
          : Response.json(entry({ answer: '<p>Mine</p>', version: 6 }))
      },
    })
    keepDraft('<p>Mine</p>')
    const user = userEvent.setup()
    renderApp('/app/consultation/7')
    await user.click(await screen.findByRole('button', { name: 'Save the answer' }))
    expect(await screen.findByText('The answer is saved')).toBeTruthy()
    expect(findPuts(calls).at(-1)).toEqual({ data: { answer: '<p>Mine</p>', version: 5 } })
  })

  it('reports a failed save of an answer also after the user has opened the next question', async () => {
    const refusal = Promise.withResolvers<void>()
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry(),
      'PUT /api/consultations/7': async () => {
        await refusal.promise
        return errorAnswer(500, 'InternalServerError', 'internal server error', 'server.internal')
      },
    })
    keepDraft('<p>Mine</p>')
    const { router } = renderApp('/app/consultation/7')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Save the answer' }))
    await router.navigate({ href: '/app/profile' })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save the answer' })).toBeNull())
    refusal.resolve()
    expect(await screen.findByText('Consultation no. 7 was not saved')).toBeTruthy()
    expect(localStorage.getItem('draft/answer/1/7')).toContain('Mine')
  })

  it('shows an answer to its author when the question was finished', async () => {
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry({ status: 'finished', finished_at: '2026-03-01T12:00:00.000Z' }),
    })
    keepDraft('<p>Mine</p>')
    renderApp('/app/consultation/7')
    expect(await screen.findByText(/Your text was not sent/)).toBeTruthy()
    expect(screen.getByText('Mine')).toBeTruthy()
  })

  it('locks the answer for another consultant, with the reason', async () => {
    const role = { id: 4, name: 'Registered user', type: 'authenticated' }
    fakeApi({
      'GET /api/users/me': { ...owner, id: 4, is_consultant: true, role },
      'GET /api/consultations/7': entry(),
    })
    renderApp('/app/consultation/7')
    expect(await screen.findByText(/Timur A\. answers this question/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save the answer' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
  })

  it('shows similar answered questions, and copies an answer only into an empty one', async () => {
    const similarAnswer = {
      id: 3,
      question: 'Why are the leaves pale?',
      answer: '<p>Lack of iron</p>',
      category: { id: 2, name: 'Diseases' },
      answered_at: '2026-02-01T10:00:00.000Z',
      is_public: true,
    }
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry(),
      'GET /api/consultations/7/similar': { results: [similarAnswer] },
    })
    const user = userEvent.setup()
    renderApp('/app/consultation/7')
    await user.click(await screen.findByRole('button', { name: /Why are the leaves pale\?.*Diseases.*published/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Consultation no. 3' })
    expect(within(dialog).getByText('Lack of iron')).toBeTruthy()
    const copy = within(dialog).getByRole('button', { name: 'Copy to the answer' })
    expect(copy.getAttribute('aria-disabled')).toBe('true')
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(await screen.findByRole('button', { name: 'Save the answer' })).toBeTruthy()
  })

  it('ends the wait for a reply after a question, without a required reason', async () => {
    const waitingFields = {
      answer: null,
      status: 'assigned',
      answered_at: null,
      waiting_since: '2026-03-01T10:00:00.000Z',
    }
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry(waitingFields),
      'POST /api/consultations/7/no-reply': entry({ ...waitingFields, waiting_since: null }),
    })
    const user = userEvent.setup()
    renderApp('/app/consultation/7')
    await user.click(await screen.findByRole('button', { name: 'No reply needed' }))
    const dialog = await screen.findByRole('dialog', { name: 'No reply needed' })
    await user.click(within(dialog).getByRole('button', { name: 'No reply needed' }))
    await waitFor(() => expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ data: {} }))
  })

  it('names the open variables of a canned reply, and saves no answer with one', async () => {
    const calls = fakeApi({ 'GET /api/users/me': owner, 'GET /api/consultations/7': entry() })
    keepDraft('<p>Apply {{ amount }} kg</p>')
    const user = userEvent.setup()
    renderApp('/app/consultation/7')
    expect(await screen.findByRole('button', { name: 'Fill in amount' })).toBeTruthy()
    const save = screen.getByRole('button', { name: 'Save the answer' })
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await user.click(save)
    expect(findPuts(calls)).toEqual([])
    expect(screen.getByRole('combobox', { name: 'Quick replies' })).toBeTruthy()
  })

  it('requires a note to hand a consultation over, and shows the note in its history', async () => {
    const [gulshat, timur] = ['gulshat', 'timur'].map((username, index) => ({
      id: 8 + index,
      username,
      first_name: null,
      last_name: null,
      avatar: null,
    }))
    const step = {
      at: '2026-03-02T10:00:00.000Z',
      user: gulshat,
      action: 'assign',
      from: timur,
      to: gulshat,
      note: 'Knows maize',
    }
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry(),
      'GET /api/consultations/7/steps': { results: [step] },
      'POST /api/consultations/7/assign': entry(),
    })
    const user = userEvent.setup()
    renderApp('/app/consultation/7')
    expect(await screen.findByText('Knows maize')).toBeTruthy()
    expect(screen.getByText('Handed over. Before: timur, now: gulshat')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Reassign' }))
    const note = await screen.findByRole('textbox', { name: /Note for the colleague/ })
    await user.click(screen.getByRole('button', { name: 'Assign' }))
    expect(await screen.findByText('Please give a reason')).toBeTruthy()
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    await user.type(note, 'On leave')
    await user.click(screen.getByRole('button', { name: 'Assign' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
        data: { to: 6, note: 'On leave', from: 6 },
      }),
    )
  })

  it('finishes a consultation without an answer only with a reason', async () => {
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/consultations/7': entry({ answer: null, status: 'assigned', answered_at: null }),
      'POST /api/consultations/7/finish': entry({ status: 'finished' }),
    })
    const user = userEvent.setup()
    renderApp('/app/consultation/7')
    await user.click(await screen.findByRole('button', { name: 'Finish' }))
    const reason = await screen.findByRole('textbox', { name: /Reason/ })
    await user.click(screen.getAllByRole('button', { name: 'Finish' }).at(-1) ?? reason)
    expect(await screen.findByText('Please give a reason')).toBeTruthy()
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    await user.type(reason, 'Asked twice')
    await user.click(screen.getAllByRole('button', { name: 'Finish' }).at(-1) ?? reason)
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ data: { reason: 'Asked twice' } }),
    )
  })
})
