import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { fileRecord } from '../../testing/fake-file.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { setWindowWidth } from '../../testing/window-width.ts'

beforeEach(() => {
  localStorage.setItem('token', 'a')
  setWindowWidth(1500)
})

const fileOf = (id: number, name: string) => fileRecord(id, { name, alt: { en: 'Field' } })
const [rice, cotton] = [fileOf(7, 'rice.jpg'), fileOf(8, 'cotton.jpg')]
const use = { resource: 'news', id: 21, field: 'image', name: 'Rain is coming' }
const library = (...data: object[]) => ({
  data,
  meta: { pagination: { page: 1, pageSize: 40, total: data.length }, originals: {} },
})

const answers = {
  'GET /api/users/me': owner,
  'GET /api/upload/library': library(rice, cotton),
  'GET /api/upload/usage': {
    data: {
      files: { used: 12, most: 5000 },
      bytes: { used: 12 * 1_048_576, most: 500 * 1_048_576 },
      video_bytes: { used: 0, most: 51_200_000_000 },
    },
  },
  'GET /api/upload/folders': { data: [{ folder: null, count: 2 }] },
  'GET /api/upload/files/7': rice,
  'GET /api/upload/files/7/uses': { data: [], meta: { total: 0 } },
}
const english = (detailsRegion: HTMLElement, label: string) =>
  within(detailsRegion).getByRole('textbox', { name: `${label} English` })

