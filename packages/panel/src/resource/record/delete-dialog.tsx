/** Dialog that asks before a record is deleted in all its languages, and names these. */
import { type Entry, localeNames, type Resource, resources, resourceTitle } from '@dala/model'
import { type Query, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, use, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { formatList, type Translate } from '../../lib/format.ts'
import { hasMessage, firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { DeleteDialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { offerUndo } from '../../ui/feedback/undo.ts'
import { restoreRecord } from './bring-back.ts'
import { DeleteUses } from './delete-uses.tsx'
import { DeletionContext, type RemoveRecord } from './deletion.ts'
import { languagesOf } from '../entry-languages.ts'
import { hasTrash, usesQuery } from '../history/queries.ts'

export interface DeleteRecordDialogProps {
  resource: Resource
  /**
   * Prefix of the labels with which a screen names its records, when these differ from the resource's own.
   */
  labelPrefix?: string
  /** Record to delete; null closes the confirmation dialog. */
  record: Entry | null
  name: string
  onClose: () => void
  onDeleted?: () => void
  /** Returns the element that has the focus after the deletion; the focused one may be deleted too. */
  focusAfter?: () => HTMLElement | null | undefined
}

export function DeleteRecordDialog({
  resource,
  labelPrefix = resource.name,
  record,
  name,
  onClose,
  onDeleted,
  focusAfter,
}: DeleteRecordDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const queries = resourceQueries(resource)
  const isRestorable = hasTrash(resource)
  const slot = use(DeletionContext)[resource.name]
  // The function is wrapped in an object, because React would call a function as an update of the state.
  const [choice, setChoice] = useState<{ remove: RemoveRecord | undefined }>()
  const nextFocus = useRef<HTMLElement>(undefined)
  const uses = useQuery({
    ...usesQuery(resource, record?.id ?? 0, useLocale()),
    enabled: record !== null,
    retry: false,
  })
  const isHeld = uses.data?.some(({ rule }) => rule === 'restrict') ?? false
  const remove = useMutation({
    mutationFn: (id: number) => choice?.remove?.(id) ?? queries.remove(id, 'all'),
    onSuccess: (_, id) => {
      const kind = { resource: firstTranslation([`${labelPrefix}.one`]) }
      const title = t('message.deleted', kind)
      if (isRestorable)
        offerUndo({
          title,
          undoneTitle: t('message.restored', kind),
          undo: () => restoreRecord(cache, resource.wire, id),
          secondAction: {
            label: t('page.trash'),
            run: () => void navigate({ to: '/app/trash', search: { kind: resource.wire } }),
          },
        })
      else showToast({ kind: 'success', title })
      setChoice(undefined)
      nextFocus.current = focusAfter?.() ?? undefined
      onDeleted?.()
      onClose()
    },
    onSettled: (_, error, id) => {
      // Queries of other resources are refetched, because they may show the record by a link.
      const isDeletedRecord = ({ queryKey: [, name, , queriedId] }: Query) =>
        !error && name === resource.name && queriedId === id
      void cache.invalidateQueries({ queryKey: ['resource'], predicate: (query) => !isDeletedRecord(query) })
      void cache.invalidateQueries({ queryKey: ['resource'], predicate: isDeletedRecord, refetchType: 'none' })
    },
  })
  // Message about the effect of a deletion on other records, where that effect is not obvious.
  const note = `${resource.name}.deleteNote`
  const closeDialog = () => {
    remove.reset()
    setChoice(undefined)
    onClose()
  }
  const languages = record && resource.localized ? languagesOf(record).map((locale) => localeNames[locale]) : []
  return (
    <DeleteDialog
      open={record !== null}
      onOpenChange={(isOpen) => !isOpen && closeDialog()}
      isBusy={remove.isPending}
      disabled={isHeld && t('dialog.held')}
      finalFocus={() => {
        const target = nextFocus.current ?? true
        nextFocus.current = undefined
        return target
      }}
      failure={remove.error instanceof ApiError ? refusalOf(remove.error, t) : undefined}
      onConfirm={() => record && remove.mutate(record.id)}
      target={
        <>
          {t('dialog.delete.named', { name })}
          {hasMessage(note) ? ` ${t(note)}` : ''}
          {languages.length > 1 ? ` ${t('dialog.delete.allLanguages', { languages: formatList(t, languages) })}` : ''}
          {` ${t(isRestorable ? 'trash.comesBack' : 'trash.forGood')}`}
        </>
      }
    >
      <DeleteUses
        uses={uses.data?.filter(
          ({ resource: wire, rule }) => rule === 'restrict' || !slot?.coveredResources.includes(wire),
        )}
        isLoading={uses.isLoading && !slot}
      />
      {record && slot ? (
        <Suspense fallback={<p className="text-sm text-muted">{t('trash.looking')}</p>}>
          <slot.Effects
            key={record.id}
            record={record}
            onChoose={(removeChosen) => setChoice({ remove: removeChosen })}
          />
        </Suspense>
      ) : null}
    </DeleteDialog>
  )
}

/**
 * Reason of a refused deletion, shown in the dialog because not every status has a toast (requirements §8).
 */
export function refusalOf(error: ApiError, t: Translate): string {
  if (error.status > 0) return [messageOfError(error), usesText(error, t)].filter(Boolean).join(' ')
  return t(error.unansweredReason === 'timeout' ? 'error.timeout.message' : 'error.network.message')
}

/**
 * Text of the records that still use a record and so block its deletion (contract §4): their number, or a
 * list.
 */
function usesText({ details }: ApiError, t: Translate): string {
  const { resource: wire, count, uses } = details
  if (Array.isArray(uses)) return t('form.usedBy', { count: uses.length })
  const user = Object.values<Resource>(resources).find((listedResource) => listedResource.wire === wire)
  if (!user || typeof count !== 'number') return ''
  return t('form.usedIn', { resource: firstTranslation([resourceTitle(user)]), count })
}
