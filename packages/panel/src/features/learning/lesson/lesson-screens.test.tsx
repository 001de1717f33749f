import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const parts = [
  { id: 'a', title: 'First', content: '<p>one</p>', videourl: null, attachments: [4] },
  { id: 'b', title: 'Second', content: '', videourl: '', attachments: [] },
]
const russian = { title: 'Вода', content: null, videourl: null, locale: 'ru', version: 1 }
const lesson = (lessonFields: object = {}) => ({
  id: 11,
  attributes: {
    title: 'Water',
    content: '<p>Text</p>',
    kind: 'single',
    state: 'visible',
    version: 2,
    locale: 'en',
    updatedAt: '2026-03-01T10:00:00.000Z',
    course: { data: { id: 7, attributes: { title: 'Drip irrigation' } } },
    attachments: { data: [] },
    localizations: { data: [{ id: 12, attributes: russian }] },
    ...lessonFields,
  },
})
const item = (id: number, title: string) => ({
  id,
  title,
  locale: 'en',
  kind: 'single',
  state: 'visible',
  duration_s: null,
  locales: ['en'],
  change: null,
  outdated_locales: [],
  problems: [],
})
const outline = { version: 1, groups: [], lessons: [item(10, 'Before'), item(11, 'Water'), item(13, 'After')] }
const makeAnswers = (lessonFields: object = {}) => ({
  'GET /api/users/me': owner,
  'GET /api/lessons/11': { data: lesson(lessonFields), meta: {} },
  'GET /api/courses/7/preview': {
    data: { course: { id: 7, attributes: { title: 'Drip irrigation' } }, outline },
    meta: {},
  },
})
const bodyOf = (calls: { method: string; body: unknown }[]) =>
  (calls.find(({ method }) => method === 'PUT')?.body as { data: Record<string, unknown> } | undefined)?.data

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the page of a lesson', () => {
  it('shows text and video of a lesson, and links to the lessons before and after', async () => {
    fakeApi(makeAnswers({ videourl: 'https://youtu.be/dQw4w9WgXcQ' }))
    renderApp('/app/e-learning/lesson-seen/11')
    expect(await screen.findByText('Text')).toBeTruthy()
    expect(await screen.findByRole('link', { name: /Previous lesson Before/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: /^Next lesson: After/ })).toBeTruthy()
    expect(document.querySelector('iframe')).toBeNull()
    await userEvent.setup().click(screen.getByRole('button', { name: /Play the video/ }))
    expect(document.querySelector('iframe')?.src).toBe('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ')
  })
  it('uses the language of the lesson’s address, and marks a video of another language', async () => {
    fakeApi(makeAnswers({ videourl: 'https://youtu.be/dQw4w9WgXcQ' }))
    renderApp('/app/e-learning/lesson-seen/11?lang=ru')
    expect(await screen.findByRole('heading', { level: 1, name: 'Вода' })).toBeTruthy()
    // The mark of a foreign video is in the learner's language, the line above the preview in the author's.
    expect(await screen.findByText('Видео на английском')).toBeTruthy()
    expect(screen.getByText(/There is no video in Russian/)).toBeTruthy()
    expect(screen.queryByText('Text')).toBeNull()
  })
  it('names the course of a lesson in the language of the lesson', async () => {
    fakeApi({
      ...makeAnswers(),
      'GET /api/lessons/12': {
        data: {
          id: 12,
          attributes: { ...russian, course: { data: { id: 6, attributes: { title: 'Капельное орошение' } } } },
        },
        meta: {},
      },
    })
    renderApp('/app/e-learning/lesson-seen/11?lang=ru')
    expect(await screen.findByRole('link', { name: /Капельное орошение/ })).toBeTruthy()
  })
  it('plays the uploaded video of a lesson with its poster and subtitles', async () => {
    const video = { file: '/uploads/a.mp4', poster: '/uploads/p.jpg' }
    fakeApi(makeAnswers({ video, subtitles: '/uploads/b.vtt' }))
    renderApp('/app/e-learning/lesson-seen/11')
    const player = await screen.findByLabelText<HTMLVideoElement>('Water', { selector: 'video' })
    expect([player.getAttribute('src'), player.getAttribute('poster')]).toEqual(['/uploads/a.mp4', '/uploads/p.jpg'])
    expect(player.querySelector('track')?.getAttribute('src')).toBe('/uploads/b.vtt')
  })
  it('shows the draft of a lesson to its author at two widths, and records no progress', async () => {
    const calls = fakeApi(makeAnswers())
    renderApp('/app/e-learning/lesson-seen/11')
    expect(await screen.findByText('draft, no progress is stored')).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Side by side' }))
    expect(await screen.findAllByText('Text')).toHaveLength(2)
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
  })
  it('shows the parts of a lesson in order', async () => {
    fakeApi(makeAnswers({ kind: 'multi', parts }))
    renderApp('/app/e-learning/lesson-seen/11')
    const firstPart = await screen.findByRole('button', { name: 'Part 1 First' })
    expect(screen.getByRole('heading', { name: 'Part 2 Second' })).toBeTruthy()
    expect(screen.queryByText('Text')).toBeNull()
    expect(screen.getByText('one')).toBeTruthy()
    await userEvent.setup().click(firstPart)
    expect(screen.queryByText('one')).toBeNull()
  })
})

