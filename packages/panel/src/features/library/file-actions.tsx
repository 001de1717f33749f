/**
 * Replaces a picture in place, downloads another file, or deletes it; deleting is refused while records show
 * it.
 */
import type { Entry } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { fileAddress } from '../../api/client.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { fileQuery, fileUsesQuery, removeFile, replaceFile } from '../../fields/picture/library/api.ts'
import { isPictureFile } from '../../fields/picture/library/file.ts'
import { addressOf, fileNameOf, fileTitleOf } from '../../fields/picture/picture-value.ts'
import { useT } from '../../lib/i18n.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog, DeleteDialog } from '../../ui/overlays/dialog.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { usesOfRefusal } from './refused-uses.ts'
import { UseList } from './file-uses.tsx'

export function FileActions({ file, onGone }: { file: Entry; onGone: () => void }) {
  return (
    <div className="flex flex-wrap gap-2 border-t border-line pt-4">
      {isPictureFile(file) ? <ReplaceFile file={file} /> : <DownloadLink file={file} />}
      <DeleteFile file={file} onGone={onGone} />
    </div>
  )
}

function DownloadLink({ file }: { file: Entry }) {
  const t = useT()
  if (file['private'] === true) return null
  return (
    <a href={fileAddress(addressOf(file))} download={fileNameOf(file)} className={buttonClass()}>
      <Download size={16} aria-hidden />
      {t('action.download')}
    </a>
  )
}

function ReplaceFile({ file }: { file: Entry }) {
  const t = useT()
  const cache = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [isAsked, setAsked] = useState(false)
  const [isWrong, setWrong] = useState(false)
  const uses = useQuery(fileUsesQuery(file.id))
  const replace = useMutation({
    meta: { inPlace: true },
    mutationFn: (chosenFile: File) => replaceFile(file.id, chosenFile),
    onSuccess: (entry) => {
      cache.setQueryData(fileQuery(file.id).queryKey, entry)
      showToast({ kind: 'success', title: t('library.replaced') })
      void cache.invalidateQueries({ queryKey: ['resource'] })
    },
  })
  const failure = isWrong ? t('validation.imageOnly') : replace.error ? messageOfFailure(replace.error) : undefined
  return (
    <>
      <Button isBusy={replace.isPending} icon={<RefreshCw size={16} aria-hidden />} onClick={() => setAsked(true)}>
        {t('action.replace')}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('library.replaceTitle')}
        description={t('library.replaceText', { count: uses.data?.total ?? 0 })}
        confirmLabel={t('action.chooseFile')}
        onConfirm={() => {
          setAsked(false)
          input.current?.click()
        }}
      />
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) {
            setWrong(!file.type.startsWith('image/'))
            if (file.type.startsWith('image/')) replace.mutate(file)
          }
          // An emptied file input lets the user choose the same file again after a failure.
          target.value = ''
        }}
      />
      <div className="order-last basis-full empty:hidden">
        <FailureLine>{failure}</FailureLine>
      </div>
    </>
  )
}

function DeleteFile({ file, onGone }: { file: Entry; onGone: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const knownUses = useQuery(fileUsesQuery(file.id))
  const remove = useMutation({
    meta: { inPlace: true },
    mutationFn: () => removeFile(file.id),
    onSuccess: () => {
      showToast({ kind: 'success', title: t('library.deleted') })
      setAsked(false)
      onGone()
      cache.removeQueries({ queryKey: fileQuery(file.id).queryKey })
      cache.removeQueries({ queryKey: fileUsesQuery(file.id).queryKey })
      void cache.invalidateQueries({ queryKey: ['resource'] })
    },
    onError: () => void knownUses.refetch(),
  })
  const refusedUses = remove.error ? usesOfRefusal(remove.error) : undefined
  const uses = refusedUses ?? knownUses.data?.uses ?? []
  const isHeld = uses.length > 0
  const closeDialog = () => {
    setAsked(false)
    remove.reset()
  }
  return (
    <>
      <Button
        icon={<Trash2 size={16} aria-hidden />}
        className="text-danger-text!"
        onClick={() => {
          // The records that use a file may have changed since it was opened, so they are requested again.
          void knownUses.refetch()
          setAsked(true)
        }}
      >
        {t('action.delete')}
      </Button>
      <DeleteDialog
        open={isAsked}
        onOpenChange={(isOpen) => !isOpen && closeDialog()}
        isBusy={remove.isPending}
        disabled={isHeld && t('dialog.held')}
        failure={remove.error && !isInUse(remove.error) ? messageOfFailure(remove.error) : undefined}
        target={isHeld ? fileTitleOf(file) : t('library.deleteText', { name: fileTitleOf(file) })}
        onConfirm={() => remove.mutate()}
      >
        {isHeld ? (
          <div className="grid gap-2">
            <p role="alert" className="font-medium text-danger-text">
              {t('library.held')}
            </p>
            <UseList uses={uses} total={Math.max(uses.length, knownUses.data?.total ?? 0)} />
          </div>
        ) : null}
      </DeleteDialog>
    </>
  )
}

const isInUse = (error: unknown) => error instanceof ApiError && usesOfRefusal(error) !== undefined
