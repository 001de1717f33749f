/** Menu of a list's saved views: the open view, the others, and the actions on them. */
import { useQuery } from '@tanstack/react-query'
import Bookmark from 'lucide-react/icons/bookmark'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Pencil from 'lucide-react/icons/pencil'
import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import Plus from 'lucide-react/icons/plus'
import Save from 'lucide-react/icons/save'
import Star from 'lucide-react/icons/star'
import StarOff from 'lucide-react/icons/star-off'
import Trash2 from 'lucide-react/icons/trash-2'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { meQuery } from '../../api/session.ts'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { mayChange, openView, useViewActions } from './actions.ts'
import { savedViewOf, viewsQuery } from './view.ts'
import { ViewDialog } from './dialog.tsx'
import type { ResourceList } from '../list/use-resource-list.ts'

/** Value of the menu option for the list without a view. */
const noView = 'none'

export function ViewMenu({ list }: { list: ResourceList }) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery(viewsQuery)
  const [openDialog, setOpenDialog] = useState<'new' | 'open' | null>(null)
  const { save, remove, set } = useViewActions(list)
  const { screen } = list
  const { open: view, isChanged } = list.view
  const views = (data?.entries ?? []).map(savedViewOf).filter((listedView) => listedView.screen === screen.path)
  const isMine = view !== undefined && view.owner === me?.id
  const mayEditView = view !== undefined && me !== undefined && mayChange(view, me)
  const name = view?.name ?? t('views.title')
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={buttonClass('plain', 'min-w-11 font-normal! px-3!')}>
            <Bookmark size={17} aria-hidden className={cx('shrink-0', view ? 'text-brand-text' : 'text-muted')} />
            <span className={cx('max-w-[22ch] truncate max-lg:max-w-[14ch]', !view && 'max-lg:sr-only')}>{name}</span>
            {isChanged ? <span className="text-sm text-muted"> {t('views.changed')}</span> : null}
            <ChevronDown size={15} aria-hidden className="shrink-0 text-muted max-lg:hidden" />
          </button>
        }
      >
        {({ Item, Choice }) => (
          <>
            <Choice
              closesMenu
              label={t('views.title')}
              value={view ? String(view.id) : noView}
              onValueChange={(id) =>
                openView(
                  list,
                  views.find((listedView) => String(listedView.id) === id),
                )
              }
              choices={[
                { value: noView, label: t('views.none') },
                ...views.map((listedView) => ({
                  value: String(listedView.id),
                  label: (
                    <>
                      <span className="min-w-0 wrap-anywhere">{listedView.name}</span>
                      {listedView.owner === me?.id ? null : (
                        <span className="text-sm text-muted">{t('views.shared')}</span>
                      )}
                    </>
                  ),
                })),
              ]}
            />
            <div className="mt-1 border-t border-line pt-1">
              {isChanged && mayEditView ? (
                <Item icon={<Save size={16} aria-hidden />} onClick={() => save.mutate(undefined)}>
                  {t('views.save')}
                </Item>
              ) : null}
              {isChanged ? (
                <Item icon={<Undo2 size={16} aria-hidden />} onClick={() => openView(list, view)}>
                  {t('views.revert')}
                </Item>
              ) : null}
              <Item icon={<Plus size={16} aria-hidden />} onClick={() => setOpenDialog('new')}>
                {t('views.saveAs')}
              </Item>
              {view && mayEditView ? (
                <>
                  <Item icon={<Pencil size={16} aria-hidden />} onClick={() => setOpenDialog('open')}>
                    {t('views.settings')}
                  </Item>
                  <Item
                    icon={view.isPinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}
                    onClick={() => set.mutate({ view, values: { pinned: !view.isPinned } })}
                  >
                    {t(view.isPinned ? 'views.unpin' : 'views.pin')}
                  </Item>
                </>
              ) : null}
              {view && isMine ? (
                <Item
                  icon={view.isStandard ? <StarOff size={16} aria-hidden /> : <Star size={16} aria-hidden />}
                  onClick={() => set.mutate({ view, values: { standard: !view.isStandard } })}
                >
                  {t(view.isStandard ? 'views.notStandard' : 'views.standard')}
                </Item>
              ) : null}
              {view && mayEditView ? (
                <Item isDangerous icon={<Trash2 size={16} aria-hidden />} onClick={() => remove.mutate(view)}>
                  {t('views.delete')}
                </Item>
              ) : null}
            </div>
          </>
        )}
      </Menu>
      <ViewDialog
        key={openDialog}
        list={list}
        view={openDialog === 'open' ? view : undefined}
        open={openDialog !== null}
        onClose={() => setOpenDialog(null)}
      />
    </>
  )
}
