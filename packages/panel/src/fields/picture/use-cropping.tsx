/** Crops pictures before they are stored: a chosen file, or a stored one from its original. */
import type { Entry } from '@dala/model'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { fileAddress } from '../../api/client.ts'
import { callRoute } from '../../api/route.ts'
import { t } from '../../lib/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import { type StoredCrop, parseCrop } from './cropper/cut.ts'
import { fetchDrawable } from '../upload/private-file.tsx'
import { addressOf, isStillImage, isUpload, type CropPreset } from './picture-value.ts'
import type { Upload } from '../upload/use-uploads.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const CropperDialog = lazyPart(async () => (await import('./cropper/dialog.tsx')).CropperDialog)

interface CropTask {
  image: HTMLImageElement
  start: StoredCrop | undefined
  /** Properties of the picture that are uploaded with the cropped file. */
  upload: Omit<Upload, 'file' | 'crop'>
  /** New picture file, which the user may keep uncropped. */
  file: File | undefined
}

/** A picture that this browser can draw, at an object URL; undefined when it cannot. */
async function loadDrawable(blob: Blob): Promise<HTMLImageElement | undefined> {
  const image = new Image()
  image.src = URL.createObjectURL(blob)
  try {
    await image.decode()
    return image
  } catch {
    URL.revokeObjectURL(image.src)
    return undefined
  }
}

/** Original of a cropped file with its crop, or the file itself. A deleted original counts as none. */
async function originalFile(picture: Entry): Promise<{ original: Entry; start: StoredCrop | undefined }> {
  if (typeof picture.original !== 'number') return { original: picture, start: undefined }
  try {
    const originalPicture = await callRoute('GET /api/upload/files/:id', { params: { id: picture.original } })
    if (isUpload(originalPicture)) return { original: originalPicture, start: parseCrop(picture.crop) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
  return { original: picture, start: undefined }
}

async function loadImage(picture: Entry): Promise<HTMLImageElement | undefined> {
  const answer = await fetch(fileAddress(addressOf(await fetchDrawable(picture))) ?? '')
  return answer.ok ? await loadDrawable(await answer.blob()) : undefined
}

/** Texts of a picture stay with the picture, whatever the crop. */
const textsOf = ({ alt, captions }: Entry) => ({ ...(alt ? { alt } : {}), ...(captions ? { captions } : {}) })

export interface PictureCropping {
  /**
   * Takes chosen files: a single still picture of a field with a size is cropped first, all others are
   * uploaded unchanged.
   */
  offerFiles: (files: readonly File[]) => void
  /** Opens the cropper for a stored picture. */
  crop: (picture: Entry) => void
  /** Id of the picture that is loading for the cropper. */
  fetchingFileId: number | undefined
  /** Message about a picture that could not be loaded. */
  failure: string | undefined
  dialog: ReactNode
}

export function useCropping(
  preset: CropPreset | undefined,
  onUploads: (uploads: readonly Upload[]) => void,
): PictureCropping {
  const [task, setTask] = useState<CropTask>()
  const [fetching, setFetching] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const address = task?.image.src
  useEffect(() => {
    if (address === undefined) return undefined
    return () => URL.revokeObjectURL(address)
  }, [address])
  // Number of the latest request for the original picture; the response to an earlier request is discarded.
  const requestId = useRef(0)
  const uploadUncropped = (files: readonly File[]) => onUploads(files.map((file) => ({ file })))

  const offerFiles = async (files: readonly File[]) => {
    setFailure(undefined)
    requestId.current += 1
    const ownRequest = requestId.current
    const [file] = files
    const isSinglePicture = file !== undefined && files.length === 1 && preset !== undefined && isStillImage(file.type)
    const image = isSinglePicture ? await loadDrawable(file) : undefined
    if (image === undefined || file === undefined) uploadUncropped(files)
    else if (ownRequest === requestId.current) setTask({ image, start: undefined, upload: { original: file }, file })
    else URL.revokeObjectURL(image.src)
  }

  const crop = async (picture: Entry) => {
    setFailure(undefined)
    setFetching(picture.id)
    requestId.current += 1
    const ownRequest = requestId.current
    try {
      const { original, start } = await originalFile(picture)
      const image = await loadImage(original)
      if (ownRequest !== requestId.current) return
      const texts = textsOf(picture)
      if (image)
        setTask({ image, start, upload: { original: original.id, texts, replacedId: picture.id }, file: undefined })
      else setFailure(t('cropper.notLoaded'))
    } catch (error) {
      if (ownRequest === requestId.current) setFailure(messageOfFailure(error) || t('cropper.notLoaded'))
    } finally {
      setFetching(undefined)
    }
  }

  const closeDialog = () => setTask(undefined)
  return {
    offerFiles: (files) => void offerFiles(files),
    crop: (picture) => void crop(picture),
    fetchingFileId: fetching,
    failure,
    dialog: task ? (
      <Suspense fallback={null}>
        <CropperDialog
          image={task.image}
          preset={preset}
          start={task.start}
          onCrop={(file, crop) => {
            onUploads([{ ...task.upload, file, crop }])
            closeDialog()
          }}
          onKeep={
            task.file === undefined
              ? undefined
              : () => {
                  if (task.file) uploadUncropped([task.file])
                  closeDialog()
                }
          }
          onCancel={closeDialog}
        />
      </Suspense>
    ) : null,
  }
}
