import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { FakeRequest, nextRequest, picture } from '../../testing/fake-upload.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { bodies } from '../../testing/tags.ts'

const uploadingTitle = 'The files are being uploaded'
const attributes = { name: 'Cotton', locale: 'en', version: 1, active: true, order: 0 }
const cotton = {
  data: { id: 5, attributes: { ...attributes, gallery: { data: [] }, localizations: { data: [] } } },
  meta: {},
}
const answers = {
  'GET /api/users/me': owner,
  'GET /api/upload/library': {
    data: [],
    meta: { pagination: { page: 1, pageSize: 1, pageCount: 0, total: 0 }, originals: {} },
  },
  'GET /api/products/5': cotton,
  'PUT /api/products/5': cotton,
  'POST /api/products': cotton,
}

const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })
const button = (name: string) => screen.getByRole('button', { name })
const dropFile = (name: string) =>
  fireEvent.drop(screen.getByRole('group', { name: 'Main photo' }), {
    dataTransfer: { types: ['Files'], files: [picture(name)] },
  })

beforeEach(() => {
  localStorage.setItem('token', 'a')
  FakeRequest.all = []
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  URL.createObjectURL = () => 'blob:preview'
  URL.revokeObjectURL = () => undefined
})

describe('a running upload', () => {
  it('delays a save by button, Enter and Ctrl+S until the upload ends, and saves the picture with the record', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/settings/product/new')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Cotton')
    dropFile('field.png')
    const request = await nextRequest(1)
    await screen.findByText(uploadingTitle)
    for (const name of ['Save', 'Save and add another', 'Save and next language']) {
      expect(button(name).dataset['why']).toBe(uploadingTitle)
      await user.click(button(name))
    }
    await user.type(await nameField(), '{Enter}')
    fireEvent.keyDown(await nameField(), { code: 'KeyS', key: 's', ctrlKey: true })
    expect(bodies(calls)).toEqual([])
    request.answer(200, [{ id: 7, name: 'field.png', url: '/uploads/a.png' }])
    expect(await screen.findByText('Unsaved changes')).toBeTruthy()
    await user.click(button('Save'))
    await waitFor(() => expect(bodies(calls)).toMatchObject([['POST', '/api/products', { data: { mainPhoto: 7 } }]]))
  })

  it('asks before leaving during an upload, although nothing else was changed', async () => {
    fakeApi(answers)
    const { router } = renderApp('/app/settings/product/5')
    await nameField()
    dropFile('field.png')
    await nextRequest(1)
    await screen.findByText(uploadingTitle)
    void router.navigate({ href: '/app/profile' })
    expect(await screen.findByRole('dialog', { name: 'You have unsaved changes' })).toBeTruthy()
    expect(router.state.location.pathname).toBe('/app/settings/product/5')
  })

  it('does not delay a save once the upload has failed or was stopped', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/settings/product/5')
    const user = userEvent.setup()
    await user.type(await nameField(), '!')
    dropFile('field.png')
    const firstRequest = await nextRequest(1)
    firstRequest.answer(
      500,
      await errorAnswer(500, 'InternalServerError', 'internal server error', 'server.internal').json(),
    )
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await nextRequest(2)
    expect(button('Save changes').dataset['why']).toBe(uploadingTitle)
    await user.click(button('Stop the upload of field.png'))
    await screen.findByText('Unsaved changes')
    dropFile('field.png')
    const thirdRequest = await nextRequest(3)
    thirdRequest.fail('error')
    await screen.findByRole('button', { name: 'Try again' })
    await user.click(button('Save changes'))
    await waitFor(() => expect(bodies(calls)).toHaveLength(1))
  })

  it('continues an upload in the new record when it started during the save', async () => {
    const creation = Promise.withResolvers<void>()
    const calls = fakeApi({
      ...answers,
      'POST /api/products': async () => {
        await creation.promise
        return Response.json(cotton)
      },
    })
    const { router } = renderApp('/app/settings/product/new')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Cotton')
    await user.click(button('Save'))
    await waitFor(() => expect(bodies(calls)).toHaveLength(1))
    dropFile('field.png')
    const request = await nextRequest(1)
    creation.resolve()
    expect(await screen.findByText('Product created successfully')).toBeTruthy()
    request.answer(200, [{ id: 7, name: 'field.png', url: '/uploads/a.png' }])
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/product/5'))
    // The form of the new record is still shown when the address has changed.
    await screen.findByRole('button', { name: 'Save changes' })
    await screen.findByText('Unsaved changes')
    await user.click(button('Save changes'))
    await waitFor(() => expect(bodies(calls)[1]).toMatchObject(['PUT', '/api/products/5', { data: { mainPhoto: 7 } }]))
  })
})
