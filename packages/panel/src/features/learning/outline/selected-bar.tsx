/** Actions on the selected lessons of an outline: one bulk job for all of them. */
import { resources } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import FolderInput from 'lucide-react/icons/folder-input'
import Trash2 from 'lucide-react/icons/trash-2'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { type BulkAction, startBulk } from '../../../resource/list/bulk/api.ts'
import { followJob } from '../../../resource/list/bulk/jobs.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { DeleteDialog } from '../../../ui/overlays/dialog.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import type { SelectedLessons } from './use-selected-lessons.ts'

interface SelectedBarProps {
  selection: SelectedLessons
  mayRemove: boolean
  /** Opens the dialog that asks for a group; undefined in a course without groups. */
  onMove: (() => void) | undefined
  /** Ends the selection of lessons, which removes the bar with these buttons. */
  onEnd: () => void
}

export function SelectedBar({ selection, mayRemove, onMove, onEnd }: SelectedBarProps) {
  const t = useT()
  const cache = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const ids = selection.lessons.map(({ id }) => id)
  const run = useMutation({
    meta: { missed: t('message.notDone', { what: t('learning.outline') }) },
    mutationFn: async (action: BulkAction) =>
      followJob(cache, await startBulk({ resource: resources.lessons.wire, action, selection: { ids } })),
    onSuccess: ({ refused }) => {
      setRemoving(false)
      onEnd()
      if (refused > 0) showToast({ kind: 'error', title: t('bulk.wereRefused', { count: refused }) })
    },
  })
  const reason = run.isPending ? t('bulk.working') : ids.length === 0 && t('learning.selectFirst')
  const setState = (state: 'visible' | 'hidden') => run.mutate({ kind: 'set', values: { state } })
  return (
    <section
      aria-label={t('learning.selectedLessons')}
      className="flex flex-wrap items-center gap-1 border-t border-line bg-brand-soft px-3 py-1 text-on-brand-soft"
    >
      <output className="me-auto font-semibold">{t('list.selected', { count: ids.length })}</output>
      <IconButton
        label={t('learning.show')}
        disabled={reason}
        icon={<Eye size={17} aria-hidden />}
        onClick={() => setState('visible')}
      />
      <IconButton
        label={t('learning.hide')}
        disabled={reason}
        icon={<EyeOff size={17} aria-hidden />}
        onClick={() => setState('hidden')}
      />
      {onMove ? (
        <IconButton
          label={t('learning.moveToGroup')}
          disabled={reason}
          icon={<FolderInput size={17} aria-hidden />}
          onClick={onMove}
        />
      ) : null}
      {mayRemove ? (
        <IconButton
          label={t('action.delete')}
          disabled={reason}
          icon={<Trash2 size={17} aria-hidden />}
          onClick={() => setRemoving(true)}
        />
      ) : null}
      <IconButton label={t('action.deselectAll')} icon={<X size={17} aria-hidden />} onClick={onEnd} />
      <DeleteDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        target={`${t('bulk.willRemove', { count: ids.length })} ${t('bulk.trashNote')}`}
        isBusy={run.isPending}
        onConfirm={() => run.mutate({ kind: 'remove' })}
      />
    </section>
  )
}
