import type { FileRecord } from '@dala/model'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../../../api/api-error.ts'
import { UnderWayContext } from '../../../../fields/upload/pending-uploads.ts'
import type { ResumableEvents } from '../../../../fields/upload/resumable.ts'
import { ResumableFile } from './resumable-file.tsx'

const videoFile = new File([new Uint8Array(4_000_000)], 'film.mp4', { type: 'video/mp4' })

function renderField() {
  const uploadControls = { pause: vi.fn<() => void>(), resumeUpload: vi.fn<() => void>(), cancel: vi.fn<() => void>() }
  let events: ResumableEvents | undefined
  const startedUploads: unknown[] = []
  const onStored = vi.fn<(record: FileRecord) => void>()
  const end = vi.fn<() => void>()
  const beginSpy = vi.fn<() => () => void>(() => end)
  render(
    <UnderWayContext value={beginSpy}>
      <ResumableFile
        start={(file, purpose, givenEvents, target) => {
          startedUploads.push([file.name, purpose, target])
          events = givenEvents
          return uploadControls
        }}
        purpose="lesson_video"
        label="Choose a video"
        hint="Up to 2 GB"
        onStored={onStored}
        target={{ lesson: 11, language: 'ru' }}
      />
    </UnderWayContext>,
  )
  const user = userEvent.setup()
  const choose = () =>
    user.upload(document.querySelector<HTMLInputElement>('input[type=file]') ?? document.body, videoFile)
  const emitEvents = (triggerEvent: (resumableEvents: ResumableEvents) => void) =>
    act(() => events && triggerEvent(events))
  return {
    controls: uploadControls,
    started: startedUploads,
    onStored,
    begin: beginSpy,
    end,
    user,
    choose,
    emit: emitEvents,
  }
}

describe('ResumableFile', () => {
  it('shows the progress of a chosen file, and passes on its record', async () => {
    const { started, onStored, begin, end, choose, emit } = renderField()
    expect(screen.getByText('Up to 2 GB')).toBeTruthy()
    await choose()
    expect(started).toEqual([['film.mp4', 'lesson_video', { lesson: 11, language: 'ru' }]])
    expect(begin).toHaveBeenCalledOnce()
    emit(({ onProgress }) => onProgress(1_000_000))
    expect(screen.getByRole('progressbar', { name: 'Upload of film.mp4' })).toHaveProperty('value', 25)
    expect(screen.getByText(/^1\.0 MB of 4\.0 MB/)).toBeTruthy()
    const record = { id: 7, url: '/uploads/a.mp4' } as FileRecord
    emit((uploadEvents) => uploadEvents.onStored(record))
    expect(onStored).toHaveBeenCalledWith(record)
    expect(end).toHaveBeenCalledOnce()
    expect(screen.getByRole('button', { name: 'Choose a video' })).toBeTruthy()
  })

  it('pauses and continues an upload; the form does not wait for a paused upload', async () => {
    const { controls, user, begin, end, choose } = renderField()
    await choose()
    await user.click(screen.getByRole('button', { name: 'Pause' }))
    expect([controls.pause.mock.calls.length, end.mock.calls.length]).toEqual([1, 1])
    expect(screen.getByText(/Everything sent so far is stored/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect([controls.resumeUpload.mock.calls.length, begin.mock.calls.length]).toEqual([1, 2])
  })

  it('shows why an upload failed, and tries again', async () => {
    const { controls, user, choose, emit: emitEvent } = renderField()
    await choose()
    const details = { params: { name: 'film.mp4' } }
    const body = {
      status: 422,
      name: 'UnprocessableEntityError',
      message: '',
      code: 'upload.content',
      details,
    } as const
    emitEvent(({ onFailed }) => onFailed(new ApiError(422, body)))
    expect(screen.getByText('The file is not what its name says: film.mp4.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(controls.resumeUpload).toHaveBeenCalledOnce()
  })

  it('removes a cancelled upload of a lesson', async () => {
    const { controls, user, choose } = renderField()
    await choose()
    await user.click(screen.getByRole('button', { name: /^Cancel\s?: film\.mp4/ }))
    expect(controls.cancel).toHaveBeenCalledOnce()
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  it('shows where an upload of another visit stopped, and continues or discards it', async () => {
    const uploadPosition = { course: 7, lesson: 11, title: 'Water', purpose: 'lesson_video' }
    const storedUpload = { ...uploadPosition, url: '/api/upload/resumable/a', name: 'film.mp4', size: 4_000_000 }
    const makeNoop = () => vi.fn<() => void>()
    const uploadList = {
      uploads: [storedUpload],
      rememberUpload: makeNoop(),
      hideUpload: makeNoop(),
      refreshUploads: makeNoop(),
      forgetUpload: makeNoop(),
      discardUpload: makeNoop(),
    }
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
    queryClient.setQueryData(['uploads', 'sent', storedUpload.url], 1_920_000)
    let events: ResumableEvents | undefined
    render(
      <QueryClientProvider client={queryClient}>
        <ResumableFile
          start={(_file, _purpose, uploadEvents) => {
            events = uploadEvents
            return { pause: makeNoop(), resumeUpload: makeNoop(), cancel: makeNoop() }
          }}
          purpose="lesson_video"
          label="Choose a video"
          onStored={makeNoop()}
          rememberedUploads={{ place: uploadPosition, all: uploadList }}
        />
      </QueryClientProvider>,
    )
    const user = userEvent.setup()
    expect(screen.getByText('The upload of film.mp4 stopped at 48 %.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Discard the upload' }))
    expect(uploadList.discardUpload).toHaveBeenCalledWith(storedUpload)
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]') ?? document.body, videoFile)
    expect(uploadList.hideUpload).toHaveBeenCalledWith(uploadPosition)
    act(() => events?.onCreated?.('/api/upload/resumable/b'))
    expect(uploadList.rememberUpload).toHaveBeenCalledWith({ ...storedUpload, url: '/api/upload/resumable/b' })
    act(() => events?.onStored({ id: 7 } as FileRecord))
    expect(uploadList.forgetUpload).toHaveBeenCalledWith(uploadPosition)
  })
})
