/** The routes below `/app` and the pages for what went wrong: what a signed-in reader may open. */
import { addressesOf, type Screen } from '@dala/model'
import { type AnyRoute, createRoute, Outlet, redirect, type RouteComponent } from '@tanstack/react-router'
import { GeneralErrorScreen, NotFoundScreen, UnauthorizedScreen } from './error-screens.tsx'
import { screenOf } from './lazy-screen.ts'
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
        <Shell>
          <Outlet />
        </Shell>
      </ScreensContext>
    ),
  })
}

/** Every address of a screen: its list, one record or `new` to be read and to be written, and what else it has. */
function buildScreenRoutes(app: AnyRoute, screens: readonly Screen[]) {
  return screens.flatMap((screen) => {
    const page = pageOf(screen)
    const isInPage = (path: string) => page && [screen.path, `${screen.path}/$index`].includes(path)
    const others = addressesOf(screen).filter((path) => !isInPage(path))
    return [
      ...(page ? [pageRoute(app, screen.path, page)] : []),
      ...others.map((path) => createRoute({ getParentRoute: () => app, path, component: componentOf(screen, path) })),
    ]
  })
}

/** A page of its own is one component for the list's address and for those of its records. */
function pageRoute(app: AnyRoute, path: string, component: RouteComponent) {
  const page = createRoute({ getParentRoute: () => app, path, component })
  const below = (inner: string) => createRoute({ getParentRoute: () => page, path: inner })
  return page.addChildren([below('/'), below('$index')])
}

/** Pages that show no single resource. */
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

/** What the router has for a signed-in reader: its routes below a root, and the page of an unknown address. */
export interface PanelRoutes {
  routesBelow: (root: AnyRoute) => AnyRoute[]
  NotFound: RouteComponent
}

/** The routes of the declared screens; tests hand in screens of their own. */
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
