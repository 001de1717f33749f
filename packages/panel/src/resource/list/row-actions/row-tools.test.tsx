import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, type FakeCall, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const tag = (id: number, name: string, version = 1) => ({
  id,
  attributes: { name, slug: `tag-${id}`, color: '#1a2b3c', version, locale: 'en', outdated: false },
})
const tags = [tag(1, 'Cotton'), tag(2, 'Rice'), tag(3, 'Wheat')]
const page = (total = tags.length) => ({
  data: tags,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total } },
})

const job = (jobChanges: object = {}) => ({
  data: {
    id: 9,
    resource: 'tags',
    action: { kind: 'remove' },
    mode: 'each',
    dryRun: false,
    state: 'finished',
    count: 3,
    done: 3,
    changed: 3,
    unchanged: 0,
    refused: 0,
    changedFields: 3,
    canUndo: true,
    createdAt: '2026-11-26T08:00:00.000Z',
    startedAt: '2026-11-26T08:00:00.000Z',
    finishedAt: '2026-11-26T08:00:01.000Z',
    ...jobChanges,
  },
  meta: {},
})
const rows = (...data: object[]) => ({
  data,
  meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: data.length } },
})

const answers = { 'GET /api/users/me': owner, 'GET /api/tags': page() }
const bulkBodiesOf = (calls: readonly FakeCall[]) =>
  calls.filter(({ method, path }) => method === 'POST' && path === '/api/bulk').map(({ body }) => body)

beforeEach(() => localStorage.setItem('token', 'a'))

/**
 * Waits until the keys of the list, which load when the page is idle, work and `j` has focused the first row.
 */
const waitForKeys = (user: UserEvent) =>
  waitFor(async () => {
    await user.keyboard('j')
    expect(document.activeElement?.textContent).toBe('Wheat')
  })

/** Opens the cell with the name of a row. Returns its focused input. */
async function openName(user: UserEvent): Promise<HTMLElement> {
  const link = await screen.findByRole('link', { name: 'Rice' })
  link.focus()
  // Cell editing of the list loads when the page is idle.
  await waitFor(async () => {
    await user.keyboard('{F2}')
    expect(screen.getByRole('textbox', { name: 'Name, Rice' })).toBeTruthy()
  })
  const input = screen.getByRole('textbox', { name: 'Name, Rice' })
  await waitFor(() => expect(document.activeElement).toBe(input))
  return input
}

