import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lesson as outlineLesson } from '../../../testing/course.ts'
import { type FakeCall, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const learner = { ...owner, id: 5, role: { id: 4, name: 'Authenticated', type: 'authenticated' } }
const video = { file: '/uploads/a.mp4', duration_s: 600 }
const lesson = (lessonFields: object = {}, course: object = {}) => ({
  id: 11,
  attributes: {
    title: 'Water',
    content: '<p>Text</p>',
    kind: 'single',
    state: 'visible',
    complete_when: 'watched',
    locale: 'en',
    updatedAt: '2026-03-01T10:00:00.000Z',
    course: { data: { id: 7, attributes: { title: 'Drip irrigation', state: 'published', ...course } } },
    attachments: { data: [] },
    localizations: { data: [] },
    ...lessonFields,
  },
})
const makeStudiedLesson = (id: number, percent: number, position_s = 0) => ({
  id,
  percent,
  position_s,
  part: '',
  completed: percent === 100,
  parts: [{ part: '', percent, position_s, completed: percent === 100 }],
})
const progress = (lessons: object[], progressFields: object = {}) => ({
  data: { percent: 33, completed_at: null, certificate: null, lessons, ...progressFields },
  meta: {},
})
const outline = {
  version: 1,
  groups: [],
  lessons: [outlineLesson(10, 'Before'), outlineLesson(11, 'Water'), outlineLesson(13, 'After')],
}
const progressAnswer = { data: { lesson_percent: 20, course_percent: 33, completed: false, ignored: 0 }, meta: {} }
const makeAnswers = (
  lessonAnswer: ReturnType<typeof lesson>,
  lessons = [makeStudiedLesson(10, 100), makeStudiedLesson(11, 20, 254), makeStudiedLesson(13, 0)],
) => ({
  'GET /api/users/me': learner,
  'GET /api/lessons/11': { data: lessonAnswer, meta: {} },
  'GET /api/courses/7/outline': { data: outline, meta: {} },
  'GET /api/courses/7/progress': progress(lessons),
  'POST /api/lessons/11/progress': progressAnswer,
})
const findPosts = (calls: readonly FakeCall[]) =>
  calls.filter(({ method }) => method === 'POST').map(({ body }) => (body as { data: unknown }).data)

/** Lets the video element report a moment of playing, as a browser does. */
function report(player: HTMLVideoElement, event: string, playerTime: number): void {
  Object.defineProperty(player, 'currentTime', { configurable: true, writable: true, value: playerTime })
  Object.defineProperty(player, 'duration', { configurable: true, value: 600 })
  Object.defineProperty(player, 'readyState', { configurable: true, value: 4 })
  fireEvent(player, new Event(event))
}

beforeEach(() => localStorage.setItem('token', 'a'))
afterEach(() => vi.restoreAllMocks())

describe('a lesson for a learner', () => {
  it('shows the percentage and the marks of the lessons, and records that the lesson was opened', async () => {
    const calls = fakeApi(makeAnswers(lesson()))
    renderApp('/app/e-learning/lesson-seen/11')
    const list = await screen.findByRole('complementary', { name: 'Course outline' })
    expect(await within(list).findByText('33%')).toBeTruthy()
    expect(within(list).getByText('1 / 3 lessons')).toBeTruthy()
    expect(within(list).getByRole('link', { name: /^Before Completed 10:00/ })).toBeTruthy()
    expect(
      within(list)
        .getByRole('link', { name: /^Water Started/ })
        .getAttribute('aria-current'),
    ).toBe('page')
    await waitFor(() => expect(findPosts(calls)).toEqual([{ part: '', opened: true }]))
    expect(screen.queryByText('As the learner sees it')).toBeNull()
  })
  it('continues a video where the learner stopped, and sends the watched intervals on a pause', async () => {
    const calls = fakeApi(makeAnswers(lesson({ video })))
    renderApp('/app/e-learning/lesson-seen/11')
    const player = await screen.findByLabelText<HTMLVideoElement>('Water', { selector: 'video' })
    expect(screen.getByText('Continued from 4:14')).toBeTruthy()
    report(player, 'loadedmetadata', 0)
    expect(player.currentTime).toBe(254)
    const positionSlider = screen.getByRole('slider', { name: 'Position in the video' })
    expect(positionSlider.getAttribute('aria-valuetext')).toBe('4 minutes 14 seconds of 10 minutes')
    report(player, 'playing', 254)
    report(player, 'timeupdate', 260)
    report(player, 'seeking', 500)
    report(player, 'playing', 500)
    report(player, 'pause', 502)
    await waitFor(() => expect(findPosts(calls)).toHaveLength(2))
    const watchedIntervals = [
      [254, 260],
      [500, 502],
    ]
    expect(findPosts(calls)[1]).toEqual({ part: '', position_s: 502, watched: watchedIntervals })
  })
  it('keeps the stored position when the file of a video cannot be loaded', async () => {
    const calls = fakeApi({
      ...makeAnswers(lesson({ video })),
      'HEAD /uploads/a.mp4': () => new Response(null, { status: 404 }),
    })
    renderApp('/app/e-learning/lesson-seen/11')
    const player = await screen.findByLabelText<HTMLVideoElement>('Water', { selector: 'video' })
    fireEvent(player, new Event('error'))
    expect((await screen.findByRole('alert')).textContent).toContain('The file of this video no longer exists.')
    await waitFor(() => expect(findPosts(calls)).toEqual([{ part: '', opened: true }]))
  })
  it('stores progress while there is no connection, and sends it when there is one', async () => {
    let isOffline = true
    const calls = fakeApi({
      ...makeAnswers(lesson({ complete_when: 'marked' })),
      'POST /api/lessons/11/progress': () => {
        if (isOffline) throw new TypeError('Failed to fetch')
        return Response.json(progressAnswer)
      },
    })
    renderApp('/app/e-learning/lesson-seen/11')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'I have studied it' }))
    expect(await screen.findByText(/Your progress is stored on this device/)).toBeTruthy()
    isOffline = false
    const formerCount = findPosts(calls).length
    window.dispatchEvent(new Event('online'))
    await waitFor(() => expect(screen.queryByText(/Your progress is stored on this device/)).toBeNull())
    expect(findPosts(calls).slice(formerCount)).toEqual([{ part: '', opened: true, marked: true }])
    window.dispatchEvent(new Event('online'))
    expect(findPosts(calls)).toHaveLength(formerCount + 1)
  })
  it('announces a completed lesson, and the completed course, but not the state in which the page opens', async () => {
    let lessons = [makeStudiedLesson(10, 100), makeStudiedLesson(11, 0)]
    fakeApi({
      ...makeAnswers(lesson({ complete_when: 'marked' })),
      'GET /api/courses/7/progress': () =>
        Response.json(progress(lessons, { certificate: lessons.at(-1)?.percent === 100 ? 'ABC' : null })),
    })
    renderApp('/app/e-learning/lesson-seen/11')
    const list = await screen.findByRole('complementary', { name: 'Course outline' })
    await within(list).findByText('1 / 2 lessons')
    expect(within(list).getByRole('status').textContent).toBe('')
    lessons = [makeStudiedLesson(10, 100), makeStudiedLesson(11, 100)]
    const button = screen.getByRole('button', { name: 'I have studied it' })
    expect(button.getAttribute('aria-pressed')).toBeNull()
    await userEvent.setup().click(button)
    await waitFor(() =>
      expect(within(list).getByRole('status').textContent).toBe(
        '2 of 2 lessons completed. You have completed the course.',
      ),
    )
  })
  it('announces what a key of the player has changed', async () => {
    fakeApi(makeAnswers(lesson({ video })))
    renderApp('/app/e-learning/lesson-seen/11')
    const player = await screen.findByLabelText<HTMLVideoElement>('Water', { selector: 'video' })
    report(player, 'loadedmetadata', 0)
    const playerRegion = within(screen.getByRole('region', { name: 'Player: Water' }))
    const user = userEvent.setup()
    playerRegion.getByRole('button', { name: 'Play' }).focus()
    await user.keyboard('>')
    expect(playerRegion.getByRole('status').textContent).toBe('Speed: 1.25×')
    await user.keyboard('m')
    expect(playerRegion.getByRole('status').textContent).toBe('Volume: 0%')
    await user.keyboard('5')
    expect(playerRegion.getByRole('status').textContent).toBe('5 minutes of 10 minutes')
    report(player, 'timeupdate', 320)
    expect(playerRegion.getByRole('status').textContent).toBe('5 minutes of 10 minutes')
    playerRegion.getByRole('slider', { name: 'Position in the video' }).focus()
    await user.keyboard('{ArrowRight}')
    expect(playerRegion.getByRole('status').textContent).toBe('5 minutes of 10 minutes')
  })
  it('locks the lessons after the first incomplete one of a course in order, and names it', async () => {
    const calls = fakeApi(
      makeAnswers(lesson({}, { in_order: true }), [
        makeStudiedLesson(10, 0),
        makeStudiedLesson(11, 0),
        makeStudiedLesson(13, 0),
      ]),
    )
    renderApp('/app/e-learning/lesson-seen/11')
    expect(await screen.findByRole('heading', { name: 'This lesson is not open yet' })).toBeTruthy()
    expect(screen.queryByText('Text')).toBeNull()
    expect(screen.getAllByText('Opens after “Before”')).toHaveLength(2)
    expect(screen.queryByRole('link', { name: /After/ })).toBeNull()
    expect(findPosts(calls)).toEqual([])
  })
  it('offers the certificate below the last lesson of a completed course', async () => {
    const completedLessons = [makeStudiedLesson(10, 100), makeStudiedLesson(11, 100)]
    fakeApi({
      ...makeAnswers(lesson()),
      'GET /api/courses/7/outline': {
        data: { ...outline, lessons: [outlineLesson(10, 'Before'), outlineLesson(11, 'Water')] },
        meta: {},
      },
      'GET /api/courses/7/progress': progress(completedLessons, { percent: 100, certificate: 'ABC' }),
    })
    renderApp('/app/e-learning/lesson-seen/11')
    expect(await screen.findByRole('button', { name: 'Download the certificate' })).toBeTruthy()
  })
})
