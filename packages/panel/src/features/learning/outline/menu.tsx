/** The menu of a lesson or a group in an outline: common actions, around the specific ones. */
import type { Screen } from '@dala/model'
import type { Outline, OutlineGroup, OutlineLesson } from '@dala/model/api/learning'
import { Link } from '@tanstack/react-router'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { editAddress } from '../../../resource/screen-address.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, type MenuParts } from '../../../ui/overlays/menu.tsx'
import type { Moved, OutlineActions } from './actions.ts'
import { leadsOn, type Move } from './tree.ts'

export interface OutlineMenuProps {
  screen: Screen
  outline: Outline
  item: OutlineLesson | OutlineGroup
  actions: OutlineActions
  up: Move
  down: Move
  /** The row that is announced as moved. */
  moved: Moved
  /** Specific menu items: before the others, after "Edit", and after the moves. */
  first?: (parts: MenuParts) => ReactNode
  further?: (parts: MenuParts) => ReactNode
  places?: (parts: MenuParts) => ReactNode
}

export function OutlineMenu(props: OutlineMenuProps) {
  const { screen, outline, item, actions, up, down, moved, first, further, places } = props
  const t = useT()
  const { id, title, state } = item
  const isVisible = state === 'visible'
  return (
    <Menu
      trigger={
        <IconButton label={t('list.actionsFor', { name: title })} data-menu icon={<Ellipsis size={18} aria-hidden />} />
      }
    >
      {(parts) => (
        <>
          {first?.(parts)}
          {actions.mayUpdate ? (
            <>
              <parts.Item render={<Link {...editAddress(screen, id)} />} icon={<Pencil size={16} aria-hidden />}>
                {t('action.edit')}
              </parts.Item>
              {further?.(parts)}
              <parts.Item
                disabled={!leadsOn(outline, up) && t('list.isFirst')}
                icon={<ArrowUp size={16} aria-hidden />}
                onClick={() => actions.move(up, moved, 'menu')}
              >
                {t('action.moveUp')}
              </parts.Item>
              <parts.Item
                disabled={!leadsOn(outline, down) && t('list.isLast')}
                icon={<ArrowDown size={16} aria-hidden />}
                onClick={() => actions.move(down, moved, 'menu')}
              >
                {t('action.moveDown')}
              </parts.Item>
              {places?.(parts)}
              <parts.Item
                icon={isVisible ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
                onClick={() => actions.setState(screen.resource, id, isVisible ? 'hidden' : 'visible')}
              >
                {t(isVisible ? 'learning.hide' : 'learning.show')}
              </parts.Item>
            </>
          ) : null}
          {actions.mayRemove ? (
            <parts.Item
              danger
              icon={<Trash2 size={16} aria-hidden />}
              onClick={() => actions.askRemove(screen.resource, item)}
            >
              {t('action.delete')}
            </parts.Item>
          ) : null}
        </>
      )}
    </Menu>
  )
}
