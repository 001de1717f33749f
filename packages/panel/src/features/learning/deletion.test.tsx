import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { lesson } from '../../testing/course.ts'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const outline = {
  version: 5,
  groups: [{ id: 1, title: 'Basics', locale: 'en', state: 'visible', lessons: [lesson(11, 'Water')] }],
  lessons: [],
}
const attributes = {
  title: 'Drip irrigation',
  state: 'published',
  version: 3,
  locale: 'en',
  localizations: { data: [] },
}
const uses = (...ownUses: object[]) => ({ data: ownUses })
const usage = (counts: object) => ({
  data: { learners: 0, completed: 0, attachments: 0, files: 0, translations: 0, lessons: 0, ...counts },
  meta: {},
})
const answers = {
  'GET /api/users/me': owner,
  'GET /api/courses/7': { data: { id: 7, attributes }, meta: {} },
  'GET /api/courses/7/outline': { data: outline, meta: {} },
  'GET /api/lessongroups/1/uses': uses({
    resource: 'lessons',
    field: 'lessongroup',
    count: 1,
    rule: 'detach',
    records: [],
  }),
  'GET /api/lessongroups/1/usage': usage({ learners: 14, completed: 2, lessons: 1, translations: 3 }),
}

const openDialog = async (item: string) => {
  const user = userEvent.setup()
  renderApp('/app/e-learning/7')
  await screen.findByRole('link', { name: 'Water' })
  await user.click(screen.getByRole('button', { name: item }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Do you want to delete this?' })) }
}
const findRemovals = (calls: readonly { method: string; path: string }[]) =>
  calls.flatMap(({ method, path }) => (method === 'DELETE' || method === 'POST' ? [`${method} ${path}`] : []))

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the question before a deletion', () => {
  it('counts what the deletion of a lesson concerns', async () => {
    fakeApi({
      ...answers,
      'GET /api/lessons/11/uses': uses(),
      'GET /api/lessons/11/usage': usage({ learners: 1204, completed: 30, attachments: 2, translations: 4 }),
    })
    const { dialog } = await openDialog('Actions for Water')
    await dialog.findByText('Learners with progress')
    const counts = dialog.getAllByRole('term').map(({ textContent, nextSibling }) => {
      return `${textContent}: ${nextSibling?.textContent}`
    })
    expect(counts).toEqual([
      'Learners with progress: 1,204',
      'Learners who completed it: 30',
      'Texts in all languages: 4',
      'Attachments: 2',
    ])
    expect(dialog.getByText(/until the course is published again/)).toBeTruthy()
  })

  it('moves the lessons of a group out unless they are to be deleted, and does not list them twice', async () => {
    const calls = fakeApi({ ...answers, 'DELETE /api/lessongroups/1': { data: { id: 1, attributes: {} }, meta: {} } })
    const { user, dialog } = await openDialog('Actions for Basics')
    expect(await dialog.findByRole('group', { name: 'The group has 1 lesson. What happens to it?' })).toBeTruthy()
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^Move out/ }).checked).toBe(true)
    expect(dialog.queryByText(/will no longer refer to it/)).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(findRemovals(calls)).toEqual(['DELETE /api/lessongroups/1']))
  })

  it('deletes the lessons of a group with the group on demand, and returns all of them by the undo', async () => {
    const calls = fakeApi({
      ...answers,
      'DELETE /api/lessongroups/1/with-lessons': { data: { id: 1, lessons: 1 }, meta: {} },
      'POST /api/lessongroups/1/restore': { data: { id: 1, attributes: {} }, meta: {} },
    })
    const { user, dialog } = await openDialog('Actions for Basics')
    await user.click(await dialog.findByRole('radio', { name: 'Delete too' }))
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(findRemovals(calls)).toEqual([
        'DELETE /api/lessongroups/1/with-lessons',
        'POST /api/lessongroups/1/restore',
      ]),
    )
  })

  it('warns before the deletion of a course that learners lose the course and its certificates immediately', async () => {
    fakeApi({
      ...answers,
      'GET /api/courses/7/uses': uses(),
      'GET /api/courses/7/usage': usage({ learners: 5, completed: 1, lessons: 1, files: 3 }),
    })
    const { dialog } = await openDialog('More actions')
    expect(await dialog.findByText(/Learners lose the course and their progress at once/)).toBeTruthy()
    expect(dialog.getByText(/Certificates of the course are not valid/)).toBeTruthy()
  })

  it('lets a deletion be confirmed although its counts could not be read', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/lessons/11/uses': uses(),
      'GET /api/lessons/11/usage': () => errorAnswer(500, 'InternalServerError', 'No'),
      'DELETE /api/lessons/11': { data: { id: 11, attributes: {} }, meta: {} },
    })
    const { user, dialog } = await openDialog('Actions for Water')
    await waitFor(() => expect(dialog.queryByText('Checking where it is used…')).toBeNull())
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(findRemovals(calls)).toEqual(['DELETE /api/lessons/11']))
  })

  it('moves the focus to the row in the place of a deleted lesson', async () => {
    let lessons = [lesson(11, 'Water'), lesson(12, 'Soil'), lesson(13, 'Pumps')]
    fakeApi({
      ...answers,
      'GET /api/courses/7/outline': () => Response.json({ data: { version: 5, groups: [], lessons }, meta: {} }),
      'GET /api/lessons/12/uses': uses(),
      'GET /api/lessons/12/usage': usage({}),
      'DELETE /api/lessons/12': () => {
        lessons = lessons.filter(({ id }) => id !== 12)
        return Response.json({ data: { id: 12, attributes: {} }, meta: {} })
      },
    })
    const { user, dialog } = await openDialog('Actions for Soil')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Soil' })).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Pumps' })))
  })
})
