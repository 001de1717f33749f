/** New pictures for the library: the upload area, the pending files, and their folder. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { Field } from '../../../ui/inputs/field.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { UploadRows } from '../../upload/upload-rows.tsx'
import { UploadZone } from '../../upload/upload-zone.tsx'
import { type Uploads, useUploads } from '../../upload/use-uploads.ts'
import { moveFiles } from './api.ts'

/** The upload to the library stores files unchanged, without cropping. */
type LibraryUploads = Omit<Uploads, 'add'> & { add: (files: readonly File[]) => void }

/** Uploads to the library; finished files go into the folder that is shown. */
export function useLibraryUploads(folder: string): LibraryUploads {
  const t = useT()
  const cache = useQueryClient()
  const refreshLibrary = () => cache.invalidateQueries({ queryKey: ['resource', 'uploads'] })
  const moveToFolder = useMutation({ mutationFn: (id: number) => moveFiles([id], folder), onSettled: refreshLibrary })
  const uploads = useUploads(({ id }) => {
    showToast({ kind: 'success', title: t('message.uploaded') })
    if (folder) moveToFolder.mutate(id)
    else void refreshLibrary()
  })
  return { ...uploads, add: (files) => uploads.add(files.map((file) => ({ file }))) }
}

interface LibraryUploadProps {
  uploads: LibraryUploads
  /** Whether the upload area is open; while it is closed, only pending files are shown. */
  isOpen: boolean
}

export function LibraryUpload({ uploads, isOpen }: LibraryUploadProps) {
  const t = useT()
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) root.current?.querySelector<HTMLElement>('button')?.focus()
  }, [isOpen])
  if (!isOpen && uploads.files.length === 0) return null
  const focusRoot = () => requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('button')?.focus())
  return (
    <div ref={root} className="border-b border-line p-4 max-md:px-3.5">
      <Field group label={t('library.upload')}>
        <UploadZone
          isMultiple
          chooser={isOpen ? 'well' : 'none'}
          hint={t('upload.formats')}
          onFiles={uploads.add}
          pendingRows={<UploadRows uploads={uploads} onGone={focusRoot} />}
        >
          {null}
        </UploadZone>
      </Field>
    </div>
  )
}
