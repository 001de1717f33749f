/**
 * Panel that adds any condition to a list: a field and its condition, or a link to the builder for several.
 */
import type { CallerRole } from '@dala/model'
import { FilterPanel } from '../../../fields/filters/filter-panel.tsx'
import { useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { setFilter } from '../list-session.ts'
import type { ResourceList } from '../use-resource-list.ts'

export interface FilterPaneProps {
  list: ResourceList
  callerRole: CallerRole
  /** Called after a condition of the list was set or removed. */
  onDone: () => void
  /** Opens the builder of joined conditions from the panel. */
  onBuild: () => void
}

export function FilterPane({ list, callerRole, onDone, onBuild }: FilterPaneProps) {
  const t = useT()
  const set = (name: string, text: string | undefined) => {
    list.go(setFilter(list, name, text))
    onDone()
  }
  return (
    <>
      <FilterPanel
        resource={list.screen.resource}
        callerRole={callerRole}
        excludedNames={Object.keys(list.query.rows)}
        filter={list.query.filters}
        onApply={set}
        onRemove={(name) => set(name, undefined)}
      />
      <LinkButton onClick={onBuild} className="justify-self-start">
        {t('list.builder')}
      </LinkButton>
    </>
  )
}
