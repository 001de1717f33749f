/**
 * Input for the picture of a record: dropped, pasted or chosen, uploaded at once, and shown large. Saving the
 * form stores it.
 */
import type { Entry } from '@dala/model'
import Crop from 'lucide-react/icons/crop'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { LibraryPicker } from './library/picker.tsx'
import { PictureList } from './list.tsx'
import { PicturePreview } from './preview.tsx'
import {
  isStillImage,
  isUpload,
  insertUploadedPicture,
  presetSizes,
  type PictureFieldOptions,
} from './picture-value.ts'
import { useReportUploads } from '../upload/pending-uploads.ts'
import { UploadRows } from '../upload/upload-rows.tsx'
import { UploadZone } from '../upload/upload-zone.tsx'
import { useLatest } from './use-latest.ts'
import { type PictureCropping, useCropping } from './use-cropping.tsx'
import { type Upload, useUploads } from '../upload/use-uploads.ts'

export interface PictureInputProps {
  options: PictureFieldOptions
  value: unknown
  onChange: (value: unknown) => void
}

interface SinglePictureInputProps extends PictureInputProps {
  /** Whether the help text leaves out the format of moving pictures. */
  isStill?: boolean
}

/** Help text of a picture field: accepted formats, and the recommended size. */
function useHint(preset: PictureFieldOptions['preset'], isStill = false): string {
  const t = useT()
  const size = preset && presetSizes[preset]
  const formats = t(isStill ? 'upload.stillFormats' : 'upload.formats')
  return size ? t('upload.bestSize', { formats, width: size[0], height: size[1] }) : formats
}

/**
 * Moves the focus to the main button of the picture field, else to its first one, when the focused button was
 * removed.
 */
function useFocusField() {
  const root = useRef<HTMLDivElement>(null)
  return {
    root,
    focusField: () =>
      requestAnimationFrame(() => {
        const mainElement = root.current?.querySelector<HTMLElement>('[data-main]')
        ;(mainElement ?? root.current?.querySelector('button'))?.focus()
      }),
  }
}

/** Button that chooses a picture from the library. */
function useLibrary(isMultiple: boolean, onChoose: (entries: readonly Entry[]) => void) {
  const [isOpen, setOpen] = useState(false)
  return {
    open: () => setOpen(true),
    libraryPicker: (
      <LibraryPicker open={isOpen} isMultiple={isMultiple} onClose={() => setOpen(false)} onChoose={onChoose} />
    ),
  }
}

export function PictureInput({ options, value, onChange, isStill = false }: SinglePictureInputProps) {
  const t = useT()
  const picture = isUpload(value) ? value : undefined
  const uploads = useUploads(onChange)
  useReportUploads(uploads.files)
  const { root, focusField } = useFocusField()
  const hint = useHint(options.preset, isStill)
  const add = (files: readonly Upload[]) => {
    // The form field has one picture: a newer choice replaces a pending upload.
    for (const file of uploads.files) uploads.cancel(file)
    uploads.add(files)
  }
  const croppingState = useCropping(options.preset, add)
  const library = useLibrary(false, ([entry]) => {
    if (!entry) return
    for (const file of uploads.files) uploads.cancel(file)
    onChange(entry)
    focusField()
  })
  const remove = () => {
    onChange(null)
    focusField()
  }
  return (
    <div ref={root}>
      <UploadZone
        isMultiple={false}
        chooser={picture ? 'replace' : 'well'}
        hint={hint}
        onFiles={croppingState.offerFiles}
        onLibrary={library.open}
        items={({ Item }) => (
          <>
            {picture && isStillImage(picture.mime) ? (
              <Item icon={<Crop size={16} aria-hidden />} onClick={() => croppingState.crop(picture)}>
                {t(cropLabel(picture))}
              </Item>
            ) : null}
            <Item isDangerous icon={<Trash2 size={16} aria-hidden />} onClick={remove}>
              {t('upload.removeImage')}
            </Item>
          </>
        )}
        pendingRows={
          <>
            <UploadRows uploads={uploads} onGone={focusField} />
            <RefusedNotice>{croppingState.failure}</RefusedNotice>
          </>
        }
      >
        {picture ? <PicturePreview pictures={[picture]} picture={picture} /> : null}
      </UploadZone>
      {croppingState.dialog}
      {library.libraryPicker}
      <UploadedAnnouncement count={uploads.done} />
    </div>
  )
}

