/** The rail: the seven sections, dark in both modes. */
import type { SectionName } from '@dala/model'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { OrganisationMark } from '../../../ui/organisation-mark.tsx'
import { sectionIcons } from '../../../ui/section-icons.ts'
import { homePath } from '../../pages.ts'
import { hasMenu, type Section } from './sections.ts'

export interface RailProps {
  sections: readonly Section[]
  current: SectionName | undefined
  /** Opens the sub menu of a section, when it is hidden, instead of its first page. */
  onOpen: ((section: SectionName) => void) | undefined
}

/** Background and edge mark of the current section. */
const currentClass =
  'relative aria-[current]:bg-rail-active aria-[current]:before:absolute aria-[current]:before:inset-y-3 aria-[current]:before:-start-2 aria-[current]:before:w-[3px] aria-[current]:before:rounded-e-[3px] aria-[current]:before:bg-rail-mark'

const itemClass =
  'flex w-full flex-col items-center gap-1 rounded-2 px-0.5 pt-[9px] pb-2 text-xs font-medium text-rail-muted transition-colors duration-(--dur-1) hover:text-rail-text -outline-offset-2 focus-visible:outline-rail-mark ' +
  `aria-[current]:font-semibold aria-[current]:text-rail-text ${currentClass}`

export function Rail({ sections, current, onOpen }: RailProps) {
  const t = useT()
  return (
    <nav
      aria-label={t('app.mainNavigation')}
      data-tour="menu"
      className="sticky top-0 flex h-dvh w-(--rail-w) shrink-0 flex-col gap-1 overflow-y-auto bg-rail px-2 py-3"
    >
      <Link
        to={`/app/${homePath}`}
        activeOptions={{ includeSearch: false }}
        aria-label={t('app.home')}
        className={`mb-3 grid h-12 shrink-0 place-items-center rounded-2 text-rail-mark -outline-offset-2 focus-visible:outline-rail-mark ${currentClass}`}
      >
        <OrganisationMark />
      </Link>
      {sections.map((section) => (
        <RailItem key={section.name} section={section} active={section.name === current} onOpen={onOpen} />
      ))}
    </nav>
  )
}

function RailItem({ section, active, onOpen }: { section: Section; active: boolean; onOpen: RailProps['onOpen'] }) {
  const t = useT()
  const Icon = sectionIcons[section.name]
  const content: ReactNode = (
    <>
      <Icon size={21} strokeWidth={1.8} aria-hidden className={cx(active && 'text-rail-mark')} />
      <span className="w-max max-w-[calc(100%+0.75rem)] text-center wrap-anywhere">{t(`section.${section.name}`)}</span>
    </>
  )
  const firstPage = section.pages[0]
  if (onOpen && hasMenu(section)) {
    return (
      <button
        type="button"
        aria-haspopup="dialog"
        aria-current={active ? 'true' : undefined}
        onClick={() => onOpen(section.name)}
        className={itemClass}
      >
        {content}
      </button>
    )
  }
  return (
    <Link to={`/app/${firstPage?.path ?? ''}`} aria-current={active ? 'true' : undefined} className={itemClass}>
      {content}
    </Link>
  )
}
