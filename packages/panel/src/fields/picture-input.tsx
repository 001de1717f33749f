/** The picture of a record: dropped, pasted or chosen, uploaded at once, and shown large; saving the form keeps it. */
import type { Entry } from '@dala/model'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { PictureList } from './picture-list.tsx'
import { PicturePreview } from './picture-preview.tsx'
import { isUpload, presetSizes, type PictureFieldOptions } from './picture-value.ts'
import { UploadRows } from './upload-rows.tsx'
import { UploadZone } from './upload-zone.tsx'
import { useUploads } from './use-uploads.ts'

export interface PictureInputProps {
  options: PictureFieldOptions
  value: unknown
  onChange: (value: unknown) => void
}

/** What may be chosen, and the size it is best at. */
function useHint(preset: PictureFieldOptions['preset']): string {
  const t = useT()
  const size = preset && presetSizes[preset]
  const formats = t('upload.formats')
  return size ? t('upload.bestSize', { formats, width: size[0], height: size[1] }) : formats
}

/** The focus goes to the field's first button when the one that had it is gone. */
function useFocusField() {
  const root = useRef<HTMLDivElement>(null)
  return {
    root,
    focusField: () => requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('button')?.focus()),
  }
}

export function PictureInput({ options, value, onChange }: PictureInputProps) {
  const t = useT()
  const picture = isUpload(value) ? value : undefined
  const uploads = useUploads(onChange)
  const { root, focusField } = useFocusField()
  const hint = useHint(options.preset)
  const add = (files: readonly File[]) => {
    // One picture has one place: a newer choice takes it from the one on its way.
    for (const file of uploads.files) uploads.cancel(file)
    uploads.add(files)
  }
  const remove = () => {
    onChange(null)
    focusField()
  }
  return (
    <div ref={root}>
      <UploadZone
        several={false}
        chooser={picture ? 'replace' : 'well'}
        hint={hint}
        onFiles={add}
        beside={<Button onClick={remove}>{t('upload.removeImage')}</Button>}
        pending={<UploadRows uploads={uploads} onGone={focusField} />}
      >
        {picture ? <PicturePreview picture={picture} /> : null}
      </UploadZone>
      <Uploaded count={uploads.done} />
    </div>
  )
}

function picturesOf(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? value.filter(isUpload) : []
}

/** Several pictures in order. */
export function PicturesInput({ options, value, onChange }: PictureInputProps) {
  const t = useT()
  const { maxItems } = options
  const pictures = picturesOf(value)
  // Two uploads may end before the form is drawn again: the second adds to what the first has made.
  const now = useRef(pictures)
  useEffect(() => {
    now.current = picturesOf(value)
  }, [value])
  const uploads = useUploads((entry) => {
    now.current = [...now.current, entry]
    onChange(now.current)
  })
  const { root, focusField } = useFocusField()
  const [refused, setRefused] = useState(false)
  const hint = useHint(options.preset)
  const taken = pictures.length + uploads.files.filter(({ refusal }) => refusal === undefined).length
  const room = maxItems === undefined ? Number.POSITIVE_INFINITY : Math.max(0, maxItems - taken)
  const add = (files: readonly File[]) => {
    setRefused(files.length > room)
    uploads.add(files.slice(0, room))
  }
  return (
    <div ref={root}>
      <UploadZone
        several
        chooser={room === 0 ? 'none' : 'well'}
        hint={hint}
        onFiles={add}
        pending={
          <>
            <UploadRows uploads={uploads} onGone={focusField} />
            <div aria-live="polite" className="empty:hidden">
              {refused && maxItems !== undefined ? (
                <FieldError>{t('validation.maxItems', { max: maxItems })}</FieldError>
              ) : null}
            </div>
          </>
        }
      >
        <PictureList pictures={pictures} onChange={onChange} onGone={focusField} />
      </UploadZone>
      <Uploaded count={uploads.done} />
    </div>
  )
}

/** Says so to those who do not see the picture appear. */
function Uploaded({ count }: { count: number }) {
  const t = useT()
  return (
    <output key={count} className="sr-only">
      {count > 0 ? t('message.uploaded') : null}
    </output>
  )
}
