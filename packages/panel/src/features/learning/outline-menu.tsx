/** The menu of a lesson or a group in an outline. */
import Ellipsis from 'lucide-react/icons/ellipsis'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuParts } from '../../ui/menu.tsx'

export function OutlineMenu({ name, children }: { name: string; children: (parts: MenuParts) => ReactNode }) {
  const t = useT()
  const label = t('list.actionsFor', { name })
  return (
    <Menu trigger={<IconButton label={label} data-menu icon={<Ellipsis size={18} aria-hidden />} />}>{children}</Menu>
  )
}
