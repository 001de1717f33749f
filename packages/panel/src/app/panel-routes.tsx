/** The routes below `/app` and the error pages, for a signed-in user. */
import { addressesOf, type Screen } from '@dala/model'
import { type AnyRoute, createRoute, Outlet, redirect, type RouteComponent } from '@tanstack/react-router'
import { GeneralErrorScreen, NotFoundScreen, UnauthorizedScreen } from './error-screens.tsx'
import { screenOf } from './lazy-screen.ts'
import { DeletionContext } from '../resource/record/deletion.ts'
import { CaseContext } from '../resource/case-reasons.ts'
import { caseParts } from './case-reasons.ts'
import { ownDeletions } from './own-deletions.ts'
import { ownPages } from './own-pages.ts'
import { componentOf, pageOf } from './screen-components.tsx'
import { redirects, ScreensContext, screens as declaredScreens } from './screens.ts'
import { Shell } from './shell/shell.tsx'

function buildAppRoute(root: AnyRoute, screens: readonly Screen[]) {
  return createRoute({
    getParentRoute: () => root,
    path: 'app',
    component: () => (
      <ScreensContext value={screens}>
        <DeletionContext value={ownDeletions}>
          <CaseContext value={caseParts}>
            <Shell>
              <Outlet />
            </Shell>
          </CaseContext>
        </DeletionContext>
      </ScreensContext>
    ),
  })
}

/**
 * Every address of a screen: its list, one record or `new` for reading and writing, and its further
 * addresses.
 */
function buildScreenRoutes(app: AnyRoute, screens: readonly Screen[]) {
  return screens.flatMap((screen) => {
    const page = pageOf(screen)
    const isInPage = (path: string) => page && [screen.path, `${screen.path}/$index`].includes(path)
    const otherPaths = addressesOf(screen).filter((path) => !isInPage(path))
    return [
      ...(page ? [pageRoute(app, screen.path, page)] : []),
      ...otherPaths.map((path) =>
        createRoute({ getParentRoute: () => app, path, component: componentOf(screen, path) }),
      ),
    ]
  })
}

/** A custom page is one component for the address of the list and for those of its records. */
function pageRoute(app: AnyRoute, path: string, component: RouteComponent) {
  const page = createRoute({ getParentRoute: () => app, path, component })
  const addChild = (childPath: string) => createRoute({ getParentRoute: () => page, path: childPath })
  return page.addChildren([addChild('/'), addChild('$index')])
}

/** Routes of pages without a resource. */
function buildPageRoutes(app: AnyRoute) {
  return Object.entries(ownPages).map(([path, load]) =>
    createRoute({ getParentRoute: () => app, path, component: screenOf(load) }),
  )
}

function buildRedirects(app: AnyRoute) {
  return Object.entries(redirects).map(([path, target]) =>
    createRoute({
      getParentRoute: () => app,
      path,
      beforeLoad: () => {
        redirect({ to: `/app/${target()}`, replace: true, throw: true })
      },
    }),
  )
}

/**
 * The router's configuration for a signed-in user: routes below a root, and the page for unknown addresses.
 */
export interface PanelRoutes {
  routesBelow: (root: AnyRoute) => AnyRoute[]
  NotFound: RouteComponent
}

/** Routes of the declared screens; tests pass their own screens. */
export function buildPanelRoutes(screens: readonly Screen[] = declaredScreens): PanelRoutes {
  return {
    routesBelow: (root) => {
      const app = buildAppRoute(root, screens)
      return [
        app.addChildren([...buildRedirects(app), ...buildScreenRoutes(app, screens), ...buildPageRoutes(app)]),
        createRoute({ getParentRoute: () => root, path: 'error', component: GeneralErrorScreen }),
        createRoute({ getParentRoute: () => root, path: 'unauthorized', component: UnauthorizedScreen }),
      ]
    },
    NotFound: NotFoundScreen,
  }
}
