/**
 * All controls of a list behind one button, for narrow windows: sorting, filters, language and mode directly;
 * further conditions, columns and export one step deeper.
 */
import type { CallerRole } from '@dala/model'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Columns3 from 'lucide-react/icons/columns-3'
import Download from 'lucide-react/icons/download'
import ListFilter from 'lucide-react/icons/list-filter'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { ImportLink } from '../../import-link.tsx'
import { ListColumns } from '../columns-panel.tsx'
import { ListExport } from '../export.tsx'
import { FilterPane } from './filter-pane.tsx'
import { ListLanguage } from '../language.tsx'
import { ModeSwitch, offersModes } from '../modes.tsx'
import { QuickFilter } from './quick-filter.tsx'
import { ListSort } from '../sort.tsx'
import type { ListSlots } from '../../screen-parts.ts'
import type { ResourceList } from '../use-resource-list.ts'

interface ListFoldProps {
  list: ResourceList
  slots: ListSlots
  /** Names of the fields with a separate filter in the row. */
  names: readonly string[]
  callerRole: CallerRole
  /** Whether the user sees only cards: there is nothing to filter and nothing to choose from. */
  isCard: boolean
  onDone: () => void
  onBuild: () => void
}

const panes = [
  { name: 'filters', title: 'list.filters', Icon: ListFilter },
  { name: 'columns', title: 'columns.title', Icon: Columns3 },
  { name: 'export', title: 'export.title', Icon: Download },
] as const
type PaneName = (typeof panes)[number]['name']

export function ListFold({ list, slots, names, callerRole, isCard, onDone, onBuild }: ListFoldProps) {
  const t = useT()
  const [pane, setPane] = useState<PaneName>()
  const [previousPane, setPreviousPane] = useState<PaneName>()
  const { resource } = list.screen
  if (pane !== undefined) {
    return (
      <FilterListPane
        name={pane}
        onBack={() => {
          setPreviousPane(pane)
          setPane(undefined)
        }}
      >
        {pane === 'filters' ? (
          <FilterPane list={list} callerRole={callerRole} onDone={onDone} onBuild={onBuild} />
        ) : pane === 'columns' ? (
          <ListColumns list={list} slots={slots} callerRole={callerRole} />
        ) : (
          <ListExport list={list} onDone={onDone} />
        )}
      </FilterListPane>
    )
  }
  return (
    <>
      <ControlSection title={t('list.sortBy')}>
        <ListSort list={list} />
      </ControlSection>
      {names.length > 0 ? (
        <ControlSection title={t('list.filters')}>
          {names.map((name) => (
            <QuickFilter key={name} resource={resource} list={list} name={name} isWide />
          ))}
        </ControlSection>
      ) : null}
      {resource.localized ? (
        <ControlSection title={t('lang.content')}>
          <ListLanguage list={list} className="w-full!" />
        </ControlSection>
      ) : null}
      {offersModes(list.screen) ? (
        <ControlSection title={t('list.displayMode')}>
          <ModeSwitch list={list} />
        </ControlSection>
      ) : null}
      {isCard ? null : (
        <ul className="-mx-2 border-t border-line pt-2">
          {panes.map(({ name, title, Icon }) => (
            <li key={name}>
              <PaneLink takesFocus={name === previousPane} onClick={() => setPane(name)}>
                <Icon size={18} aria-hidden className="text-muted" />
                <span className="min-w-0 flex-1">{t(name === 'filters' ? 'list.otherFilters' : title)}</span>
                <ChevronRight size={16} aria-hidden className="mirrored text-muted" />
              </PaneLink>
            </li>
          ))}
          <ImportLink resource={slots.imports ?? resource} variant="line" Around={Line} />
        </ul>
      )}
    </>
  )
}

function ControlSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <fieldset aria-labelledby={id} className="grid min-w-0 gap-1.5">
      <p id={id} className="text-sm font-medium">
        {title}
      </p>
      {children}
    </fieldset>
  )
}

const Line = ({ children }: { children: ReactNode }) => <li>{children}</li>

/** The focus returns to its earlier place after a step back in the sheet of controls. */
function PaneLink({
  takesFocus,
  onClick,
  children,
}: {
  takesFocus: boolean
  onClick: () => void
  children: ReactNode
}) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    <button ref={button} type="button" onClick={onClick} className="float-item hover:bg-hover">
      {children}
    </button>
  )
}

function FilterListPane({ name, onBack, children }: { name: PaneName; onBack: () => void; children: ReactNode }) {
  const t = useT()
  const frame = useRef<HTMLElement>(null)
  const title = t(panes.find((filterPane) => filterPane.name === name)?.title ?? 'list.filters')
  // The pressed button was removed with the list of controls that it was in.
  useEffect(() => frame.current?.querySelector('button')?.focus(), [])
  return (
    <section ref={frame} aria-label={title} className="grid gap-4">
      <div className="grid justify-items-start gap-1">
        <LinkButton icon={<ChevronLeft size={16} aria-hidden className="mirrored" />} onClick={onBack}>
          {t('action.back')}
        </LinkButton>
        <h3 className="font-semibold">{title}</h3>
      </div>
      {children}
    </section>
  )
}
