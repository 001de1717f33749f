/**
 * The frame around every page of a signed-in user: rail, sub menu, top bar, and the page as the main
 * landmark.
 */
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { useHasSidePanel } from '../../lib/side-panel.ts'
import { useWasEverTrue } from '../../ui/use-ever.ts'
import { pageOfAddress, sectionOfPage } from '../pages.ts'
import { useScreens } from '../screens.ts'
import { HelpSlot } from '../help/help-slot.tsx'
import { useHelpState } from '../help/help-state.ts'
import { useFocusOnNavigation } from '../use-focus-on-navigation.ts'
import { BottomBar } from './menu/bottom-bar.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { Rail } from './menu/rail.tsx'
import { hasMenu, sectionsForUser } from './menu/sections.ts'
import { SubMenu } from './menu/sub-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { useCurrentScreen } from './use-current-screen.ts'
import { useShellMenu } from './menu/use-shell-menu.ts'
import { ViewingBar } from './viewing-bar.tsx'
import { lazyOptionalPart, lazyPart } from '../../ui/lazy-part.ts'

const DemoBar = lazyOptionalPart(async () => (await import('./demo-bar.tsx')).DemoBar)
const MenuOverlay = lazyPart(async () => (await import('./menu/overlay.tsx')).MenuOverlay)

export function Shell({ children }: { children: ReactNode }) {
  const t = useT()
  const { pathname } = useLocation()
  const screens = useScreens()
  const { data: me } = useQuery(meQuery)
  const sections = sectionsForUser(screens, me && callerRoleOf(me))
  const { screen, isBelow } = useCurrentScreen()
  const currentSection = screen?.section ?? sectionOfPage(pathname)
  const fillsScreen =
    screen && !isBelow
      ? screen.fullWindow === 'screen' ||
        (screen.fullWindow === 'record' && pathname.startsWith(`/app/${screen.readPath}/`))
      : pageOfAddress(pathname)?.page.fillsHeight === true
  const isAlone = pageOfAddress(pathname)?.page.isStandalone === true
  const menu = useShellMenu(currentSection ?? 'advice', fillsScreen)
  const section = sections.find(({ name }) => name === (currentSection ?? 'advice'))
  const main = useFocusOnNavigation()
  // A panel beside the page replaces the section's pages, so no list becomes narrower than it can be drawn.
  const { open: isHelpOpen } = useHelpState()
  const hasSidePanel = useHasSidePanel()
  const showsSubMenu = menu.sub && !isHelpOpen && !hasSidePanel
  const wasOverlayOpened = useWasEverTrue(menu.open !== null)
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed start-3 -top-16 z-(--z-toast) rounded-2 bg-brand px-4 py-3 font-semibold text-on-brand focus:top-3"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t('app.skipToContent')}
      </a>
      {menu.rail ? (
        <Rail sections={sections} current={currentSection} onOpen={showsSubMenu ? undefined : menu.setOpen} />
      ) : null}
      {showsSubMenu && section && hasMenu(section) && !isAlone ? <SubMenu section={section} variant="column" /> : null}
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="sticky top-0 z-20">
          <TopBar menu={menu} sections={sections} />
          <ViewingBar />
        </div>
        <OfflineBar />
        <Suspense fallback={null}>
          <DemoBar />
        </Suspense>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="w-full max-w-[1560px] min-w-0 flex-1 px-6 pt-2 pb-8 outline-0 max-md:px-3.5 max-md:pt-1 max-md:pb-24"
        >
          {children}
        </main>
      </div>
      <HelpSlot sections={sections} />
      {menu.width === 'phone' ? <BottomBar sections={sections} current={currentSection} onOpen={menu.setOpen} /> : null}
      {wasOverlayOpened ? (
        <Suspense fallback={null}>
          <MenuOverlay menu={menu} sections={sections} />
        </Suspense>
      ) : null}
    </div>
  )
}
