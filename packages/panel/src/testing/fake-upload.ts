/** Uploads in tests: a fake upload request that the test answers, and files to send. */
import { vi } from 'vitest'

/** Replaces the browser's upload request: the test answers it or leaves it open. */
export class FakeRequest extends EventTarget {
  static all: FakeRequest[] = []
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  status = 0
  responseText = ''
  timeout = 0
  address = ''
  name = ''
  open(_method: string, address: string) {
    this.address = address
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  send(form: FormData) {
    const file = form.get('files')
    this.name = file instanceof File ? file.name : ''
    FakeRequest.all.push(this)
  }
  abort() {
    this.dispatchEvent(new Event('abort'))
    this.dispatchEvent(new Event('loadend'))
  }
  answer(status: number, body: unknown) {
    this.status = status
    this.responseText = JSON.stringify(body)
    this.dispatchEvent(new Event('load'))
    this.dispatchEvent(new Event('loadend'))
  }
  fail(kind: 'error' | 'timeout') {
    this.dispatchEvent(new Event(kind))
    this.dispatchEvent(new Event('loadend'))
  }
}

/** Resolves with the upload request of a number, counted from 1, once it is sent. */
export const nextRequest = (count: number) =>
  vi.waitFor(() => {
    const request = FakeRequest.all[count - 1]
    if (!request) throw new Error('no request yet')
    return request
  })

export const picture = (name: string, type = 'image/png') => new File(['x'], name, { type })
