import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => {
  localStorage.setItem('token', 'a')
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }))
})

const progress = ['en', 'ru', 'uz', 'kaa'].map((locale) => ({
  resource: 'tags',
  locale,
  total: 9,
  current: 7,
  outdated: 0,
  missing: 2,
}))
const imported = { id: 3, name: 'office.tmx', segments: 40, at: '2026-03-01T10:00:00.000Z' }
const answers = {
  'GET /api/users/me': owner,
  'GET /api/translations': { data: progress },
  'GET /api/memory/imports': { data: [imported] },
  'GET /api/tags': { data: [], meta: { pagination: { page: 1, pageSize: 20, pageCount: 0, total: 0 } } },
}
const record = {
  resource: 'tags',
  id: 5,
  name: 'Rice',
  outcome: 'written',
  reason: null,
  issues: [],
  field: null,
  fields: 1,
}
const refused = { ...record, id: 6, name: 'Wheat', outcome: 'refused', reason: 'source' }
const delivery = {
  data: [record, refused],
  meta: { source: 'ru', target: 'kaa', counts: { written: 1, unchanged: 0, empty: 0, refused: 1 } },
}
const file = (name: string) => new File(['<x/>'], name, { type: 'application/xml' })
const chooseFile = async (label: string, chosen: File) =>
  userEvent.upload(await screen.findByLabelText(label, { selector: 'input' }), chosen)

async function openMemory() {
  renderApp('/app/translations')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Translation memory (TMX)' }))
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Translation memory (TMX)' })) }
}

async function openWork() {
  renderApp('/app/translations/tags/kaa')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Files for translators' }))
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Texts to translate (XLIFF)' })) }
}

describe('the files of the translation memory', () => {
  it('downloads the memory of two languages', async () => {
    const calls = fakeApi({ ...answers, 'GET /api/memory/tmx': () => new Response('<tmx/>') })
    const { user, dialog } = await openMemory()
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    await waitFor(() =>
      expect(calls.find(({ path }) => path === '/api/memory/tmx')?.query).toBe('?source=ru&target=kaa'),
    )
  })

  it('imports a file, says what it brought, and shows the reason of a refusal', async () => {
    const skipped = { language: 1, text: 0, long: 0, twice: 2 }
    let isRefused = true
    fakeApi({
      ...answers,
      'POST /api/memory/imports': () =>
        isRefused
          ? errorAnswer(422, 'UnprocessableEntityError', 'Broken', 'memory.empty')
          : Response.json({ data: imported, meta: { units: 23, skipped } }),
    })
    const { dialog } = await openMemory()
    await chooseFile('Import a TMX file', file('a.tmx'))
    expect((await dialog.findByRole('alert')).textContent).toContain('no translations between the languages')
    isRefused = false
    await chooseFile('Import a TMX file', file('a.tmx'))
    expect(await dialog.findByText('Segments added: 40. Left out: 3')).toBeTruthy()
  })

  it('removes an imported file after a question', async () => {
    const calls = fakeApi({ ...answers, 'DELETE /api/memory/imports/3': { ok: true } })
    const { user, dialog } = await openMemory()
    await user.click(await dialog.findByRole('button', { name: 'Remove' }))
    const question = within(await dialog.findByRole('group', { name: 'office.tmx' }))
    await user.click(question.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true))
  })

  it('offers neither import nor removal to an admin', async () => {
    fakeApi({ ...answers, 'GET /api/users/me': { ...owner, role: { id: 2, name: 'Admin', type: 'admin' } } })
    const { dialog } = await openMemory()
    expect(await dialog.findByText('office.tmx')).toBeTruthy()
    expect(dialog.queryByRole('button', { name: 'Import a TMX file' })).toBeNull()
    expect(dialog.queryByRole('button', { name: 'Remove' })).toBeNull()
  })
})

describe('texts to translate as a file', () => {
  it('is tried first, and written only after the report was seen', async () => {
    const modes: unknown[] = []
    fakeApi({
      ...answers,
      'POST /api/memory/work': ({ body }) => {
        modes.push(body instanceof FormData && body.get('mode'))
        return Response.json(delivery)
      },
    })
    const { user, dialog } = await openWork()
    await chooseFile('Check a translated file', file('a.xlf'))
    expect(await dialog.findByText('Nothing has been written yet. Can be written: 1. Refused: 1.')).toBeTruthy()
    expect(dialog.getByText('The source has changed since the file was made')).toBeTruthy()
    expect(modes).toEqual(['try'])
    await user.click(dialog.getByRole('button', { name: 'Write the translations' }))
    expect(await dialog.findByText('Written: 1. Refused: 1.')).toBeTruthy()
    expect(modes).toEqual(['try', 'write'])
    expect(dialog.queryByRole('button', { name: 'Write the translations' })).toBeNull()
  })

  it('stays visible and busy while it is written, and then shows and focuses the result', async () => {
    const write = Promise.withResolvers<Response>()
    fakeApi({
      ...answers,
      'POST /api/memory/work': ({ body }) =>
        body instanceof FormData && body.get('mode') === 'write' ? write.promise : Response.json(delivery),
    })
    const { user, dialog } = await openWork()
    await chooseFile('Check a translated file', file('a.xlf'))
    await user.click(await dialog.findByRole('button', { name: 'Write the translations' }))
    const button = dialog.getByRole('button', { name: 'Write the translations' })
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'))
    expect(document.activeElement).toBe(button)
    expect(dialog.getByText(/^Nothing has been written yet/)).toBeTruthy()
    expect(dialog.getByRole('button', { name: /^Check a translated file/ }).getAttribute('aria-disabled')).toBe('true')
    write.resolve(Response.json(delivery))
    expect(await dialog.findByText('Written: 1. Refused: 1.')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByRole('region', { name: 'Result' }))
  })

  it('keeps the file and its trial when the connection breaks during the write', async () => {
    let isBroken = true
    fakeApi({
      ...answers,
      'POST /api/memory/work': ({ body }) => {
        if (isBroken && body instanceof FormData && body.get('mode') === 'write') throw new TypeError('Failed to fetch')
        return Response.json(delivery)
      },
    })
    const { user, dialog } = await openWork()
    await chooseFile('Check a translated file', file('a.xlf'))
    await user.click(await dialog.findByRole('button', { name: 'Write the translations' }))
    expect(await dialog.findByRole('alert')).toBeTruthy()
    expect(dialog.getByText(/^Nothing has been written yet/)).toBeTruthy()
    isBroken = false
    await user.click(dialog.getByRole('button', { name: 'Write the translations' }))
    expect(await dialog.findByText('Written: 1. Refused: 1.')).toBeTruthy()
    expect(dialog.queryByRole('alert')).toBeNull()
  })

  it('keeps the file of a trial that was not answered, and tries it again', async () => {
    let isBroken = true
    fakeApi({
      ...answers,
      'POST /api/memory/work': () => {
        if (isBroken) throw new TypeError('Failed to fetch')
        return Response.json(delivery)
      },
    })
    const { user, dialog } = await openWork()
    await chooseFile('Check a translated file', file('a.xlf'))
    expect(await dialog.findByText('a.xlf')).toBeTruthy()
    isBroken = false
    await user.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByText(/^Nothing has been written yet/)).toBeTruthy()
  })

  it('says that there is nothing to translate', async () => {
    fakeApi({
      ...answers,
      'GET /api/memory/work': () => errorAnswer(422, 'UnprocessableEntityError', 'None', 'memory.no-work'),
    })
    const { user, dialog } = await openWork()
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('There is nothing to translate here')
  })
})