describe('selected rows', () => {
  it('announces selected rows by number, and extends the selection to the whole filter', async () => {
    fakeApi({ ...answers, 'GET /api/tags': page(248) })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Rice' }))
    const pageCheckbox = screen.getByRole('checkbox', { name: 'Select all rows of this page' })
    expect(pageCheckbox).toHaveProperty('indeterminate', true)
    expect(screen.getAllByRole('status').some(({ textContent }) => textContent === '1 item selected')).toBe(true)
    await user.click(pageCheckbox)
    await user.click(await screen.findByRole('button', { name: 'Select all 248' }))
    expect(screen.getAllByText('248 items selected').length).toBeGreaterThan(0)
    await waitForKeys(user)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('248 items selected')).toBeNull())
  })

  it('returns the focus to the row when the bar of selected rows closes', async () => {
    fakeApi(answers)
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Rice' }))
    await waitForKeys(user)
    await user.click(await screen.findByRole('button', { name: 'Clear selection' }))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Wheat'))
  })

  it('moves the focus to the row that takes the place of a deleted row', async () => {
    let listedTags = tags
    fakeApi({
      ...answers,
      'GET /api/tags': () => Response.json({ ...page(listedTags.length), data: listedTags }),
      'GET /api/tags/2/uses': () => Response.json({ data: [] }),
      'DELETE /api/tags/2': () => {
        listedTags = tags.filter(({ id }) => id !== 2)
        return Response.json({ data: tags[1], meta: {} })
      },
    })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    await screen.findByRole('link', { name: 'Wheat' })
    await waitForKeys(user)
    await user.click(await screen.findByRole('button', { name: 'Actions for Rice' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Select Rice' })).toBeNull())
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Wheat'))
  })

  it('shows the progress of a running bulk job when the page is opened again', async () => {
    const runningJob = { id: 77, state: 'running', done: 1 }
    fakeApi({
      ...answers,
      'GET /api/bulk': rows(job(runningJob).data, job({ id: 76, state: 'running', dryRun: true }).data),
      'GET /api/bulk/77': job({ id: 77 }),
    })
    renderApp('/app/settings/tags')
    expect(await screen.findByRole('progressbar')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'Stop' })).toHaveLength(1)
    expect(await screen.findByText('3 records changed')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  })

  it('deletes selected rows after a dry run that names the refused ones', async () => {
    const calls = fakeApi({
      ...answers,
      'POST /api/bulk': ({ body }) =>
        Response.json(
          job(
            JSON.stringify(body).includes('dryRun')
              ? { changed: 2, refused: 1, dryRun: true }
              : { changed: 2, refused: 1 },
          ),
        ),
      'GET /api/bulk/9/rows': rows({
        id: 2,
        name: 'Rice',
        outcome: 'refused',
        code: 'record.in-use',
        message: 'It is in use',
      }),
    })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete 3 records?' })
    expect(await within(dialog).findByText('1 record cannot be deleted:')).toBeTruthy()
    expect((await within(dialog).findByRole('link', { name: 'Rice' })).getAttribute('href')).toBe(
      '/app/settings/tags/2',
    )
    const run = within(dialog).getByRole('button', { name: 'Delete 2 records' })
    await user.click(within(dialog).getByRole('checkbox'))
    expect(run.getAttribute('aria-disabled')).toBe('true')
    await user.click(within(dialog).getByRole('checkbox'))
    await user.click(run)
    expect(await within(dialog).findByText('1 record was refused:')).toBeTruthy()
    // The pressed button of the dialog is gone, but the focus is still in the dialog.
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Close' }))
    expect(bulkBodiesOf(calls)).toEqual([
      { data: { resource: 'tags', action: { kind: 'remove' }, selection: { ids: [1, 2, 3] }, dryRun: true } },
      { data: { resource: 'tags', action: { kind: 'remove' }, selection: { ids: [1, 2, 3] }, mode: 'each' } },
    ])
  })

  it('previews a bulk edit again when the list has changed in the meantime', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/tags': page(248),
      'POST /api/bulk': ({ body }) =>
        JSON.stringify(body).includes('251')
          ? Response.json(job({ count: 251, changed: 251 }))
          : Response.json(
              {
                data: null,
                error: {
                  status: 409,
                  name: 'ConflictError',
                  message: 'differs',
                  code: 'bulk.count-differs',
                  details: { expected: 248, actual: 251 },
                },
              },
              { status: 409 },
            ),
    })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }))
    await user.click(await screen.findByRole('button', { name: 'Select all 248' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Check again' }))
    expect(await screen.findByRole('button', { name: 'Delete 251 records' })).toBeTruthy()
    expect(bulkBodiesOf(calls)).toHaveLength(2)
  })
})

