/** The menu of a lesson or a group in an outline, with common items and those of the kind of row. */
import type { Screen } from '@dala/model'
import type { OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { Link } from '@tanstack/react-router'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Pencil from 'lucide-react/icons/pencil'
import TextCursorInput from 'lucide-react/icons/text-cursor-input'
import Trash2 from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, type MenuParts } from '../../../ui/overlays/menu.tsx'
import type { MovedItem, OutlineActions } from './actions.ts'
import { changesOutline, type Move } from './tree.ts'

export interface OutlineMenuProps {
  screen: Screen
  item: OutlineLesson | OutlineGroup
  actions: OutlineActions
  up: Move
  moveDown: Move
  /** Row of the outline that the items move, for the announcement. */
  movedItem: MovedItem
  /** Menu items of a lesson or a group: before the common items, after "Edit", and after the moves. */
  firstItems?: (menu: MenuParts) => ReactNode
  furtherItems?: (menu: MenuParts) => ReactNode
  placeItems?: (menu: MenuParts) => ReactNode
}

export function OutlineMenu(props: OutlineMenuProps) {
  const { screen, item, actions, up, moveDown: downMove, movedItem, firstItems, furtherItems, placeItems } = props
  const t = useT()
  const { id, title, state } = item
  const isVisible = state === 'visible'
  return (
    <Menu
      trigger={
        <IconButton label={t('list.actionsFor', { name: title })} data-menu icon={<Ellipsis size={18} aria-hidden />} />
      }
    >
      {(menu) => (
        <>
          {firstItems?.(menu)}
          {actions.mayUpdate ? (
            <>
              <menu.Item render={<Link {...actions.addressOf(movedItem)} />} icon={<Pencil size={16} aria-hidden />}>
                {t('action.edit')}
              </menu.Item>
              <menu.Item
                icon={<TextCursorInput size={16} aria-hidden />}
                onClick={() => actions.startRename(movedItem)}
              >
                {t('learning.rename')}
              </menu.Item>
              {furtherItems?.(menu)}
              <menu.Item
                disabled={!changesOutline(actions.outline(), up) && t('list.isFirst')}
                icon={<ArrowUp size={16} aria-hidden />}
                onClick={() => actions.move(up, movedItem, 'menu')}
              >
                {t('action.moveUp')}
              </menu.Item>
              <menu.Item
                disabled={!changesOutline(actions.outline(), downMove) && t('list.isLast')}
                icon={<ArrowDown size={16} aria-hidden />}
                onClick={() => actions.move(downMove, movedItem, 'menu')}
              >
                {t('action.moveDown')}
              </menu.Item>
              {placeItems?.(menu)}
              <menu.Item
                icon={isVisible ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
                onClick={() => actions.setState(screen.resource, id, isVisible ? 'hidden' : 'visible')}
              >
                {t(isVisible ? 'learning.hide' : 'learning.show')}
              </menu.Item>
            </>
          ) : null}
          {actions.mayRemove ? (
            <menu.Item
              isDangerous
              icon={<Trash2 size={16} aria-hidden />}
              onClick={() => actions.openRemoveDialog(screen.resource, item)}
            >
              {t('action.delete')}
            </menu.Item>
          ) : null}
        </>
      )}
    </Menu>
  )
}
