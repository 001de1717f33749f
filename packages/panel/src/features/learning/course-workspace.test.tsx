import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, lesson, outline, refusal, sentOrders } from '../../testing/course.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { setWindowWidth } from '../../testing/window-width.ts'

const storedEntry = (id: number, title: string) => ({
  data: {
    id,
    attributes: {
      title,
      locale: 'en',
      kind: 'single',
      state: 'visible',
      version: 1,
      course: { data: { id: 7, attributes: { title: 'Drip irrigation' } } },
      localizations: { data: [] },
    },
  },
  meta: {},
})
const check = {
  languages: [{ locale: 'en', lessons: 2, visible: 3, published: true }],
  errors: [
    { lesson: 12, title: 'Soil', locale: 'en', code: 'lesson.empty' },
    { lesson: 13, title: 'Questions', locale: 'en', code: 'lesson.empty' },
  ],
  warnings: [],
}
const job = {
  id: 5,
  resource: 'lessons',
  action: { kind: 'set', values: { state: 'hidden' } },
  mode: 'each',
  dryRun: false,
  state: 'finished',
  count: 2,
  done: 2,
  changed: 2,
  unchanged: 0,
  refused: 0,
  changedFields: 3,
  canUndo: true,
  createdAt: '2026-03-01T10:00:00.000Z',
  startedAt: '2026-03-01T10:00:00.000Z',
  finishedAt: '2026-03-01T10:00:01.000Z',
}
const allAnswers = {
  ...answers,
  'GET /api/lessons/11': storedEntry(11, 'Water'),
  'GET /api/lessons/12': storedEntry(12, 'Soil'),
  'GET /api/courses/7/check': { data: check, meta: {} },
}
const row = (name: string) => screen.findByRole('link', { name })

beforeEach(() => {
  localStorage.setItem('token', 'a')
  return () => setWindowWidth(1440)
})

