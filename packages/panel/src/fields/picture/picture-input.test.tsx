import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { fileRecord } from '../../testing/fake-file.ts'
import { FakeRequest, nextRequest, picture } from '../../testing/fake-upload.ts'
import { Field } from '../../ui/inputs/field.tsx'
import { PictureInput, PicturesInput } from './picture-input.tsx'

const record = (id: number, name: string) => fileRecord(id, { name, url: `/uploads/${name}` })
const library = (data: readonly unknown[]) => ({
  data,
  meta: { pagination: { page: 1, pageSize: 1, pageCount: 1, total: data.length }, originals: {} },
})
const makeRefusal = (status: number, code: string, params = {}) => ({
  data: null,
  error: { status, name: 'Error', message: 'in English', code, details: { params } },
})

const onChange = vi.fn<(value: unknown) => void>()

interface TestFormProps {
  allowsSeveral?: boolean
  start?: unknown
  max?: number
}

function TestForm({ allowsSeveral: isMultiple = false, start = null, max = 3 }: TestFormProps) {
  const [value, setValue] = useState(start)
  const change = (changedValue: unknown) => {
    onChange(changedValue)
    setValue(changedValue)
  }
  const Input = isMultiple ? PicturesInput : PictureInput
  return (
    <Field label="Photo" group>
      <Input options={isMultiple ? { maxItems: max } : { preset: 'avatar' }} value={value} onChange={change} />
    </Field>
  )
}

const dropFiles = (...files: File[]) =>
  fireEvent.drop(screen.getByRole('group', { name: 'Photo' }), { dataTransfer: { types: ['Files'], files } })

beforeEach(() => {
  FakeRequest.all = []
  onChange.mockReset()
  localStorage.setItem('token', 'abc')
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  // Fake picture store that has no files yet.
  fakeApi({ 'GET /api/upload/library': library([]) })
  URL.createObjectURL = () => 'blob:preview'
  URL.revokeObjectURL = () => undefined
})

