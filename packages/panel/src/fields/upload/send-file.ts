/**
 * Uploads one file of a field: asks the store for the same bytes first, and sends a cropped file after its
 * original.
 */
import type { Entry } from '@dala/model'
import { hashOf } from '../../api/file-hash.ts'
import { callRoute } from '../../api/route.ts'
import { uploadFile } from '../../api/upload-file.ts'
import type { StoredCrop } from '../picture/cropper/cut.ts'
import { isUpload } from '../picture/picture-value.ts'

export interface Upload {
  file: File
  /** The original of a cropped file: a file that is not sent yet, or the id of its record. */
  original?: File | number
  crop?: StoredCrop
  /** Initial texts of the record that the upload creates. */
  texts?: Readonly<Record<string, unknown>>
  /** Id of the picture that the uploaded file replaces. */
  replacedId?: number
}

/** Milliseconds to wait for the store's answer: a slow connection is needed for the file itself. */
const hashTimeout = 6000

/**
 * Record of a stored file with the same bytes, if there is one. A failed request counts as none, so it never
 * stops an upload.
 */
export async function findDuplicate(file: File, signal: AbortSignal): Promise<Entry | undefined> {
  try {
    const sha256 = await hashOf(file)
    if (sha256 === undefined) return undefined
    const query = { filters: { sha256: { $eq: sha256 } }, pagination: { pageSize: 1 } }
    const { data } = await callRoute('GET /api/upload/library', {
      query,
      signal: AbortSignal.any([signal, AbortSignal.timeout(hashTimeout)]),
    })
    return data.find(isUpload)
  } catch {
    return undefined
  }
}

interface UploadSending {
  signal: AbortSignal
  /** Called during an upload with the number of bytes sent and the total. */
  onProgress: (sentBytes: number, totalBytes: number) => void
}

/**
 * Uploads a file; a cropped file is sent after its original.
 *
 * @param fileUpload - Its `original` becomes an id as soon as that is sent, so that a second try does not send it
 *   twice.
 * @returns The record.
 * @throws ApiError as `uploadFile` does.
 */
export async function sendFile(fileUpload: Upload, { signal, onProgress }: UploadSending): Promise<Entry> {
  const { file, crop, texts } = fileUpload
  const originalSize = fileUpload.original instanceof File ? fileUpload.original.size : 0
  const totalSize = originalSize + file.size
  if (fileUpload.original instanceof File) {
    const source = fileUpload.original
    const duplicate = await findDuplicate(source, signal)
    signal.throwIfAborted()
    const uploadedFile =
      duplicate ??
      (await uploadFile(source, { signal, onProgress: (share) => onProgress(share * originalSize, totalSize) }))
    fileUpload.original = uploadedFile.id
  }
  const { original } = fileUpload
  const fileInfo = original === undefined && texts === undefined ? undefined : { ...texts, original, crop }
  return await uploadFile(file, {
    signal,
    info: fileInfo,
    onProgress: (share) => onProgress(originalSize + share * file.size, totalSize),
  })
}
