/** A client of resumable uploads for tests, which sends its input unchanged. */
import type { RoleType, UploadPurpose } from '@dala/model'
import type { FileRecord, UploadApp } from './upload-app.ts'

interface PieceAnswer {
  status: number
  headers: Readonly<Record<string, unknown>>
  body: unknown
  /** Records of the last answer of a resumable upload. */
  records: FileRecord[]
}

type SentHeaders = Readonly<Record<string, string>>

const encodeText = (text: string) => Buffer.from(text).toString('base64')

/** Returns the headers that begin a resumable upload, with further metadata. */
export const beginningOf = (
  bytes: number,
  filename: string,
  purpose: string,
  extraMetadata: SentHeaders = {},
): SentHeaders => ({
  'upload-length': String(bytes),
  'upload-metadata': Object.entries({ filename, purpose, ...extraMetadata })
    .map(([name, value]) => `${name} ${encodeText(value)}`)
    .join(','),
})

/** Sends requests of the tus protocol to an application. */
export class ResumableClient {
  readonly #here: Pick<UploadApp, 'app' | 'headersOf'>
  readonly #role: RoleType

  constructor(uploadApp: Pick<UploadApp, 'app' | 'headersOf'>, role: RoleType = 'admin') {
    this.#here = uploadApp
    this.#role = role
  }

  async ask(
    method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE',
    id: string,
    extraHeaders: SentHeaders = {},
    payload?: Buffer,
  ) {
    const url = `/api/upload/resumable${id === '' ? '' : `/${id}`}`
    const headers = { 'tus-resumable': '1.0.0', ...this.#here.headersOf(this.#role), ...extraHeaders }
    const answer = await this.#here.app.inject({ method, url, headers, ...(payload && { payload }) })
    const body: unknown = answer.payload === '' ? undefined : answer.json()
    const records = Array.isArray(body) ? (body as FileRecord[]) : []
    return { status: answer.statusCode, headers: answer.headers, body, records } satisfies PieceAnswer
  }

  /** Begins a resumable upload. Returns the answer and the id. */
  async begin(bytes: number, filename: string, purpose: string, extraMetadata: SentHeaders = {}) {
    const answer = await this.ask('POST', '', beginningOf(bytes, filename, purpose, extraMetadata))
    return {
      ...answer,
      id:
        String(answer.headers.location ?? '')
          .split('/')
          .at(-1) ?? '',
    }
  }

  piece(id: string, offset: number, bytes: Buffer) {
    const sentHeaders = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
    return this.ask('PATCH', id, sentHeaders, bytes)
  }

  /** Returns the number of an upload's bytes that have arrived. */
  async offset(id: string): Promise<number> {
    return Number((await this.ask('HEAD', id)).headers['upload-offset'])
  }

  /** Uploads a whole file in pieces, two by default. Returns the last answer. */
  async send(bytes: Buffer, filename: string, purpose: UploadPurpose, size = Math.ceil(bytes.length / 2)) {
    const begunUpload = await this.begin(bytes.length, filename, purpose)
    let lastAnswer: PieceAnswer = begunUpload
    for (let offset = 0; offset < bytes.length && lastAnswer.status < 300; offset += size)
      lastAnswer = await this.piece(begunUpload.id, offset, bytes.subarray(offset, offset + size))
    return { ...lastAnswer, id: begunUpload.id }
  }
}