describe('a cell', () => {
  it('edits a cell with the keyboard alone, checks it, and saves it with its version', async () => {
    const calls = fakeApi({ ...answers, 'POST /api/bulk': job({ count: 1, changed: 1 }) })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    const name = await screen.findByRole('link', { name: 'Rice' })
    name.focus()
    // The row tools load when the page is idle.
    await waitFor(async () => {
      await user.keyboard('{F2}')
      expect(screen.getByRole('textbox', { name: 'Name, Rice' })).toBeTruthy()
    })
    const input = screen.getByRole('textbox', { name: 'Name, Rice' })
    await waitFor(() => expect(document.activeElement).toBe(input))
    await user.clear(input)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
    expect(bulkBodiesOf(calls)).toEqual([])
    await user.type(input, 'Shali{Enter}')
    await waitFor(() =>
      expect(bulkBodiesOf(calls)).toEqual([
        {
          data: {
            resource: 'tags',
            action: { kind: 'edit', rows: [{ id: 2, version: 1, values: { name: 'Shali' } }] },
            mode: 'all',
          },
        },
      ]),
    )
    // The test waits for the toast, so that the toast is closed before the next test.
    expect(await screen.findByText('1 cell saved')).toBeTruthy()
  })

  it('saves a cell once on a press elsewhere, unless its value is wrong, and not on Escape', async () => {
    const calls = fakeApi({ ...answers, 'POST /api/bulk': job({ count: 1, changed: 1 }) })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    const clickHeading = async () => await user.click(screen.getByRole('heading', { level: 1 }))
    const wrongInput = await openName(user)
    await user.clear(wrongInput)
    await clickHeading()
    await waitFor(() => expect(wrongInput.getAttribute('aria-invalid')).toBe('true'))
    await user.type(wrongInput, 'Wheat{Escape}')
    await waitFor(() => expect(wrongInput.isConnected).toBe(false))
    const input = await openName(user)
    await user.clear(input)
    await user.type(input, 'Shali')
    await clickHeading()
    expect(await screen.findByText('1 cell saved')).toBeTruthy()
    expect(input.isConnected).toBe(false)
    await waitFor(() =>
      expect(bulkBodiesOf(calls).map((body) => JSON.stringify(body).includes('Shali'))).toEqual([true]),
    )
  })

  it('keeps the typed text of a cell, and the rows around it, when the server does not answer', async () => {
    let isLost = false
    const calls = fakeApi({
      ...answers,
      'GET /api/tags': () => {
        return isLost ? errorAnswer(500, 'InternalServerError', 'Internal error') : Response.json(page())
      },
      'POST /api/bulk': () => {
        isLost = true
        throw new TypeError('Failed to fetch')
      },
    })
    renderApp('/app/settings/tags')
    const user = userEvent.setup()
    const input = await openName(user)
    await user.clear(input)
    const readCount = calls.filter(({ method, path }) => method === 'GET' && path === '/api/tags').length
    await user.type(input, 'Barley{Enter}')
    expect(await screen.findByText('Barley')).toBeTruthy()
    // The second request for the list, after the save, fails too.
    await waitFor(() =>
      expect(calls.filter(({ method, path }) => method === 'GET' && path === '/api/tags').length).toBeGreaterThan(
        readCount,
      ),
    )
    expect((await screen.findAllByText(/1 cell is not saved/)).length).toBeGreaterThan(0)
    expect(screen.getByRole('link', { name: 'Cotton' })).toBeTruthy()
    expect(screen.getByText('Barley')).toBeTruthy()
  })

  it('keeps the typed text of a cell when the server refuses it', async () => {
    fakeApi({
      ...answers,
      'POST /api/bulk': job({ state: 'refused', changed: 0, refused: 1, canUndo: false }),
      'GET /api/bulk/9/rows': rows({
        id: 2,
        name: 'Rice',
        outcome: 'refused',
        code: 'validation.unique',
        issues: [
          {
            path: ['name'],
            message: 'This attribute must be unique',
            name: 'ValidationError',
            code: 'validation.unique',
            params: {},
          },
        ],
      }),
    })
    const { unmount } = renderApp('/app/settings/tags')
    const user = userEvent.setup()
    const input = await openName(user)
    await user.clear(input)
    await user.type(input, 'Cotton{Enter}')
    await screen.findByRole('region', { name: '1 cell is not saved' })
    // The draft of a cell survives a reload.
    unmount()
    renderApp('/app/settings/tags')
    const bar = await screen.findByRole('region', { name: '1 cell is not saved' })
    // The list shows the stored value, and the cell the typed one.
    expect(screen.getByRole('link', { name: 'Rice' })).toBeTruthy()
    await user.click(within(bar).getByRole('button', { name: 'Go to the error' }))
    expect(await screen.findByRole('textbox', { name: 'Name, Rice' })).toHaveProperty('value', 'Cotton')
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Undo all' }))
    expect(screen.queryByRole('region', { name: '1 cell is not saved' })).toBeNull()
  })

  it('never overwrites a value that a colleague has saved before the user has seen it', async () => {
    let listedTags = tags
    const calls = fakeApi({
      ...answers,
      'GET /api/tags': () => Response.json({ ...page(), data: listedTags }),
      'POST /api/bulk': job({ count: 1, changed: 1 }),
    })
    const { queryClient } = renderApp('/app/settings/tags')
    const user = userEvent.setup()
    const saveAsColleague = async (name: string, version: number) => {
      listedTags = [tag(1, 'Cotton'), tag(2, name, version), tag(3, 'Wheat')]
      await queryClient.invalidateQueries({ queryKey: ['resource'] })
      await screen.findByRole('link', { name })
    }
    const input = await openName(user)
    await saveAsColleague('Paddy', 2)
    // The old value of a cell must not be saved when the user leaves it without typing.
    await user.click(screen.getByRole('heading', { level: 1 }))
    await waitFor(() => expect(input.isConnected).toBe(false))
    expect(screen.queryByRole('region', { name: /not saved/ })).toBeNull()

    screen.getByRole('link', { name: 'Paddy' }).focus()
    await user.keyboard('{F2}')
    const reopenedInput = await screen.findByRole('textbox', { name: 'Name, Paddy' })
    await user.clear(reopenedInput)
    await user.type(reopenedInput, 'Shali')
    await saveAsColleague('Oryza', 3)
    await user.keyboard('{Enter}')
    const bar = await screen.findByRole('region', { name: '1 cell is not saved' })
    expect(within(bar).getByText('A colleague has changed it in the meantime: Oryza')).toBeTruthy()
    expect(bulkBodiesOf(calls)).toEqual([])
    // The user has seen the conflict and saves the cell again on purpose.
    await user.click(within(bar).getByRole('button', { name: 'Go to the error' }))
    expect(await screen.findByRole('textbox', { name: 'Name, Oryza' })).toHaveProperty('value', 'Shali')
    await user.keyboard('{Enter}')
    await waitFor(() =>
      expect(JSON.stringify(bulkBodiesOf(calls))).toContain('{"id":2,"version":3,"values":{"name":"Shali"}}'),
    )
  })

  it('stores an edited cell until the response when the list is left, and reports a failure', async () => {
    let listedTags = tags
    let answer: (response: Response) => void = () => undefined
    const calls = fakeApi({
      ...answers,
      'GET /api/tags': () => Response.json({ ...page(), data: listedTags }),
      'POST /api/bulk': () => new Promise<Response>((resolve) => (answer = resolve)),
    })
    const { router } = renderApp('/app/settings/tags')
    const user = userEvent.setup()
    const storedDraft = () => localStorage.getItem('draft/cells/1/tags') ?? ''
    const hideRow = async () => {
      await router.navigate({ to: '/app/profile' })
      await waitFor(() => expect(screen.queryByRole('link', { name: 'Cotton' })).toBeNull())
    }
    const typeAndLeaveCell = async (name: string) => {
      await user.clear(screen.getByRole('textbox'))
      await user.keyboard(`${name}{Enter}`)
      await waitFor(() => expect(JSON.stringify(bulkBodiesOf(calls))).toContain(name))
      expect(storedDraft()).toContain(name)
      await hideRow()
    }
    await openName(user)
    await typeAndLeaveCell('Shali')
    answer(errorAnswer(500, 'InternalServerError', 'Internal error'))
    expect(await screen.findByText('Tag was not saved')).toBeTruthy()
    expect(storedDraft()).toContain('Shali')

    await router.navigate({ to: '/app/settings/tags' })
    const bar = await screen.findByRole('region', { name: '1 cell is not saved' })
    await user.click(within(bar).getByRole('button', { name: 'Go to the error' }))
    expect(await screen.findByRole('textbox', { name: 'Name, Rice' })).toHaveProperty('value', 'Shali')
    await typeAndLeaveCell('Barley')
    listedTags = [tag(1, 'Cotton'), tag(2, 'Barley', 2), tag(3, 'Wheat')]
    answer(Response.json(job({ count: 1, changed: 1 })))
    await waitFor(() => expect(storedDraft()).toBe(''))
    await router.navigate({ to: '/app/settings/tags' })
    await screen.findByRole('link', { name: 'Barley' })
    expect(screen.queryByRole('region', { name: /not saved/ })).toBeNull()
  })

  it('drops a stored draft of a cell whose value is saved by now', async () => {
    const draft = (name: string, value: string) => ({ place: { id: 2, name }, value, words: value })
    // Drafts of a page that was reloaded before its answer, from a version without `seen`.
    localStorage.setItem('draft/cells/1/tags', JSON.stringify([draft('name', 'Rice'), draft('slug', 'shali')]))
    fakeApi(answers)
    renderApp('/app/settings/tags')
    expect(await screen.findByRole('region', { name: '1 cell is not saved' })).toBeTruthy()
    await waitFor(() => expect(localStorage.getItem('draft/cells/1/tags')).not.toContain('Rice'))
    expect(localStorage.getItem('draft/cells/1/tags')).toContain('shali')
  })

  it('compares the draft of a cell on another page with the stored value before saving', async () => {
    const draft = { place: { id: 77, name: 'name' }, value: 'Jute', words: 'Jute', seen: [{ name: 'Flax' }] }
    localStorage.setItem('draft/cells/1/tags', JSON.stringify([draft]))
    const calls = fakeApi({ ...answers, 'GET /api/tags/77': { data: tag(77, 'Hemp', 5) } })
    renderApp('/app/settings/tags')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Save 1 cell' }))
    expect(await screen.findByText('A colleague has changed it in the meantime: Hemp')).toBeTruthy()
    expect(bulkBodiesOf(calls)).toEqual([])
  })
})