describe('the page of a course for its authors', () => {
  it('opens a lesson beside the outline by keys, with its address, and returns to the row on Escape', async () => {
    fakeApi(allAnswers)
    const { router } = renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    const basicsRow = await row('Basics')
    basicsRow.focus()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toBe(await row('Soil'))
    await user.keyboard('{Enter}')
    const pane = screen.getByRole('region', { name: 'Soil' })
    expect(document.activeElement).toBe(pane)
    expect(await within(pane).findByRole('heading', { level: 2, name: 'Soil' })).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: 'Drip irrigation' })).toBeTruthy()
    expect(router.state.location.search).toEqual({ lesson: '12' })
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(await row('Soil'))
    expect((await row('Soil')).getAttribute('aria-current')).toBe('true')
  })

  it('moves a lesson by Alt and an arrow on its handle too, and the focus stays on the row', async () => {
    const calls = fakeApi(allAnswers)
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    const dragHandle = await screen.findByRole('button', { name: 'Move Water' })
    const help = await screen.findByText('Alt with the up or down arrow moves the row.')
    expect(dragHandle.getAttribute('aria-describedby')).toBe(help.id)
    dragHandle.focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(sentOrders(calls)).toHaveLength(1))
    expect(document.activeElement).toBe(await row('Water'))
  })

  it('asks before an open lesson with unsaved text is replaced by another one', async () => {
    fakeApi(allAnswers)
    const { router } = renderApp('/app/e-learning/7?lesson=11')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: /^Title/ }), ' and soil')
    await user.click(await row('Soil'))
    const question = within(await screen.findByRole('dialog', { name: /unsaved/i }))
    await user.click(question.getByRole('button', { name: /draft/i }))
    await screen.findByRole('region', { name: 'Soil' })
    router.history.back()
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Title/ }).value).toBe('Water and soil'),
    )
  })

  it('opens a lesson as its own page in a narrow window', async () => {
    setWindowWidth(768)
    fakeApi(allAnswers)
    const { router } = renderApp('/app/e-learning/7?lesson=11&text=ru')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/e-learning/lesson-seen/11'))
    expect(router.state.location.search).toEqual({ view: 'edit', lang: 'ru' })
  })

  it('marks new, changed and hidden lessons, and leads to those that block publishing', async () => {
    const lessons = [
      lesson(13, 'Pumps', { change: 'new' }),
      lesson(14, 'Tubes', { change: 'changed', state: 'hidden', duration_s: 706 }),
    ]
    fakeApi({ ...allAnswers, 'GET /api/courses/7/outline': { data: { ...outline, lessons }, meta: {} } })
    renderApp('/app/e-learning/7')
    const pumpsRow = (await row('Pumps')).closest('li')
    const tubesItem = (await row('Tubes')).closest('li')
    expect(pumpsRow?.textContent).toContain('new')
    expect(tubesItem?.textContent).toMatch(/changed.*Hidden.*11:46/)
    const blockerLink = await screen.findByRole('link', { name: '2 lessons block publishing: English' })
    expect(blockerLink.getAttribute('href')).toBe('/app/e-learning/7?lesson=12&text=en')
  })

  it('hides selected lessons with one job, and offers the undo', async () => {
    const calls = fakeApi({ ...allAnswers, 'POST /api/bulk': { data: job, meta: {} } })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    const waterRow = await row('Water')
    waterRow.focus()
    await user.keyboard('{Shift>} {/Shift}')
    await user.keyboard('{ArrowDown}{Shift>} {/Shift}')
    expect(screen.getByText('2 items selected')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all lessons of “Basics”' }).checked).toBe(
      true,
    )
    await user.click(screen.getByRole('button', { name: 'Hide from learners' }))
    await screen.findByRole('button', { name: 'Undo' })
    const bulkCalls = calls.filter(({ method, path }) => method === 'POST' && path === '/api/bulk')
    expect(bulkCalls.map(({ body }) => body)).toEqual([
      {
        data: {
          resource: 'lessons',
          action: { kind: 'set', values: { state: 'hidden' } },
          selection: { ids: [11, 12] },
        },
      },
    ])
    expect(screen.queryByRole('checkbox', { name: 'Select Water' })).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Water' })))
  })

  it('moves selected lessons to a group with one request, and takes them back', async () => {
    const calls = fakeApi({
      ...allAnswers,
      'PUT /api/courses/7/outline': { data: { ...outline, version: 6 }, meta: {} },
    })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Select lessons' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select all lessons of “Basics”' }))
    await user.click(screen.getByRole('button', { name: 'Move to another group' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Move to another group' }))
    await user.click(dialog.getByRole('button', { name: 'Move' }))
    await waitFor(() => expect(sentOrders(calls)).toEqual([[5, [], [11, 12], [13]]]))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(sentOrders(calls).at(-1)).toEqual([6, [11, 12], [], [13]]))
  })

  describe('after a colleague has changed the order', () => {
    const presentOutline = {
      ...outline,
      version: 9,
      groups: outline.groups.toReversed(),
      lessons: [...outline.lessons, lesson(15, 'Wells')],
    }
    const openConflict = async () => {
      const retriedAnswer = vi.fn<() => Response>(() =>
        Response.json({ data: { ...presentOutline, version: 10 }, meta: {} }),
      )
      let wasRefused = false
      const calls = fakeApi({
        ...allAnswers,
        'PUT /api/courses/7/outline': () => {
          if (wasRefused) return retriedAnswer()
          wasRefused = true
          return refusal(409, 'record.stale', { current: presentOutline })
        },
      })
      renderApp('/app/e-learning/7')
      const user = userEvent.setup()
      const soilRow = await row('Soil')
      soilRow.focus()
      await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
      return {
        calls,
        user,
        again: retriedAnswer,
        dialog: within(await screen.findByRole('dialog', { name: /two versions/ })),
      }
    }
    it('shows both orders of lessons with their differences, and repeats the move of a lesson', async () => {
      const { calls, user, dialog } = await openConflict()
      expect(dialog.getByRole('region', { name: 'Your order' }).textContent).toBe(
        'Your orderBasicsanother placeSoil another placeWater FieldWithout a groupQuestions ',
      )
      expect(dialog.getByRole('region', { name: 'Their order' }).textContent).toBe(
        'Their orderFieldBasicsanother placeWater Soil another placeWithout a groupQuestions Wells added by them',
      )
      expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
      await user.click(dialog.getByRole('button', { name: 'Move again' }))
      await waitFor(() => expect(sentOrders(calls).at(-1)).toEqual([9, [], [12, 11], [13, 15]]))
      expect(screen.queryByRole('dialog', { name: /two versions/ })).toBeNull()
    })

    it('keeps the order of lessons that a colleague has stored, on demand', async () => {
      const { user, again, dialog } = await openConflict()
      await user.click(dialog.getByRole('button', { name: 'Keep their order' }))
      await waitFor(() => expect(screen.queryByRole('dialog', { name: /two versions/ })).toBeNull())
      const lessons = within(screen.getByRole('region', { name: 'Course outline' }))
      expect(lessons.getByRole('link', { name: 'Wells' })).toBeTruthy()
      expect(again).not.toHaveBeenCalled()
    })
  })
})
