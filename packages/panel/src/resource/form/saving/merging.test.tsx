import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { bodies, tagAnswers, tagFamily } from '../../../testing/tags.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

const colleague = { id: 9, username: 'aygul', first_name: 'Aygul', last_name: 'Seytova' }
const tagWith = (change: object) => ({ ...tagFamily, attributes: { ...tagFamily.attributes, ...change } })

/** A server where a colleague changes the record as soon as the form is loaded; it refuses older versions. */
function editorName(change: object) {
  let now = tagFamily
  let hasConflicted = false
  return fakeApi({
    ...tagAnswers,
    'GET /api/tags/5': () => Response.json({ data: now, meta: {} }),
    'PUT /api/tags/5': ({ body }) => {
      const { version, ...sentFields } = (body as { data: { version: number } }).data
      if (!hasConflicted) {
        hasConflicted = true
        now = tagWith({ ...change, version: 4 })
      }
      if (version !== now.attributes.version) {
        const details = { current: { id: 5 }, changedBy: colleague, changedAt: '2026-03-01T10:05:00.000Z' }
        return Response.json(
          { data: null, error: { status: 409, name: 'ConflictError', message: '', code: 'record.stale', details } },
          { status: 409 },
        )
      }
      now = tagWith({ ...now.attributes, ...sentFields, version: version + 1 })
      return Response.json({ data: now, meta: {} })
    },
  })
}

async function typeAndSaveText(text: string) {
  const user = userEvent.setup()
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })
  await user.type(name, text)
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  return { user, name }
}

describe('a save after a change of a colleague', () => {
  it('merges a save where it does not overlap a colleague’s change, and shows what came from whom', async () => {
    const calls = editorName({ slug: 'cotton' })
    renderApp('/app/settings/tags/5')
    await typeAndSaveText(' plant')
    expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
    expect(await screen.findByText(/^Saved together with the changes by.*Aygul Seytova/)).toBeTruthy()
    expect(screen.getByDisplayValue('cotton')).toBeTruthy()
    expect(bodies(calls)).toEqual([
      ['PUT', '/api/tags/5', { data: { name: 'Cotton plant', version: 3 } }],
      ['PUT', '/api/tags/5', { data: { name: 'Cotton plant', version: 4 } }],
    ])
  })

  it('asks about a field that both users have changed, with nothing preselected, and saves the choice', async () => {
    const calls = editorName({ name: 'Cotton wool' })
    renderApp('/app/settings/tags/5')
    const { user, name } = await typeAndSaveText(' plant')
    const dialog = await screen.findByRole('dialog', { name: 'Two versions of the same field' })
    const ownRadio = await within(dialog).findByRole('radio', { name: 'You (Aysánem Qurbanbaeva)' })
    const colleagueRadio = within(dialog).getByRole('radio', { name: 'Aygul Seytova' })
    expect([ownRadio, colleagueRadio]).toMatchObject([{ checked: false }, { checked: false }])
    expect(within(dialog).getByText('Cotton plant')).toBeTruthy()
    expect(within(dialog).getByText('Cotton wool')).toBeTruthy()
    const save = within(dialog).getByRole('button', { name: 'Save the choice' })
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await user.click(ownRadio)
    await user.click(save)
    expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
    expect(name.value).toBe('Cotton plant')
    expect(bodies(calls).at(-1)).toEqual(['PUT', '/api/tags/5', { data: { name: 'Cotton plant', version: 4 } }])
  })

  it('takes the colleague’s value without a further message when the user chooses it', async () => {
    const calls = editorName({ name: 'Cotton wool' })
    renderApp('/app/settings/tags/5')
    const { user, name } = await typeAndSaveText(' plant')
    await user.click(await screen.findByRole('radio', { name: 'Aygul Seytova' }))
    await user.click(screen.getByRole('button', { name: 'Save the choice' }))
    await waitFor(() => expect(name.value).toBe('Cotton wool'))
    expect(bodies(calls)).toHaveLength(1)
  })

  it('keeps both texts when the user leaves the question about a conflict, and asks again at the next save', async () => {
    const calls = editorName({ name: 'Cotton wool' })
    renderApp('/app/settings/tags/5')
    const { user, name } = await typeAndSaveText(' plant')
    const dialog = await screen.findByRole('dialog', { name: 'Two versions of the same field' })
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(name.value).toBe('Cotton plant')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByRole('dialog', { name: 'Two versions of the same field' })).toBeTruthy()
    expect(bodies(calls)).toHaveLength(1)
  })

  it('undoes a merged save, with the version that it created', async () => {
    const calls = fakeApi({ ...tagAnswers, 'PUT /api/tags/5': { data: tagWith({ version: 8 }), meta: {} } })
    renderApp('/app/settings/tags/5')
    const { user } = await typeAndSaveText('!')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(bodies(calls)).toHaveLength(2))
    expect(bodies(calls)[1]).toEqual(['PUT', '/api/tags/5', { data: { name: 'Cotton', version: 8 } }])
  })
})

describe('a draft', () => {
  const draftOf = (user: number, name: string, base: string) => {
    const texts = (text: string) => ({ shared: { slug: 'paxta', color: '' }, texts: { en: { name: text } } })
    // The draft is 225 seconds old, so that a slow machine also shows it as three minutes old.
    const draft = { at: new Date(Date.now() - 225_000).toISOString(), values: texts(name), base: texts(base) }
    localStorage.setItem(`draft/form/${user}/tags/5`, JSON.stringify(draft))
  }

  it('offers a draft with its age, and merges the draft with the newer record', async () => {
    draftOf(1, 'Cotton seed', 'Cotton')
    fakeApi({ ...tagAnswers, 'GET /api/tags/5': { data: tagWith({ slug: 'cotton', version: 4 }), meta: {} } })
    renderApp('/app/settings/tags/5')
    expect(await screen.findByText('What you typed 3 minutes ago was kept and is shown here.')).toBeTruthy()
    expect(screen.getByDisplayValue('Cotton seed')).toBeTruthy()
    expect(screen.getByDisplayValue('cotton')).toBeTruthy()
  })

  it('does not overwrite a newer value of a field from a draft, but asks the user', async () => {
    draftOf(1, 'Cotton seed', 'Cotton')
    const calls = fakeApi({
      ...tagAnswers,
      'GET /api/tags/5': { data: tagWith({ name: 'Wool', version: 4 }), meta: {} },
    })
    renderApp('/app/settings/tags/5')
    expect(await screen.findByDisplayValue('Cotton seed')).toBeTruthy()
    expect(screen.getByText(/Someone else has changed 1 field/)).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Save changes' }))
    const dialog = await screen.findByRole('dialog', { name: 'Two versions of the same field' })
    expect(within(dialog).getByText('Wool')).toBeTruthy()
    expect(bodies(calls)).toEqual([])
  })

  it('never shows a draft to another user', async () => {
    draftOf(2, 'Cotton seed', 'Cotton')
    fakeApi(tagAnswers)
    renderApp('/app/settings/tags/5')
    expect(await screen.findByDisplayValue('Cotton')).toBeTruthy()
    expect(screen.queryByDisplayValue('Cotton seed')).toBeNull()
  })
})