describe('the keys of a list', () => {
  it('moves from the search to the first row, and from its form back to the same row', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/tags': ({ query }) =>
        Response.json(query.includes('Ric') ? { ...page(2), data: tags.slice(1) } : page()),
      'GET /api/tags/3': { data: tag(3, 'Wheat'), meta: {} },
    })
    const user = userEvent.setup()
    const { router } = renderApp('/app/settings/tags')
    const search = await screen.findByRole('searchbox')
    await user.click(search)
    await user.keyboard('Ric{Enter}')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Rice'))
    expect(calls.some(({ query }) => query.includes('Ric'))).toBe(true)
    expect(screen.queryByRole('link', { name: 'Cotton' })).toBeNull()
    await waitForKeys(user)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags/3'))
    await screen.findByRole('textbox', { name: /^Name/ })
    act(() => router.history.back())
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Wheat'))
  })

  it('clears the search of a list with Escape, and leaves it with the next Escape', async () => {
    fakeApi(answers)
    const user = userEvent.setup()
    renderApp('/app/settings/tags')
    const search = await screen.findByRole('searchbox')
    await user.click(search)
    await user.keyboard('Ri{Escape}')
    expect([(search as HTMLInputElement).value, document.activeElement === search]).toEqual(['', true])
    await user.keyboard('{Escape}')
    expect(document.activeElement).not.toBe(search)
  })
})

describe('a cell of a translated text', () => {
  it('edits a translated cell in the language of the user, and keeps the other languages', async () => {
    const unit = { id: 3, attributes: { name: { en: 'kilo', ru: 'кило' }, code: 'kg', version: 1 } }
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/units': { ...page(1), data: [unit] },
      'POST /api/bulk': job({ resource: 'units' }),
      'GET /api/bulk/9': job({ resource: 'units' }),
    })
    const user = userEvent.setup()
    renderApp('/app/settings/unit')
    const link = await screen.findByRole('link', { name: 'kilo' })
    link.focus()
    const label = 'Name (English), kilo'
    await waitFor(async () => {
      await user.keyboard('{F2}')
      expect(screen.getByRole('textbox', { name: label })).toBeTruthy()
    })
    const input = screen.getByRole('textbox', { name: label })
    expect((input as HTMLInputElement).value).toBe('kilo')
    await user.clear(input)
    await user.type(input, 'kilogram{Enter}')
    await waitFor(() => expect(bulkBodiesOf(calls)).toHaveLength(1))
    expect(bulkBodiesOf(calls)[0]).toMatchObject({
      data: { action: { rows: [{ id: 3, values: { name: { en: 'kilogram', ru: 'кило' } } }] } },
    })
  })
})
