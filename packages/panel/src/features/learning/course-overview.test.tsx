import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { answers, course, outline, refusal, sentOrders } from '../../testing/course.ts'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the page of a course', () => {
  it('shows the outline of a course in order, with what each lesson lacks', async () => {
    fakeApi(answers)
    renderApp('/app/e-learning/7')
    expect(await screen.findByRole('heading', { level: 1, name: 'Drip irrigation' })).toBeTruthy()
    await screen.findByRole('link', { name: 'Water' })
    const lessons = within(screen.getByRole('region', { name: 'Course outline' })).getAllByRole('link')
    expect(lessons.map((link) => link.getAttribute('aria-label') ?? link.textContent)).toEqual([
      'Add group',
      'Basics',
      'Add a lesson to “Basics”',
      'Water',
      'Soil',
      'Field',
      'Add a lesson to “Field”',
      'Questions',
      'Add lesson',
    ])
    expect(screen.getByText('No lessons in this group yet.')).toBeTruthy()
    expect(
      screen.getByText('No text and no video: Русский; Linked video is private or was removed: English'),
    ).toBeTruthy()
    expect(screen.getByText('pipes').tagName).toBe('B')
    expect(screen.getByText('2 groups, 3 lessons, 30 minutes')).toBeTruthy()
  })

  it('moves a lesson by its menu and by keys, keeps the focus and announces the new position', async () => {
    const storedOutline = { ...outline, version: 6 }
    const calls = fakeApi({ ...answers, 'PUT /api/courses/7/outline': { data: storedOutline, meta: {} } })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Actions for Water' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move down' }))
    await waitFor(() => expect(sentOrders(calls)).toEqual([[5, [12, 11], [], [13]]]))
    expect((await screen.findAllByText('“Water”: position 2 of 2, Basics')).length).toBeGreaterThan(0)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions for Water' })))
    screen.getByRole('link', { name: 'Water' }).focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(sentOrders(calls).at(-1)).toEqual([6, [12], [11], [13]]))
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Water' }))
  })

  it('takes a move of a lesson back by the undo of its message', async () => {
    const calls = fakeApi({ ...answers, 'PUT /api/courses/7/outline': { data: { ...outline, version: 6 }, meta: {} } })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    const link = await screen.findByRole('link', { name: 'Soil' })
    link.focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(sentOrders(calls)).toEqual([[5, [11], [12], [13]]]))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(sentOrders(calls).at(-1)).toEqual([6, [11, 12], [], [13]]))
  })

  it('renames a lesson in place by F2 and a group by its menu, and leaves a title on Escape', async () => {
    const calls = fakeApi({
      ...answers,
      'PUT /api/lessons/11': { data: { id: 11, attributes: {} }, meta: {} },
      'PUT /api/lessongroups/1': { data: { id: 1, attributes: {} }, meta: {} },
    })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    const link = await screen.findByRole('link', { name: 'Water' })
    link.focus()
    await user.keyboard('{F2}Rain{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Water' })))
    expect(await screen.findByText('Lesson updated successfully')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Actions for Basics' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const input = await screen.findByRole('textbox', { name: 'New title of “Basics”' })
    await user.clear(input)
    await user.type(input, 'Start{Enter}')
    screen.getByRole('link', { name: 'Soil' }).focus()
    await user.keyboard('{F2}Other{Escape}')
    const renameBodies = calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])
    expect(renameBodies).toEqual([
      ['/api/lessons/11', { data: { title: 'Rain' } }],
      ['/api/lessongroups/1', { data: { title: 'Start' } }],
    ])
  })

  it('duplicates a lesson by its menu', async () => {
    const copy = { id: 20, attributes: { title: 'Water' } }
    const calls = fakeApi({ ...answers, 'POST /api/lessons/11/duplicate': { data: copy, meta: {} } })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Actions for Water' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/api/lessons/11/duplicate'))
  })

  it('moves a lesson of a course to another group', async () => {
    const calls = fakeApi({ ...answers, 'PUT /api/courses/7/outline': { data: outline, meta: {} } })
    renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Actions for Questions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move to another group' }))
    const dialog = await screen.findByRole('dialog', { name: 'Move to another group' })
    await user.click(within(dialog).getByRole('button', { name: 'Move' }))
    await waitFor(() => expect(sentOrders(calls)).toEqual([[5, [11, 12, 13], [], []]]))
  })

  const check = {
    languages: [
      { locale: 'en', lessons: 3, visible: 3, published: true },
      { locale: 'ru', lessons: 2, visible: 3, published: true },
      { locale: 'kaa', lessons: 0, visible: 3, published: false },
    ],
    errors: [{ lesson: null, title: 'Suw', locale: 'kaa', code: 'course.no-lesson' }],
    warnings: [{ lesson: 12, title: 'Soil', locale: 'ru', code: 'lesson.outdated' }],
  }
  const change = { kind: 'changed', resource: 'lessons', record: 11, id: 11, title: 'Water', locales: ['en'] }
  const diff = {
    published_at: '2026-03-01T10:00:00.000Z',
    changes: [
      { ...change, locale: null, fields: [{ name: 'position', before: 1, after: 2 }] },
      { ...change, locale: 'en', fields: [{ name: 'content', before: 'use 1 bar', after: 'use 2 bar' }] },
      { ...change, record: 14, id: 14, title: 'Filters', kind: 'added', locale: null, fields: [] },
    ],
    losses: [{ id: 13, title: 'Old pump', learners: 14, completed: 2 }],
  }
  const publishAnswer = {
    ...answers,
    'GET /api/courses/7/check': { data: check, meta: {} },
    'GET /api/courses/7/diff': { data: diff, meta: {} },
  }
  const openDialog = async () => {
    const user = userEvent.setup()
    renderApp('/app/e-learning/7')
    await user.click(await screen.findByRole('button', { name: 'Publish' }))
    return { user, dialog: within(await screen.findByRole('dialog', { name: 'Publish the course' })) }
  }

  it('names in the dialog of publishing what each language lacks, with links, and what learners see changed', async () => {
    fakeApi(publishAnswer)
    const { dialog } = await openDialog()
    expect((await dialog.findByText('No visible lesson with text or video')).getAttribute('href')).toBe(
      '/app/e-learning/course-detail/7?lang=kaa',
    )
    expect(dialog.getByRole('link', { name: '“Soil”: older than its source' }).getAttribute('href')).toBe(
      '/app/e-learning/7?lesson=12&text=ru',
    )
    const languageBoxes = dialog.getAllByRole<HTMLInputElement>('checkbox')
    expect(languageBoxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ])
    const changes = within(dialog.getByRole('region', { name: 'Changes for learners' }))
    expect(changes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'WaterPosition in the groupuse 12 bar Full text, English',
      'FiltersNew: English',
    ])
    expect([changes.getByText('1').tagName, changes.getByText('2', { selector: 'ins' }).tagName]).toEqual([
      'DEL',
      'INS',
    ])
    expect(changes.getByText(/Learners lose: “Old pump”/)).toBeTruthy()
  })

  it('names missing files, unfinished uploads and private videos in the dialog of publishing', async () => {
    const problem = (code: string, problemFields: object = {}) => ({
      lesson: 11,
      title: 'Water',
      locale: 'en',
      code,
      ...problemFields,
    })
    const errors = [
      problem('lesson.file-missing', { file: 'film.mp4' }),
      problem('lesson.file-missing', { file: 'plan.pdf' }),
      problem('lesson.upload-running', { file: 'cues.vtt' }),
    ]
    const warnings = [problem('lesson.video-unreachable')]
    fakeApi({ ...publishAnswer, 'GET /api/courses/7/check': { data: { ...check, errors, warnings }, meta: {} } })
    const { dialog } = await openDialog()
    await dialog.findByText('3 errors prevent it')
    const lines = dialog.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    const address = '/app/e-learning/7?lesson=11&text=en'
    expect(lines).toEqual([
      ['“Water”: the file film.mp4 is missing, upload it again', address],
      ['“Water”: the file plan.pdf is missing, upload it again', address],
      ['“Water”: the upload of cues.vtt is not finished', address],
      ['“Water”: the linked video is private or was removed', address],
    ])
    expect(dialog.getByRole('checkbox', { name: /English/ })).toHaveProperty('disabled', true)
  })

  it('publishes a course in the chosen languages by Ctrl Enter', async () => {
    const calls = fakeApi({ ...publishAnswer, 'POST /api/courses/7/publish': { data: course, meta: {} } })
    const { user, dialog } = await openDialog()
    await user.click(await dialog.findByRole('checkbox', { name: /Русский/ }))
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { data: { locales: ['en'], version: 3 } },
    ])
  })

  it('shows a refused publication in the dialog, and never publishes without a language', async () => {
    fakeApi({ ...publishAnswer, 'POST /api/courses/7/publish': () => refusal(409, 'record.stale', {}) })
    const { user, dialog } = await openDialog()
    await user.click(await dialog.findByRole('button', { name: /^Publish: English and Русский/ }))
    expect(await dialog.findByText('Someone else has changed this record. Reload it before saving.')).toBeTruthy()
    for (const name of [/English/, /Русский/]) await user.click(dialog.getByRole('checkbox', { name }))
    expect(dialog.getByRole('button', { name: /^Publish/ }).getAttribute('aria-disabled')).toBe('true')
  })

  it('discards the draft of a course after a question, and duplicates the course', async () => {
    const attributes = { ...course.attributes, state: 'published', changed_since_publish: true }
    const calls = fakeApi({
      ...publishAnswer,
      'GET /api/courses/7': { data: { id: 7, attributes }, meta: {} },
      'GET /api/courses/8': { data: { ...course, id: 8 }, meta: {} },
      'GET /api/courses/8/outline': { data: outline, meta: {} },
      'POST /api/courses/7/discard': { data: course, meta: {} },
      'POST /api/courses/7/duplicate': { data: { ...course, id: 8 }, meta: {} },
    })
    const { router } = renderApp('/app/e-learning/7')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Discard changes…' }))
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/e-learning/8'))
    expect(calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).toEqual([
      ['/api/courses/7/discard', { data: { version: 3 } }],
      ['/api/courses/7/duplicate', undefined],
    ])
  })

  it('shows that a step of a course waits for the previous step, and takes it then', async () => {
    const attributes = { ...course.attributes, state: 'published' }
    let isHeld = false
    let release = () => undefined as void
    const releasedLock = new Promise<void>((resolve) => (release = resolve))
    const calls = fakeApi({
      ...answers,
      'GET /api/courses/7': () => Response.json({ data: { id: 7, attributes }, meta: {} }),
      'GET /api/courses/7/outline': async () => {
        if (isHeld) await releasedLock
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
    const withdrawButton = await screen.findByRole('button', { name: 'Unpublish' })
    await screen.findByRole('link', { name: 'Water' })
    isHeld = true
    await user.click(withdrawButton)
    const archiveButton = await screen.findByRole('button', { name: 'Archive' })
    expect(archiveButton.getAttribute('aria-disabled')).toBe('true')
    release()
    await waitFor(() => expect(archiveButton.getAttribute('aria-disabled')).toBeNull())
    await user.click(archiveButton)
    await screen.findByRole('button', { name: 'Return to draft' })
    const steps = calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
    expect(steps).toEqual([{ data: { state: 'draft', version: 3 } }, { data: { state: 'archived', version: 4 } }])
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