describe('the form of a lesson', () => {
  it('shows one body for a single lesson and parts for several', async () => {
    fakeApi(makeAnswers({ kind: 'multi', parts }))
    renderApp('/app/e-learning/lesson-seen/11?view=edit')
    const user = userEvent.setup()
    expect(await screen.findByRole('heading', { name: 'Part 2' })).toBeTruthy()
    expect(screen.queryByText('Full text')).toBeNull()
    await user.click(screen.getByRole('combobox', { name: /^Kind/ }))
    await user.click(await screen.findByRole('option', { name: 'Single lesson' }))
    expect(await screen.findByText('Full text')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Part 2' })).toBeNull()
    expect(screen.getByText(/A single lesson can have only one part/)).toBeTruthy()
  })
  it('shows the uploaded video of a lesson, and removes it', async () => {
    const video = { file: '/uploads/a.mp4', duration_s: 754, width: 1280, height: 720, size: 86_000_000 }
    const calls = fakeApi({
      ...makeAnswers({ video, subtitles: '/uploads/b.vtt' }),
      'PUT /api/lessons/11': { data: lesson(), meta: {} },
    })
    renderApp('/app/e-learning/lesson-seen/11?view=edit')
    const user = userEvent.setup()
    expect(await screen.findByText(/^13 minutes · 1280 × 720 · 86/)).toBeTruthy()
    expect(await screen.findByRole('link', { name: 'Download the subtitles' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'None' }))
    expect(screen.queryByText(/1280 × 720/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(bodyOf(calls)).toMatchObject({ video: null }))
  })
  it('moves, changes and removes parts of a lesson, and preserves the hidden fields of the parts', async () => {
    const calls = fakeApi({
      ...makeAnswers({ kind: 'multi', parts }),
      'PUT /api/lessons/11': { data: lesson({ kind: 'multi', parts }), meta: {} },
    })
    renderApp('/app/e-learning/lesson-seen/11?view=edit')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Move down: Part 1' }))
    const [firstTitle] = screen.getAllByRole('textbox', { name: /Title of the part/ })
    expect(firstTitle).toHaveProperty('value', 'Second')
    await user.click(screen.getByRole('button', { name: 'Remove: Part 1' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Part 2' })).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(bodyOf(calls)).toBeTruthy())
    expect(bodyOf(calls)).toEqual({
      parts: [{ id: 'a', title: 'First', content: '<p>one</p>', videourl: '', attachments: [4] }],
      version: 2,
    })
  })
  it('sends the remaining parts of a lesson when the last part was removed', async () => {
    const calls = fakeApi({
      ...makeAnswers({ kind: 'multi', parts }),
      'PUT /api/lessons/11': { data: lesson({ kind: 'multi', parts }), meta: {} },
    })
    renderApp('/app/e-learning/lesson-seen/11?view=edit')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Remove: Part 2' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
    await user.click(screen.getByRole('button', { name: 'Add a part' }))
    const titles = screen.getAllByRole('textbox', { name: /Title of the part/ })
    await user.type(titles[1] ?? document.body, 'New')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() =>
      expect((bodyOf(calls)?.['parts'] as { title: string }[] | undefined)?.map(({ title }) => title)).toEqual([
        'First',
        'New',
      ]),
    )
  })

  it('shows below the link of a video what its site answered, until another address is typed', async () => {
    const link = {
      address: 'https://youtu.be/dQw4w9WgXcQ',
      state: 'unreachable',
      checked_at: '2026-03-02T10:00:00.000Z',
    }
    fakeApi({
      ...makeAnswers({ videourl: link.address }),
      'GET /api/lessons/11/video-links': { data: [link], meta: {} },
    })
    renderApp('/app/e-learning/lesson-seen/11?view=edit')
    const user = userEvent.setup()
    expect(
      await screen.findByText(/^Cannot be played here: the video is private or was removed. Checked on/),
    ).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: /^Video link/ }), '0')
    expect(screen.queryByText(/^Cannot be played here/)).toBeNull()
  })
})
