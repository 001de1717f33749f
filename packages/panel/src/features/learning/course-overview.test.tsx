import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const lesson = (id: number, title: string, more: object = {}) => ({
  id,
  title,
  locale: 'en',
  kind: 'single',
  state: 'visible',
  duration_s: 600,
  locales: ['en'],
  outdated_locales: [],
  problems: [],
  ...more,
})
const group = (id: number, title: string, lessons: object[]) => ({ id, title, locale: 'en', state: 'visible', lessons })
const outline = {
  version: 5,
  groups: [group(1, 'Basics', [lesson(11, 'Water'), lesson(12, 'Soil')]), group(2, 'Field', [])],
  lessons: [lesson(13, 'Questions', { problems: [{ locale: 'ru', code: 'lesson.empty' }] })],
}
const course = {
  id: 7,
  attributes: {
    title: 'Drip irrigation',
    description: '<p>About <b>pipes</b></p>',
    state: 'draft',
    version: 3,
    locale: 'en',
    updatedAt: '2026-03-01T10:00:00.000Z',
    lesson_count: 3,
    localizations: { data: [] },
  },
}
const answers = {
  'GET /api/users/me': owner,
  'GET /api/courses/7': { data: course, meta: {} },
  'GET /api/courses/7/outline': { data: outline, meta: {} },
}
const refusal = (status: number, code: string, details: object) =>
  Response.json({ data: null, error: { status, name: 'X', message: 'No', code, details } }, { status })

/** The orders that were sent: lists of lessons, the ungrouped ones last. */
const sent = (calls: { method: string; path: string; body: unknown }[]) =>
  calls
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => {
      const { data } = body as { data: { version: number; groups: { lessons: number[] }[]; lessons: number[] } }
      return [data.version, ...data.groups.map(({ lessons }) => lessons), data.lessons]
    })

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the page of a course', () => {
  it('shows the outline of a course in order, with what each lesson lacks', async () => {
    fakeApi(answers)
    renderApp('/app/e-learning/7')
    expect(await screen.findByRole('heading', { level: 1, name: 'Drip irrigation' })).toBeTruthy()
    await screen.findByRole('link', { name: 'Water' })
    const lessons = within(screen.getByRole('region', { name: 'Course outline' })).getAllByRole('link')
    expect(lessons.map(({ textContent }) => textContent)).toEqual([
      'Add lesson group',
      'Add lesson',
      'Basics',
      'Water',
      'Soil',
      'Field',
      'Questions',
    ])
    expect(screen.getByText('No lessons in this group yet.')).toBeTruthy()
    expect(screen.getByText('No text and no video: Русский')).toBeTruthy()
    expect(screen.getByText('pipes').tagName).toBe('B')
    expect(screen.getByText('30 minutes')).toBeTruthy()
  })

  it('moves a lesson by its menu and by keys, keeps the focus and announces the new position', async () => {
    const stored = { ...outline, version: 6 }
    const calls = fakeApi({ ...answers, 'PUT /api/courses/7/outline': { data: stored, meta: {} } })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Actions for Water' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move down' }))
    await waitFor(() => expect(sent(calls)).toEqual([[5, [12, 11], [], [13]]]))
    expect(screen.getByText('“Water”: position 2 of 2, Basics')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions for Water' })))
    screen.getByRole('link', { name: 'Water' }).focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(sent(calls).at(-1)).toEqual([6, [12], [11], [13]]))
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Water' }))
  })

  it('moves a lesson of a course to another group', async () => {
    const calls = fakeApi({ ...answers, 'PUT /api/courses/7/outline': { data: outline, meta: {} } })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Actions for Questions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move to another group' }))
    const dialog = await screen.findByRole('dialog', { name: 'Move to another group' })
    await user.click(within(dialog).getByRole('button', { name: 'Move' }))
    await waitFor(() => expect(sent(calls)).toEqual([[5, [11, 12, 13], [], []]]))
  })

  it('shows the order of a colleague after a conflict, and repeats the move of a lesson on demand', async () => {
    const present = { ...outline, version: 9, groups: outline.groups.toReversed() }
    let refused = false
    const calls = fakeApi({
      ...answers,
      'PUT /api/courses/7/outline': () => {
        if (refused) return Response.json({ data: { ...present, version: 10 }, meta: {} })
        refused = true
        return refusal(409, 'record.stale', { current: present })
      },
    })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    const link = await screen.findByRole('link', { name: 'Soil' })
    link.focus()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect((await screen.findByRole('alert')).textContent).toContain('Someone else has changed the order')
    await user.click(screen.getByRole('button', { name: 'Move again' }))
    await waitFor(() => expect(sent(calls).at(-1)).toEqual([9, [], [12, 11], [13]]))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('names what prevents publishing a course, each line with a link', async () => {
    fakeApi({
      ...answers,
      'PUT /api/courses/7': () =>
        refusal(422, 'course.not-ready', {
          missing: [
            { locale: 'ru', what: 'title' },
            { locale: 'ru', what: 'lesson' },
          ],
          errors: [],
        }),
    })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Publish' }))
    const dialog = await screen.findByRole('dialog', { name: /not ready to be published: 2 things/ })
    expect(within(dialog).getByText('A title is missing in this language: Русский')).toBeTruthy()
    expect(within(dialog).getByRole('link', { name: 'Write the title' }).getAttribute('href')).toBe(
      '/app/e-learning/course-detail/7?lang=ru',
    )
    expect((await within(dialog).findByRole('link', { name: 'Open the lesson “Water”' })).getAttribute('href')).toBe(
      '/app/e-learning/lesson-seen/11?view=edit&lang=ru',
    )
  })

  it('shows that a step of a course waits for the previous step, and takes it then', async () => {
    const attributes = { ...course.attributes }
    let isHeld = false
    let release = () => undefined as void
    const released = new Promise<void>((resolve) => (release = resolve))
    const calls = fakeApi({
      ...answers,
      'GET /api/courses/7': () => Response.json({ data: { id: 7, attributes }, meta: {} }),
      'GET /api/courses/7/outline': async () => {
        if (isHeld) await released
        return Response.json({ data: outline, meta: {} })
      },
      'PUT /api/courses/7': ({ body }) => {
        const { data } = body as { data: { state: string } }
        Object.assign(attributes, { state: data.state, version: attributes.version + 1 })
        return Response.json({ data: { id: 7, attributes }, meta: {} })
      },
    })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    const publish = await screen.findByRole('button', { name: 'Publish' })
    await screen.findByRole('link', { name: 'Water' })
    isHeld = true
    await user.click(publish)
    const back = await screen.findByRole('button', { name: 'Unpublish' })
    expect(back.getAttribute('aria-disabled')).toBe('true')
    release()
    await waitFor(() => expect(back.getAttribute('aria-disabled')).toBeNull())
    await user.click(back)
    await screen.findByRole('button', { name: 'Publish' })
    const steps = calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
    expect(steps).toEqual([{ data: { state: 'published', version: 3 } }, { data: { state: 'draft', version: 4 } }])
  })

  it('explains that the lessons of a group stay when the group is deleted', async () => {
    fakeApi(answers)
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Actions for Basics' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    expect(await screen.findByText(/Its lessons stay in the course without a group/)).toBeTruthy()
  })

  it('offers a learner only permitted actions of a course', async () => {
    fakeApi({ ...answers, 'GET /api/users/me': { ...owner, role: { id: 3, name: 'A', type: 'authenticated' } } })
    renderApp('/app/e-learning/7')
    await screen.findByRole('link', { name: 'Water' })
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Add lesson' })).toBeNull()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Actions for Water' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['View'])
  })
})