it('refuses to delete a picture that is in use, and names the records with links', async () => {
  fakeApi({
    ...answers,
    'DELETE /api/upload/files/7': () =>
      Response.json(
        {
          data: null,
          error: { status: 409, name: 'ConflictError', message: 'x', code: 'file.in-use', details: { uses: [use] } },
        },
        { status: 409 },
      ),
  })
  renderApp('/app/media?file=7')
  const user = userEvent.setup()
  const detailsRegion = await screen.findByRole('region', { name: 'Details of rice.jpg' })
  await within(detailsRegion).findByText('It is not used anywhere.')
  await user.click(within(detailsRegion).getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  const link = await within(dialog).findByRole('link', { name: 'Rain is coming' })
  expect(link.getAttribute('href')).toMatch(/\/app\/news\/21/)
  expect(within(dialog).getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByText('cotton.jpg')).toBeTruthy()
})

it('leads from the picture that is the logo to the settings of the organisation', async () => {
  const logoUse = { resource: 'organisation', id: 0, field: 'logo', name: null }
  fakeApi({ ...answers, 'GET /api/upload/files/7/uses': { data: [logoUse], meta: { total: 1 } } })
  renderApp('/app/media?file=7')
  const detailsRegion = await screen.findByRole('region', { name: 'Details of rice.jpg' })
  const link = await within(detailsRegion).findByRole('link', { name: 'Organisation' })
  expect(link.getAttribute('href')).toBe('/app/system/organisation')
  expect(link.closest('li')?.textContent).toBe('OrganisationLogo')
})

it('names after a bulk delete the pictures in use, and the records that use them', async () => {
  const calls = fakeApi({
    ...answers,
    'POST /api/upload/remove': { data: { removed: [8], refused: [{ id: 7, name: 'rice.jpg', uses: [use] }] } },
  })
  renderApp('/app/media')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('checkbox', { name: 'Select all files of this page' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: '1 file is in use and stays' })
  expect(within(dialog).getByText('What uses “rice.jpg”')).toBeTruthy()
  expect(within(dialog).getByRole('link', { name: 'Rain is coming' })).toBeTruthy()
  expect(lastCallTo(calls, '/api/upload/remove')?.body).toEqual({ data: { ids: [7, 8] } })
})

it('keeps the filters of the library in the address, and reads them from there', async () => {
  const calls = fakeApi(answers)
  const { router } = renderApp('/app/media?missing=kaa&page=2')
  const user = userEvent.setup()
  expect(await screen.findByRole('button', { name: /No text: Qaraqalpaqsha/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Unused' }))
  await waitFor(() => expect(lastCallTo(calls, '/api/upload/library')?.query).toContain('unused=true'))
  expect(lastCallTo(calls, '/api/upload/library')?.query).toContain('missing_alt=kaa')
  expect(router.state.location.search).toEqual({ missing: 'kaa', unused: 'true' })
  await user.click(screen.getByRole('button', { name: 'Remove all filters' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

it('keeps typed text of a file when saving fails, and asks before leaving', async () => {
  const calls = fakeApi({
    ...answers,
    'POST /api/upload': () => errorAnswer(500, 'InternalServerError', 'The disk is full'),
  })
  const { router } = renderApp('/app/media?file=7')
  const user = userEvent.setup()
  const detailsRegion = await screen.findByRole('region', { name: 'Details of rice.jpg' })
  await user.type(english(detailsRegion, 'Alternative text'), ' of rice')
  await user.click(within(detailsRegion).getByRole('button', { name: 'Save' }))
  expect((await within(detailsRegion).findByRole('alert')).textContent).toContain('The disk is full')
  expect(lastCallTo(calls, '/api/upload')?.body).toEqual({ fileInfo: { alt: { en: 'Field of rice' } } })
  expect(english(detailsRegion, 'Alternative text')).toHaveProperty('value', 'Field of rice')
  await user.click(screen.getByRole('button', { name: /cotton\.jpg/ }))
  await user.click(await screen.findByRole('button', { name: 'Stay on page' }))
  expect(router.state.location.search).toEqual({ file: '7' })
  expect(english(detailsRegion, 'Alternative text')).toHaveProperty('value', 'Field of rice')
})

it('restores typed text of a file after a reload, until the file is saved', async () => {
  const calls = fakeApi({ ...answers, 'POST /api/upload': { ...rice, alt: { en: 'Field of rice' } } })
  const user = userEvent.setup()
  const details = async () => await screen.findByRole('region', { name: 'Details of rice.jpg' })
  const firstPage = renderApp('/app/media?file=7')
  await user.type(english(await details(), 'Alternative text'), ' of rice')
  firstPage.unmount()
  const secondPage = renderApp('/app/media?file=7')
  expect(english(await details(), 'Alternative text')).toHaveProperty('value', 'Field of rice')
  await user.click(within(await details()).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastCallTo(calls, '/api/upload')?.method).toBe('POST'))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull())
  secondPage.unmount()
  renderApp('/app/media?file=7')
  expect(english(await details(), 'Alternative text')).toHaveProperty('value', 'Field')
})

it('shows users outside the staff their own uploads', async () => {
  const me = { ...owner, id: 5, role: { id: 4, name: 'User', type: 'authenticated' } }
  const calls = fakeApi({ ...answers, 'GET /api/users/me': me })
  renderApp('/app/media')
  await screen.findByRole('button', { name: /cotton\.jpg/ })
  expect(lastCallTo(calls, '/api/upload/library')?.query).toContain('mine=true')
})

it('shows a message when the user may not see the pictures', async () => {
  fakeApi({ ...answers, 'GET /api/upload/library': () => errorAnswer(403, 'ForbiddenError', 'no', 'access.denied') })
  renderApp('/app/media')
  expect(await screen.findByText('The files could not be loaded')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})

it('lists documents as rows with a download, and shows in their details only what a document has', async () => {
  const plan = fileRecord(9, {
    name: 'plan.pdf',
    ext: '.pdf',
    mime: 'application/pdf',
    url: '/uploads/9.pdf',
    width: null,
    height: null,
    size: 1500,
  })
  const calls = fakeApi({
    ...answers,
    'GET /api/upload/library': library(plan),
    'GET /api/upload/files/9': plan,
    'GET /api/upload/files/9/uses': { data: [use], meta: { total: 1 } },
  })
  const { router } = renderApp('/app/media?type=webp&missing=kaa')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('combobox', { name: 'Kind of files' }))
  await user.click(await screen.findByRole('option', { name: 'Documents' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ kind: 'documents' }))
  await waitFor(() => expect(lastCallTo(calls, '/api/upload/library')?.query).toContain('filters[ext][$in][0]=.pdf'))
  const link = await screen.findByRole('link', { name: 'Download plan.pdf' })
  expect(link.getAttribute('href')).toBe('/uploads/9.pdf')
  expect(screen.getByText(/^PDF · 1.5 MB/)).toBeTruthy()
  expect(screen.getByText('Your files: 12.0 MB of 500.0 MB')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /plan\.pdf/ }))
  const detailsRegion = await screen.findByRole('region', { name: 'Details of plan.pdf' })
  expect(await within(detailsRegion).findByRole('link', { name: 'Rain is coming' })).toBeTruthy()
  expect(within(detailsRegion).getByRole('link', { name: 'Download' })).toBeTruthy()
  expect(within(detailsRegion).queryByRole('button', { name: 'Replace' })).toBeNull()
  expect(within(detailsRegion).queryByRole('textbox', { name: /Alternative text/ })).toBeNull()
})
