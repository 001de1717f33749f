/** The route table: the addresses of spec §2, the guard in front of them, and the screens behind. */
import { addressesOf, type Screen } from '@dala/model'
import {
  createRootRoute,
  createRoute,
  createRouter as createTanStackRouter,
  Outlet,
  redirect,
  type RouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import { hasToken } from '../api/session.ts'
import { rememberSearch } from '../lib/last-search.ts'
import { CrashScreen, GeneralErrorScreen, NotFoundScreen, UnauthorizedScreen } from './error-screens.tsx'
import { redirectOf } from './guard.ts'
import { lazyScreen } from './lazy-screen.ts'
import { ownPages } from './own-pages.ts'
import { RoutePending } from './route-pending.tsx'
import { redirects, ScreensContext, screens as declaredScreens } from './screens.ts'
import { componentOf, pageOf, screenOf } from './screen-components.tsx'
import { parseSearch, stringifySearch } from './search.ts'
import { Shell } from './shell/shell.tsx'

const rootRoute = createRootRoute({
  beforeLoad: ({ location }) => {
    const target = redirectOf(location.pathname, hasToken())
    if (target === null) return
    const wanted = location.pathname.startsWith('/app/') ? { from: location.href } : {}
    redirect({ to: target, search: target === '/app' ? {} : wanted, replace: true, throw: true })
  },
  component: Outlet,
  notFoundComponent: NotFoundScreen,
})

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'app',
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
})

/** Every address of a screen: its list, one record or `new` to be read and to be written, and what else it has. */
function buildScreenRoutes(screens: readonly Screen[]) {
  return screens.flatMap((screen) => {
    const page = pageOf(screen)
    const isInPage = (path: string) => page && [screen.path, `${screen.path}/$index`].includes(path)
    const others = addressesOf(screen).filter((path) => !isInPage(path))
    return [
      ...(page ? [pageRoute(screen.path, page)] : []),
      ...others.map((path) =>
        createRoute({ getParentRoute: () => appRoute, path, component: componentOf(screen, path) }),
      ),
    ]
  })
}

/** A page of its own is one component for the list's address and for those of its records. */
function pageRoute(path: string, component: RouteComponent) {
  const page = createRoute({ getParentRoute: () => appRoute, path, component })
  const below = (inner: string) => createRoute({ getParentRoute: () => page, path: inner })
  return page.addChildren([below('/'), below('$index')])
}

/** Pages that show no single resource. */
function buildPageRoutes() {
  return Object.entries(ownPages).map(([path, load]) =>
    createRoute({ getParentRoute: () => appRoute, path, component: screenOf(load) }),
  )
}

function buildRedirects() {
  return Object.entries(redirects).map(([path, target]) =>
    createRoute({
      getParentRoute: () => appRoute,
      path,
      beforeLoad: () => {
        redirect({ to: `/app/${target}`, replace: true, throw: true })
      },
    }),
  )
}

const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'user',
  component: lazyScreen(async () => (await import('./user/user-layout.tsx')).UserLayout),
})

const userRoutes = [
  createRoute({
    getParentRoute: () => userRoute,
    path: '/',
    beforeLoad: () => {
      redirect({ to: '/user/login', replace: true, throw: true })
    },
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: 'login',
    component: lazyScreen(async () => (await import('./user/login-screen.tsx')).LoginScreen),
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: 'register',
    // With the words for what is wrong with a new password, which a first load does without.
    component: screenOf(async () => (await import('./user/register-screen.tsx')).RegisterScreen),
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: 'forgot-password',
    component: lazyScreen(async () => (await import('./user/forgot-password-screen.tsx')).ForgotPasswordScreen),
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: 'reset-password',
    component: screenOf(async () => (await import('./user/reset-password-screen.tsx')).ResetPasswordScreen),
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: 'confirm-email',
    component: lazyScreen(async () => (await import('./user/confirm-email-screen.tsx')).ConfirmEmailScreen),
  }),
]

function buildRouteTree(screens: readonly Screen[]) {
  return rootRoute.addChildren([
    appRoute.addChildren([...buildRedirects(), ...buildScreenRoutes(screens), ...buildPageRoutes()]),
    userRoute.addChildren(userRoutes),
    createRoute({ getParentRoute: () => rootRoute, path: 'error', component: GeneralErrorScreen }),
    createRoute({ getParentRoute: () => rootRoute, path: 'unauthorized', component: UnauthorizedScreen }),
  ])
}

/** The router; tests hand in a history in memory, and screens of their own. */
export function createRouter(history?: RouterHistory, screens: readonly Screen[] = declaredScreens) {
  const router = createTanStackRouter({
    routeTree: buildRouteTree(screens),
    InnerWrap: ({ children }) => <ScreensContext value={screens}>{children}</ScreensContext>,
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    defaultErrorComponent: CrashScreen,
    defaultPendingComponent: RoutePending,
    defaultPendingMs: 150,
    defaultPreload: 'intent',
    scrollRestoration: true,
    trailingSlash: 'never',
  })
  router.subscribe('onResolved', ({ toLocation }) => {
    rememberSearch(toLocation.pathname, parseSearch(toLocation.searchStr))
  })
  return router
}
export type AppRouter = ReturnType<typeof createRouter>
