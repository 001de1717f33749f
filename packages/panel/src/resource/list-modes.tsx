/** The display mode of a list: the switch, and the mode that holds for a resource. */
import type { Resource } from '@dala/model'
import Image from 'lucide-react/icons/image'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Rows3 from 'lucide-react/icons/rows-3'
import { useT } from '../lib/i18n.ts'
import { type Preferences, setPreferences, usePreferences } from '../lib/preferences.ts'
import { Segmented } from '../ui/segmented.tsx'

export type DisplayMode = Preferences['displayMode']

const icons = { list: Rows3, thumb: LayoutGrid, image: Image } as const

/** The reader's mode where the resource offers it, else the table. */
export function useDisplayMode({ list }: Resource): DisplayMode {
  const { displayMode } = usePreferences()
  return list?.modes?.find((mode) => mode === displayMode) ?? 'list'
}

export function ModeSwitch({ resource }: { resource: Resource }) {
  const t = useT()
  const mode = useDisplayMode(resource)
  const modes = resource.list?.modes ?? []
  if (modes.length < 2) return null
  return (
    <Segmented
      label={t('list.displayMode')}
      value={mode}
      onValueChange={(displayMode) => setPreferences({ displayMode })}
      segments={modes.map((value) => {
        const Icon = icons[value]
        return { value, label: t(`list.mode.${value}`), icon: <Icon size={17} aria-hidden /> }
      })}
    />
  )
}
