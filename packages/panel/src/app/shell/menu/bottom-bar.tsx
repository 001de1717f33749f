/** The menu of a phone: five sections at the lower edge. */
import type { SectionName } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { sectionIcons } from '../../../ui/section-icons.ts'
import { phoneSections, type Section, sectionsBehindButton } from './sections.ts'

export interface BottomBarProps {
  sections: readonly Section[]
  current: SectionName | undefined
  onOpen: (section: SectionName) => void
}

const itemClass =
  'relative flex min-h-12 min-w-0 flex-1 flex-col items-center justify-center gap-1 px-0.5 text-xs font-medium text-rail-muted -outline-offset-2 focus-visible:outline-rail-mark aria-[current]:font-semibold aria-[current]:text-rail-text aria-[current]:before:absolute aria-[current]:before:inset-x-[30%] aria-[current]:before:-top-[5px] aria-[current]:before:h-[3px] aria-[current]:before:rounded-b-[3px] aria-[current]:before:bg-rail-mark'

export function BottomBar({ sections, current, onOpen }: BottomBarProps) {
  const t = useT()
  return (
    <nav
      aria-label={t('app.mainNavigation')}
      data-bottom-bar
      data-tour="menu"
      className="fixed inset-x-0 bottom-0 z-30 flex justify-around bg-rail px-1 pt-[5px] pb-[max(5px,env(safe-area-inset-bottom))]"
    >
      {phoneSections.map((name) => {
        const sectionsInMenu = sectionsBehindButton(name, sections)
        const pages = sectionsInMenu.flatMap((section) => section.pages)
        const isActiveSection = sectionsInMenu.some((section) => section.name === current)
        const Icon = sectionIcons[name]
        const content = (
          <>
            <Icon size={21} strokeWidth={1.8} aria-hidden className={cx(isActiveSection && 'text-rail-mark')} />
            <span className="max-w-full truncate">{t(`section.${name}`)}</span>
          </>
        )
        const firstPage = pages[0]
        if (!firstPage) return null
        return pages.length === 1 ? (
          <Link
            key={name}
            to={`/app/${firstPage.path}`}
            aria-current={isActiveSection ? 'true' : undefined}
            className={itemClass}
          >
            {content}
          </Link>
        ) : (
          <button
            key={name}
            type="button"
            aria-haspopup="dialog"
            aria-current={isActiveSection ? 'true' : undefined}
            onClick={() => onOpen(name)}
            className={itemClass}
          >
            {content}
          </button>
        )
      })}
    </nav>
  )
}
