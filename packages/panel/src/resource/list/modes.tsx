/** The display mode of a list: the switch, and the mode that holds for a resource. */
import type { Resource, Screen } from '@dala/model'
import Image from 'lucide-react/icons/image'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Rows3 from 'lucide-react/icons/rows-3'
import { useT } from '../../lib/i18n.ts'
import { type Preferences, usePreferences } from '../../lib/preferences.ts'
import { Segmented } from '../../ui/inputs/segmented.tsx'
import type { ListLayout } from '../views/layout.ts'

export type DisplayMode = Preferences['displayMode']

const icons = { list: Rows3, thumb: LayoutGrid, image: Image } as const

/** The mode of a view, or the reader's, where the resource offers it; else the table. */
export function useDisplayMode({ list }: Resource, { mode }: ListLayout): DisplayMode {
  const { displayMode } = usePreferences()
  return list?.modes?.find((one) => one === (mode ?? displayMode)) ?? 'list'
}

interface ModeSwitchProps {
  list: { screen: Screen; mode: DisplayMode; arrange: (next: ListLayout) => void }
}

/** Whether there is more than one way to show the rows. */
export const offersModes = ({ resource }: Screen): boolean => (resource.list?.modes ?? []).length > 1

export function ModeSwitch({ list: { screen, mode, arrange } }: ModeSwitchProps) {
  const t = useT()
  const modes = screen.resource.list?.modes ?? []
  if (!offersModes(screen)) return null
  return (
    <Segmented
      label={t('list.displayMode')}
      value={mode}
      onValueChange={(chosen) => arrange({ mode: chosen })}
      segments={modes.map((value) => {
        const Icon = icons[value]
        return { value, label: t(`list.mode.${value}`), icon: <Icon size={17} aria-hidden /> }
      })}
    />
  )
}
