/** The pages of a section. */
import { Link, useLocation } from '@tanstack/react-router'
import { cx } from '../../lib/class-names.ts'
import { tFirst, useT } from '../../lib/i18n.ts'
import { screenOfAddress, useScreens } from '../screens.ts'
import type { Section } from './sections.ts'

export interface SubMenuProps {
  section: Section
  /** As a column of the shell or inside a sheet. */
  look: 'column' | 'sheet'
  onGo?: () => void
}

export function SubMenu({ section, look, onGo }: SubMenuProps) {
  const t = useT()
  const { pathname } = useLocation()
  const current = screenOfAddress(useScreens(), pathname)
  const title = t(`section.${section.name}`)
  return (
    <nav
      aria-label={t('nav.sectionPages', { section: title })}
      className={cx(
        'flex flex-col gap-0.5 bg-sunken',
        look === 'column'
          ? 'sticky top-0 h-dvh w-(--sub-w) shrink-0 overflow-y-auto border-e border-line px-3 py-5'
          : 'px-1 pt-1 pb-3',
      )}
    >
      <h2 className={cx('px-3 text-lg font-semibold', look === 'column' ? 'pb-3.5' : 'pb-2')}>{title}</h2>
      {section.pages.map((page) => (
        <Link
          key={page.path}
          to={`/app/${page.path}`}
          aria-current={page === current ? 'page' : undefined}
          {...(onGo ? { onClick: onGo } : {})}
          className="flex min-h-9 items-center rounded-2 px-3 py-2 text-muted transition-colors duration-(--dur-1) hover:bg-hover hover:text-ink aria-[current]:bg-surface aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[0_0_0_1px_var(--line)] max-md:min-h-11"
        >
          {tFirst([`${page.words}.many`])}
        </Link>
      ))}
    </nav>
  )
}
