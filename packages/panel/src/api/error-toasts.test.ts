import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { noticeOfError, messageOfError } from './error-toasts.ts'

const failure = (status: number, code?: 'access.denied') =>
  new ApiError(status, { status, name: 'X', message: 'words of the server', details: {}, ...(code ? { code } : {}) })

describe('the toast of a failed call', () => {
  it.each([
    [401, 'Unauthorized'],
    [403, 'No permission'],
    [404, 'Not found'],
    [422, 'Unprocessable entity'],
    [429, 'Many requests are being sent'],
    [500, 'Internal server error'],
  ])('titles the toast of a failed call with status %i "%s" and shows the text of the response', (status, title) => {
    expect(noticeOfError(failure(status), 'panel')).toEqual({ title, text: 'words of the server' })
  })

  it('mentions e-mail and password in a toast only before signing in', () => {
    expect(noticeOfError(failure(400), 'login')?.title).toBe('Incorrect email or password')
    expect(noticeOfError(failure(400), 'account')?.title).toBe('Invalid email or password')
    expect(noticeOfError(failure(400), 'panel')?.title).toBe('Bad request')
  })

  it.each([402, 409, 413, 415, 418, 502, 503])(
    'shows no toast for status %i, because the screen of the call shows the failure',
    (status) => {
      expect(noticeOfError(failure(status), 'panel')).toBeNull()
    },
  )

  it('shows a separate text for a call without a response', () => {
    expect(noticeOfError(new ApiError(0, undefined, 'timeout'), 'panel')?.title).toBe('Timeout')
    expect(noticeOfError(new ApiError(0, undefined, 'network'), 'panel')?.title).toBe('No connection')
  })

  it('translates a known error code into the language of the user', () => {
    expect(noticeOfError(failure(403, 'access.denied'), 'panel')?.text).toBe(
      'You do not have permission for this action.',
    )
  })

  it('fills the message of an error with the details and limits of the failure', () => {
    const details = { params: { size: '10 MB' } }
    const error = new ApiError(413, { status: 413, name: '', message: '', code: 'upload.file-too-large', details })
    expect(messageOfError(error)).toBe('The file is too large. The limit is 10 MB.')
  })
})