function picturesOf(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? value.filter(isUpload) : []
}

/** Input for several pictures in an order. */
export function PicturesInput({ options, value, onChange }: PictureInputProps) {
  const t = useT()
  const { maxItems } = options
  const pictures = picturesOf(value)
  const { now, change } = useLatest(pictures, onChange)
  const positionByFile = useRef(new Map<number, number>())
  const uploads = useUploads((entry, { key, replacedId }) => {
    positionByFile.current.set(entry.id, key)
    change(insertUploadedPicture(now.current, entry, { positionByFile: positionByFile.current, replacedId }))
  })
  useReportUploads(uploads.files)
  const { root, focusField } = useFocusField()
  const [isLimitReached, setLimitReached] = useState(false)
  const hint = useHint(options.preset)
  const pendingUploads = uploads.files.filter(
    ({ refusal, replacedId }) => refusal === undefined && replacedId === undefined,
  )
  const usedCount = pictures.length + pendingUploads.length
  const room = maxItems === undefined ? Number.POSITIVE_INFINITY : Math.max(0, maxItems - usedCount)
  const croppingState = useCropping(options.preset, uploads.add)
  const add = (files: readonly File[]) => {
    setLimitReached(files.length > room)
    croppingState.offerFiles(files.slice(0, room))
  }
  const library = useLibrary(true, (entries) => {
    const addedPictures = entries.filter(({ id }) => !now.current.some((chosenPicture) => chosenPicture.id === id))
    setLimitReached(addedPictures.length > room)
    if (addedPictures.length === 0) return
    change([...now.current, ...addedPictures.slice(0, room)])
  })
  return (
    <div ref={root}>
      <UploadZone
        isMultiple
        chooser={room === 0 ? 'none' : 'well'}
        hint={hint}
        onFiles={add}
        onLibrary={library.open}
        pendingRows={
          <>
            <UploadRows uploads={uploads} onGone={focusField} />
            <RefusedNotice>
              {isLimitReached && maxItems !== undefined ? t('validation.maxItems', { max: maxItems }) : null}
            </RefusedNotice>
            <RefusedNotice>{croppingState.failure}</RefusedNotice>
          </>
        }
      >
        <PictureList
          pictures={pictures}
          onChange={change}
          onGone={focusField}
          actions={(picture) => (
            <div className="flex flex-wrap gap-2 empty:hidden">
              <CropButton picture={picture} cropping={croppingState} />
            </div>
          )}
        />
      </UploadZone>
      {croppingState.dialog}
      {library.libraryPicker}
      <UploadedAnnouncement count={uploads.done} />
    </div>
  )
}

const cropLabel = ({ original }: Entry) => (typeof original === 'number' ? 'cropper.cropAgain' : 'cropper.crop')

/** Crops a stored picture, beginning with its previous crop; undefined for animated pictures. */
function CropButton({ picture, cropping }: { picture: Entry; cropping: PictureCropping }) {
  const t = useT()
  if (!isStillImage(picture.mime)) return null
  return (
    <Button isBusy={cropping.fetchingFileId === picture.id} onClick={() => cropping.crop(picture)}>
      {t(cropLabel(picture))}
    </Button>
  )
}

/** Reason why a file was not accepted as a picture. */
function RefusedNotice({ children }: { children: ReactNode }) {
  return (
    <div aria-live="polite" className="empty:hidden">
      {children ? <FieldError>{children}</FieldError> : null}
    </div>
  )
}

/** Announces a finished upload of a picture to screen readers. */
function UploadedAnnouncement({ count }: { count: number }) {
  const t = useT()
  return (
    <output key={count} className="sr-only">
      {count > 0 ? t('message.uploaded') : null}
    </output>
  )
}
