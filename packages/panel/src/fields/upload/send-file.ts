/** One file of a field on its way to the store: looked for there first, then sent, a cut after what it was cut from. */
import type { Entry } from '@dala/model'
import { hashOf } from '../../api/file-hash.ts'
import { callRoute } from '../../api/route.ts'
import { uploadFile } from '../../api/upload-file.ts'
import type { Cut } from '../picture/cropper/cut.ts'
import { isUpload } from '../picture/picture-value.ts'

export interface Upload {
  file: File
  /** What the file was cut from: not sent yet, or the id of its record. */
  original?: File | number
  crop?: Cut
  /** Texts that the record starts with. */
  words?: Readonly<Record<string, unknown>>
  /** The id of the picture whose place it takes. */
  instead?: number
}

/** The store is asked no longer than this: a weak link is there for the file. */
const patience = 6000

/** The record of the same bytes, where the store has one. No answer is none: asking never stands in the way of sending. */
export async function findTwin(file: File, signal: AbortSignal): Promise<Entry | undefined> {
  try {
    const sha256 = await hashOf(file)
    if (sha256 === undefined) return undefined
    const query = { filters: { sha256: { $eq: sha256 } }, pagination: { pageSize: 1 } }
    const { data } = await callRoute('GET /api/upload/library', {
      query,
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    })
    return data.find(isUpload)
  } catch {
    return undefined
  }
}

interface Sending {
  signal: AbortSignal
  /** Hears how many bytes are sent, of all that have to be. */
  onProgress: (sent: number, all: number) => void
}

/**
 * Sends a file, before it the one it was cut from. In: `upload`, whose `original` becomes an id on the way, so that a
 * second try does not send it twice. Out: the record. Throws as `uploadFile` does.
 */
export async function sendFile(upload: Upload, { signal, onProgress }: Sending): Promise<Entry> {
  const { file, crop, words } = upload
  const before = upload.original instanceof File ? upload.original.size : 0
  const all = before + file.size
  if (upload.original instanceof File) {
    const source = upload.original
    const known = await findTwin(source, signal)
    signal.throwIfAborted()
    const sent = known ?? (await uploadFile(source, { signal, onProgress: (share) => onProgress(share * before, all) }))
    upload.original = sent.id
  }
  const { original } = upload
  const info = original === undefined && words === undefined ? undefined : { ...words, original, crop }
  return await uploadFile(file, {
    signal,
    info,
    onProgress: (share) => onProgress(before + share * file.size, all),
  })
}
