/** The bar of selected pictures, which moves them to a folder, or deletes the unused ones. */
import type { RefusedFile } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import FolderInput from 'lucide-react/icons/folder-input'
import Trash2 from 'lucide-react/icons/trash-2'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { moveFiles, removeFiles } from '../../fields/picture/library/api.ts'
import type { FileSelection } from '../../fields/picture/library/use-picked.ts'
import { useT } from '../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/overlays/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { FolderField } from './folder-field.tsx'
import { UseList } from './file-uses.tsx'

const linkClass =
  'inline-flex min-h-8 items-center gap-1.5 rounded-1 px-2 text-start font-semibold hover:underline max-md:min-h-11 max-md:ps-0 max-md:pe-4'

interface BulkFilesProps {
  selection: FileSelection
  /** Called when the bar of selected pictures disappears, and the focus with it. */
  onDone: () => void
  /** Called with the ids of the files that the bar has deleted. */
  onRemoved: (ids: readonly number[]) => void
}

export function BulkFiles({ selection, onDone, onRemoved }: BulkFilesProps) {
  const t = useT()
  const [openDialog, setOpenDialog] = useState<'move' | 'remove' | null>(null)
  const [refusals, setRefused] = useState<readonly RefusedFile[]>([])
  const isPhone = useMedia(phoneQuery)
  const ids = [...selection.files.keys()]
  const closeDialog = () => setOpenDialog(null)
  const clearButton = (
    <IconButton
      label={t('action.deselectAll')}
      icon={<X size={17} aria-hidden />}
      className="ms-auto"
      onClick={() => {
        selection.clear()
        onDone()
      }}
    />
  )
  return (
    <>
      <output className="sr-only">{ids.length > 0 ? t('list.selected', { count: ids.length }) : ''}</output>
      {ids.length > 0 ? (
        <div className="bulk-bar">
          <b className="me-2 text-ink">{t('list.selected', { count: ids.length })}</b>
          {isPhone ? (
            <>
              {clearButton}
              <span className="basis-full" />
            </>
          ) : null}
          <button type="button" className={linkClass} onClick={() => setOpenDialog('move')}>
            <FolderInput size={15} aria-hidden />
            {t('library.move')}
          </button>
          <button type="button" className={`${linkClass} text-danger-text`} onClick={() => setOpenDialog('remove')}>
            <Trash2 size={15} aria-hidden />
            {t('action.delete')}
          </button>
          {isPhone ? null : clearButton}
        </div>
      ) : null}
      <MoveDialog
        open={openDialog === 'move'}
        ids={ids}
        onClose={closeDialog}
        onMoved={() => {
          selection.clear()
          onDone()
        }}
      />
      <RemoveDialog
        open={openDialog === 'remove'}
        ids={ids}
        onClose={closeDialog}
        onRemoved={(removedIds, keptFiles) => {
          selection.remove(removedIds)
          onRemoved(removedIds)
          setRefused(keptFiles)
          if (keptFiles.length === 0) onDone()
        }}
      />
      <RefusedDialog refused={refusals} onClose={() => setRefused([])} />
    </>
  )
}

interface AskProps {
  open: boolean
  ids: readonly number[]
  onClose: () => void
}

function MoveDialog({ open, ids, onClose, onMoved }: AskProps & { onMoved: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  const [folder, setFolder] = useState({ path: '', isNamed: true })
  const move = useMutation({
    meta: { inPlace: true },
    mutationFn: () => moveFiles(ids, folder.path || null),
    onSuccess: (count) => {
      showToast({ kind: 'success', title: t('library.moved', { count }) })
      setFolder({ path: '', isNamed: true })
      onClose()
      onMoved()
    },
    // Some of the selected files may have been moved before another one was refused.
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'uploads'] }),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => {
        if (isOpen) return
        move.reset()
        onClose()
      }}
      title={t('library.moveTitle', { count: ids.length })}
      confirmLabel={t('library.moveDo')}
      isBusy={move.isPending}
      disabled={!folder.isNamed && t('library.folderNeeded')}
      failure={move.error ? messageOfFailure(move.error) : undefined}
      onConfirm={() => move.mutate()}
    >
      <FolderField value={folder.path} onChange={(path, isNamed) => setFolder({ path, isNamed })} />
    </ConfirmDialog>
  )
}

interface RemoveDialogProps extends AskProps {
  onRemoved: (removedFileIds: readonly number[], refusedFiles: readonly RefusedFile[]) => void
}

function RemoveDialog({ open, ids, onClose, onRemoved }: RemoveDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const remove = useMutation({
    meta: { inPlace: true },
    mutationFn: () => removeFiles(ids),
    onSuccess: ({ removed, refused }) => {
      if (removed.length > 0) showToast({ kind: 'success', title: t('library.removed', { count: removed.length }) })
      onClose()
      onRemoved(removed, refused)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  return (
    <ConfirmDialog
      isDangerous
      open={open}
      onOpenChange={(isOpen) => {
        if (isOpen) return
        remove.reset()
        onClose()
      }}
      title={t('library.removeTitle', { count: ids.length })}
      description={t('library.removeText')}
      confirmLabel={t('action.delete')}
      isBusy={remove.isPending}
      failure={remove.error ? messageOfFailure(remove.error) : undefined}
      onConfirm={() => remove.mutate()}
    />
  )
}

/** Notice of files that were not deleted, and the records that use them. */
function RefusedDialog({ refused, onClose }: { refused: readonly RefusedFile[]; onClose: () => void }) {
  const t = useT()
  return (
    <Dialog
      open={refused.length > 0}
      onOpenChange={(isListOpen) => !isListOpen && onClose()}
      title={t('library.refusedTitle', { count: refused.length })}
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <ul className="grid max-h-[50dvh] gap-4 overflow-y-auto">
        {refused.map(({ id, name, uses }) => (
          <li key={id} className="grid gap-1.5">
            <h3 className="font-semibold wrap-anywhere">{t('library.refusedOf', { name })}</h3>
            <UseList uses={uses} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