describe('a picture field for one picture', () => {
  it('shows the progress of the upload and takes the uploaded picture as the value of the field', async () => {
    render(<TestForm />)
    expect(screen.getByText(/best at 1080 × 1080 px/)).toBeTruthy()
    dropFiles(picture('field.png'))
    const request = await nextRequest(1)
    expect(request).toMatchObject({ address: '/api/upload', name: 'field.png', timeout: 120_000 })
    expect(request.headers).toEqual({ Authorization: 'Bearer abc' })
    request.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded: 64, total: 100 }))
    expect(await screen.findByText('64%')).toBeTruthy()
    expect(screen.getByRole('progressbar', { name: 'Upload of field.png' }).getAttribute('value')).toBe('64')
    request.answer(200, [{ ...record(7, 'a1.png'), alternativeText: 'A cotton field' }])
    const shownPicture = await screen.findByRole('img', { name: 'A cotton field' })
    expect(shownPicture.getAttribute('src')).toBe('/uploads/a1.png')
    expect(onChange.mock.lastCall?.[0]).toMatchObject({ id: 7 })
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  it('rejects a file that is not a picture before uploading', async () => {
    render(<TestForm />)
    dropFiles(picture('prices.xlsx', 'application/vnd.ms-excel'))
    expect(await screen.findByText('Only image files are accepted')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Remove prices.xlsx from the list' }))
    expect(screen.queryByText('Only image files are accepted')).toBeNull()
    expect(FakeRequest.all).toEqual([])
  })

  it('lists a failed upload with the message of the server and retries the upload', async () => {
    render(<TestForm />)
    dropFiles(picture('big.png'))
    const firstRequest = await nextRequest(1)
    firstRequest.answer(413, makeRefusal(413, 'upload.file-too-large', { size: '10 MB' }))
    expect(await screen.findByText('The file is too large. The limit is 10 MB.')).toBeTruthy()
    expect(screen.getByText('big.png')).toBeTruthy()
    expect(onChange).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    const secondRequest = await nextRequest(2)
    secondRequest.fail('error')
    expect(await screen.findByText('Check your internet connection and try again.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    const thirdRequest = await nextRequest(3)
    thirdRequest.answer(200, [record(8, 'big.png')])
    await vi.waitFor(() => expect(onChange.mock.lastCall?.[0]).toMatchObject({ id: 8 }))
  })

  it('stops the upload of a picture', async () => {
    render(<TestForm />)
    dropFiles(picture('slow.png'))
    const request = await nextRequest(1)
    const abortSpy = vi.fn<() => void>()
    request.addEventListener('abort', abortSpy)
    await userEvent.click(screen.getByRole('button', { name: 'Stop the upload of slow.png' }))
    expect(abortSpy).toHaveBeenCalledOnce()
    expect(screen.queryByText('slow.png')).toBeNull()
    expect(onChange).not.toHaveBeenCalled()
  })

  it('removes the picture and moves the focus to the upload area', async () => {
    render(<TestForm start={record(7, 'a1.png')} />)
    await userEvent.click(screen.getByRole('button', { name: 'Actions for the picture' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove image' }))
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith(null))
    const uploadArea = await screen.findByRole('button', { name: /or choose a file/ })
    await vi.waitFor(() => expect(document.activeElement).toBe(uploadArea))
  })

  it('takes a picture from the clipboard', async () => {
    render(<TestForm />)
    fireEvent.paste(screen.getByRole('button', { name: /or choose a file/ }), {
      clipboardData: { files: [picture('copied.png')] },
    })
    expect((await nextRequest(1)).name).toBe('copied.png')
  })
})

describe('a file that the store already has', () => {
  it('offers a file that the store already has, and uses it without an upload', async () => {
    const calls = fakeApi({ 'GET /api/upload/library': library([record(5, 'kept.png')]) })
    render(<TestForm />)
    dropFiles(picture('field.png'))
    expect(await screen.findByText('Already in the library: use it?')).toBeTruthy()
    // SHA-256 hash of the uploaded file, which contains one letter.
    expect(calls[0]?.query).toContain('2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881')
    await userEvent.click(screen.getByRole('button', { name: 'Use it' }))
    expect(onChange.mock.lastCall?.[0]).toMatchObject({ id: 5 })
    expect(FakeRequest.all).toEqual([])
  })

  it('uploads a file that the store already has when the user asks for it', async () => {
    fakeApi({ 'GET /api/upload/library': library([record(5, 'kept.png')]) })
    render(<TestForm />)
    dropFiles(picture('field.png'))
    await userEvent.click(await screen.findByRole('button', { name: 'Upload anyway' }))
    const request = await nextRequest(1)
    request.answer(200, [record(6, 'field.png')])
    await vi.waitFor(() => expect(onChange.mock.lastCall?.[0]).toMatchObject({ id: 6 }))
  })

  it('recognises its own upload when the response to the first try was lost', async () => {
    let storedFiles: unknown[] = []
    fakeApi({ 'GET /api/upload/library': () => Response.json(library(storedFiles)) })
    render(<TestForm />)
    dropFiles(picture('field.png'))
    const request = await nextRequest(1)
    storedFiles = [record(7, 'field.png')]
    request.fail('error')
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    await vi.waitFor(() => expect(onChange.mock.lastCall?.[0]).toMatchObject({ id: 7 }))
    expect(FakeRequest.all).toHaveLength(1)
  })
})

describe('a picture field for several pictures', () => {
  it('uploads three pictures at a time, and keeps the order of choice whichever finishes first', async () => {
    render(<TestForm allowsSeveral />)
    dropFiles(picture('one.png'), picture('two.png'), picture('three.png'))
    dropFiles(picture('four.png'))
    await nextRequest(3)
    // The picture store is asked about each file first; the order of its answers does not matter.
    const findRequest = (fileName: string) => FakeRequest.all.find(({ name }) => name === fileName)
    expect(new Set(FakeRequest.all.map(({ name }) => name))).toEqual(new Set(['one.png', 'two.png', 'three.png']))
    expect(onChange).not.toHaveBeenCalled()
    findRequest('three.png')?.answer(200, [record(3, 'three.png')])
    await vi.waitFor(() => expect(onChange.mock.lastCall?.[0]).toMatchObject([{ id: 3 }]))
    findRequest('one.png')?.answer(200, [record(1, 'one.png')])
    findRequest('two.png')?.answer(200, [record(2, 'two.png')])
    await vi.waitFor(() => expect(onChange.mock.lastCall?.[0]).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]))
  })

  it('keeps chosen files waiting while three files are being uploaded', async () => {
    render(<TestForm allowsSeveral max={5} />)
    dropFiles(...['one.png', 'two.png', 'three.png', 'four.png'].map((name) => picture(name)))
    await nextRequest(3)
    expect(await screen.findByText('In the queue')).toBeTruthy()
    expect(FakeRequest.all).toHaveLength(3)
    FakeRequest.all[1]?.fail('error')
    expect((await nextRequest(4)).name).toBe('four.png')
    expect(screen.queryByText('In the queue')).toBeNull()
  })

  it('keeps the position of a file whose upload is retried', async () => {
    render(<TestForm allowsSeveral />)
    dropFiles(picture('one.png'), picture('two.png'))
    await nextRequest(2)
    FakeRequest.all.find(({ name }) => name === 'one.png')?.fail('error')
    FakeRequest.all.find(({ name }) => name === 'two.png')?.answer(200, [record(2, 'two.png')])
    await vi.waitFor(() => expect(onChange.mock.lastCall?.[0]).toMatchObject([{ id: 2 }]))
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    const retriedRequest = await nextRequest(3)
    retriedRequest.answer(200, [record(1, 'one.png')])
    await vi.waitFor(() => expect(onChange.mock.lastCall?.[0]).toMatchObject([{ id: 1 }, { id: 2 }]))
  })

  it('accepts no more files than the picture field allows', async () => {
    render(<TestForm allowsSeveral start={[record(1, 'one.png'), record(2, 'two.png')]} />)
    dropFiles(picture('three.png'), picture('four.png'))
    expect(await screen.findByText('No more than 3 items')).toBeTruthy()
    expect((await nextRequest(1)).name).toBe('three.png')
    expect(screen.queryByText('four.png')).toBeNull()
    expect(screen.queryByRole('button', { name: /or choose a file/ })).toBeNull()
  })

  it('reorders pictures, and keeps the focus on the moved picture', async () => {
    render(<TestForm allowsSeveral start={[record(1, 'one.png'), record(2, 'two.png')]} />)
    await userEvent.click(screen.getByRole('button', { name: 'Move one.png down' }))
    expect(onChange.mock.lastCall?.[0]).toMatchObject([{ id: 2 }, { id: 1 }])
    await vi.waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move one.png down'))
    const [top] = screen.getAllByRole('listitem')
    expect(within(top as HTMLElement).getByText('two.png')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Remove two.png' }))
    expect(onChange.mock.lastCall?.[0]).toMatchObject([{ id: 1 }])
  })
})
