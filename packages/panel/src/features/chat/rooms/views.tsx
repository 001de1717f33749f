/**
 * Saved views of the rooms: open, save under a name, and delete; a deleted view can be restored by saving it
 * again.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Bookmark from 'lucide-react/icons/bookmark'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useRef, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { meQuery } from '../../../api/session.ts'
import { useT } from '../../../lib/i18n.ts'
import {
  isSame,
  savedViewOf,
  viewQueries,
  viewsQuery,
  type SearchParams,
  searchParamsOf,
} from '../../../resource/views/view.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FailureLine, Field } from '../../../ui/inputs/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/inputs/input.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { type DeskSearch, listOf, readDeskSearch } from '../desk-search.ts'

/** Path of the chat desk, under which its saved views are stored with those of the lists. */
const screenName = 'chats'
/** Option of the select for no saved view. */
const noView = 'none'

export function RoomViews({ search, onChange }: { search: DeskSearch; onChange: (newSearch: DeskSearch) => void }) {
  const t = useT()
  const cache = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery(viewsQuery)
  const [naming, setNaming] = useState(false)
  const searchParams = searchParamsOf({ ...listOf(search) })
  const views = (data?.entries ?? []).map(savedViewOf).filter(({ screen }) => screen === screenName)
  const openView = views.find((view) => isSame(view.search, searchParams))
  const remove = useMutation({
    mutationFn: (id: number) => viewQueries.remove(id, 'one'),
    onSuccess: () => showToast({ kind: 'success', title: t('views.deleted', { name: openView?.name ?? '' }) }),
    onSettled: () => cache.invalidateQueries({ queryKey: viewQueries.all }),
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={openView ? `${t('views.title')}: ${openView.name}` : t('views.title')}
            icon={<Bookmark size={17} aria-hidden />}
            className={openView ? 'text-brand-text' : ''}
          />
        }
      >
        {({ Item, Choice }) => (
          <>
            <Choice
              closesMenu
              label={t('views.title')}
              value={openView ? String(openView.id) : noView}
              onValueChange={(id) =>
                onChange(readDeskSearch(views.find((view) => String(view.id) === id)?.search ?? {}))
              }
              choices={[
                { value: noView, label: t('views.none') },
                ...views.map((view) => ({ value: String(view.id), label: view.name })),
              ]}
            />
            <div className="mt-1 border-t border-line pt-1">
              <Item icon={<Plus size={16} aria-hidden />} onClick={() => setNaming(true)}>
                {t('views.saveAs')}
              </Item>
              {openView && openView.owner === me?.id ? (
                <Item isDangerous icon={<Trash2 size={16} aria-hidden />} onClick={() => remove.mutate(openView.id)}>
                  {t('views.delete')}
                </Item>
              ) : null}
            </div>
          </>
        )}
      </Menu>
      <NameDialog
        key={String(naming)}
        searchParams={searchParams}
        takenNames={views.filter(({ owner }) => owner === me?.id).map(({ name }) => name)}
        open={naming}
        onClose={() => setNaming(false)}
      />
    </>
  )
}

interface NameDialogProps {
  searchParams: SearchParams
  takenNames: readonly string[]
  open: boolean
  onClose: () => void
}

function NameDialog({ searchParams, takenNames, open, onClose }: NameDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const save = useMutation({
    meta: { inPlace: true },
    mutationFn: () => viewQueries.create({ name: name.trim(), screen: screenName, state: { search: searchParams } }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: viewQueries.all })
      showToast({ kind: 'success', title: t('views.saved', { name: name.trim() }) })
      onClose()
    },
  })
  const problem =
    name.trim() === '' ? t('validation.required') : takenNames.includes(name.trim()) ? t('views.taken') : undefined
  const submitView = () => {
    setSubmitted(true)
    if (problem === undefined && !save.isPending) save.mutate()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('views.saveAs')}
      initialFocus={input}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" isBusy={save.isPending} onClick={submitView}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          submitView()
        }}
      >
        <Field label={t('views.name')} required error={isSubmitted ? problem : undefined}>
          <Input ref={input} maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <FailureLine>{save.error ? messageOfFailure(save.error) : undefined}</FailureLine>
      </form>
    </Dialog>
  )
}
