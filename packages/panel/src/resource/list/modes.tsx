/** Switch between the display modes of a list. */
import type { Screen } from '@dala/model'
import Image from 'lucide-react/icons/image'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Rows3 from 'lucide-react/icons/rows-3'
import { useT } from '../../lib/i18n.ts'
import { SegmentedControl } from '../../ui/inputs/segmented.tsx'
import { setLayout } from './list-session.ts'
import type { ResourceList } from './use-resource-list.ts'

const modeIcons = { list: Rows3, thumb: LayoutGrid, image: Image } as const

/** Returns whether a resource has more than one display mode. */
export const offersModes = ({ resource }: Screen): boolean => (resource.list?.modes ?? []).length > 1

export function ModeSwitch({ list }: { list: ResourceList }) {
  const t = useT()
  const modes = list.screen.resource.list?.modes ?? []
  if (!offersModes(list.screen)) return null
  return (
    <SegmentedControl
      label={t('list.displayMode')}
      value={list.display.mode}
      onValueChange={(mode) => list.store(setLayout(list, { mode }))}
      segments={modes.map((value) => {
        const Icon = modeIcons[value]
        return { value, label: t(`list.mode.${value}`), icon: <Icon size={17} aria-hidden /> }
      })}
    />
  )
}
