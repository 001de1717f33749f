/** Undoes an import: the confirmation, and a link to the reasons why it is no longer possible. */
import type { ImportTouched } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { useT } from '../../lib/i18n.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { refetchImport, undoImport } from './import-api.ts'

const touchedCode = 'import.touched'

const isImportTouched = (value: unknown): value is ImportTouched =>
  typeof value === 'object' && value !== null && 'row' in value && 'name' in value && 'why' in value

/** The records that prevent the undo of an import; undefined for any other failure. */
function touchedRecordsOf(error: unknown): ImportTouched[] | undefined {
  if (!(error instanceof ApiError) || error.code !== touchedCode) return undefined
  const { records } = error.details
  return Array.isArray(records) ? records.filter(isImportTouched) : []
}

interface UndoImportProps {
  id: number
  counts: { created: number; updated: number }
  /** Name of the imported file, for assistive technology when a list has several undo buttons. */
  name?: string
  variant: 'button' | 'link'
  /**
   * Called with the records that prevent the undo of an import; without this callback the report shows them.
   */
  onTouched?: (records: readonly ImportTouched[]) => void
}

/** Text for the numbers of records that an undo has restored and removed. */
export function useUndoEffectText({ created, updated }: UndoImportProps['counts']): string {
  const t = useT()
  return [
    ...(updated > 0 ? [t('import.willReturn', { count: updated })] : []),
    ...(created > 0 ? [t('import.willGo', { count: created })] : []),
  ].join(' ')
}

export function UndoImportButton({ id, counts, name, variant, onTouched }: UndoImportProps) {
  const t = useT()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const obstacle = useObstacle()
  const effectText = useUndoEffectText(counts)
  const [isAsking, setAsking] = useState(false)
  const undoneMutation = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('import.takeBack') }) },
    mutationFn: () => undoImport(cache, id),
    onSuccess: () => {
      showToast({ kind: 'success', title: t('import.takenBack') })
    },
    // An undone import may have changed records of every kind.
    onSettled: () => void cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  const ask = () => {
    undoneMutation.reset()
    setAsking(true)
  }
  const confirm = () =>
    undoneMutation.mutate(undefined, {
      onSuccess: () => setAsking(false),
      onError: (error) => {
        const records = touchedRecordsOf(error)
        if (!records) return
        setAsking(false)
        if (onTouched) onTouched(records)
        else void refetchImport(cache, id).then(() => navigate({ to: `/app/import/${id}`, search: { undo: '1' } }))
      },
    })
  const isRefused = touchedRecordsOf(undoneMutation.error) !== undefined
  const label = name === undefined ? {} : { 'aria-label': t('import.takeBackOf', { name }) }
  return (
    <>
      {variant === 'button' ? (
        <Button onClick={ask} {...label}>
          {t('import.takeBack')}
        </Button>
      ) : (
        <LinkButton onClick={ask} {...label}>
          {t('import.takeBack')}
        </LinkButton>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('import.takeBackTitle')}
        description={effectText}
        confirmLabel={t('import.takeBack')}
        isBusy={undoneMutation.isPending}
        disabled={obstacle}
        failure={undoneMutation.error && !isRefused ? messageOfFailure(undoneMutation.error) : undefined}
        onConfirm={confirm}
      />
    </>
  )
}
