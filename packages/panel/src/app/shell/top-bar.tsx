/** The top bar: menu, breadcrumbs, and the user's tools. */
import { Link } from '@tanstack/react-router'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import PanelLeft from 'lucide-react/icons/panel-left'
import { Suspense } from 'react'
import type { MenuState } from '../../lib/preferences.ts'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyOptionalPart } from '../../ui/lazy-part.ts'
import { OrganisationMark } from '../../ui/organisation-mark.tsx'
import { homePath } from '../pages.ts'
import { openHelp } from '../help/help-state.ts'
import { AccountMenu } from './account-menu.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { PaletteButton } from './jump.tsx'
import { LanguageMenu, ModeButton, ThemeMenu } from './preference-menus.tsx'
import type { Section } from './menu/sections.ts'
import type { ShellMenu } from './menu/use-shell-menu.ts'

/** A failure to load the tools of the top bar affects nothing else. */
const Tools = lazyOptionalPart(async () => (await import('./tools.tsx')).Tools)

const stateLabel = {
  default: 'nav.menuState.default',
  'hidden-sub': 'nav.menuState.subHidden',
  'hidden-main': 'nav.menuState.mainHidden',
  temporary: 'nav.menuState.temporary',
} as const satisfies Record<MenuState, string>

export function TopBar({ menu, sections }: { menu: ShellMenu; sections: readonly Section[] }) {
  const t = useT()
  const isCompact = menu.width === 'phone'
  const nextLabel = menu.next === 'default' && menu.width === 'middle' ? 'nav.menuState.subOver' : stateLabel[menu.next]
  return (
    <header className="flex h-(--bar-h) shrink-0 items-center gap-2.5 bg-canvas ps-5 pe-6 max-md:ps-3.5 max-md:pe-2.5">
      {isCompact ? (
        <Link
          to={`/app/${homePath}`}
          activeOptions={{ includeSearch: false }}
          aria-label={t('app.home')}
          className="grid size-11 -ms-2 shrink-0 place-items-center text-brand-text"
        >
          <OrganisationMark />
        </Link>
      ) : (
        <IconButton
          data-tour="menu-button"
          label={t('nav.menuButton', { next: t(nextLabel) })}
          icon={<PanelLeft size={19} aria-hidden className="mirrored" />}
          onClick={menu.cycleMenu}
        />
      )}
      <Breadcrumbs />
      <PaletteButton sections={sections} compact={isCompact} />
      <div className="flex items-center gap-0.5">
        {isCompact ? null : (
          <>
            <LanguageMenu />
            <ThemeMenu />
            <ModeButton />
            <IconButton
              data-tour="help"
              label={t('nav.help')}
              icon={<CircleQuestionMark size={19} aria-hidden />}
              aria-keyshortcuts="F1"
              onClick={openHelp}
            />
          </>
        )}
        {/* The space of the tools in the top bar is reserved, so that nothing moves when they are loaded. */}
        <span className="size-9 max-md:size-11 pointer-coarse:size-11">
          <Suspense fallback={null}>
            <Tools />
          </Suspense>
        </span>
        <AccountMenu compact={isCompact} />
      </div>
    </header>
  )
}
