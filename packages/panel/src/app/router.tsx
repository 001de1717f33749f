/** The route table: the addresses of spec §2, the guard in front of them, and the screens behind. */
import {
  createRootRoute,
  createRoute,
  createRouter as createTanStackRouter,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import { hasToken } from '../api/session.ts'
import { CrashScreen, GeneralErrorScreen, NotFoundScreen, UnauthorizedScreen } from './error-screens.tsx'
import { redirectOf } from './guard.ts'
import { lazyScreen } from './lazy-screen.ts'
import { RoutePending } from './route-pending.tsx'
import { addressOf, redirects, screens } from './screens.ts'
import { detailComponent, furtherComponent, listComponent } from './screen-components.tsx'
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

/** Two routes for most screens: the list, and `{index}` for one record or `new`. */
function buildScreenRoutes() {
  return screens.flatMap((screen) => [
    createRoute({ getParentRoute: () => appRoute, path: screen.path, component: listComponent(screen) }),
    ...(screen.detail || (screen.resource?.form && !screen.resource.single)
      ? [
          createRoute({
            getParentRoute: () => appRoute,
            path: `${screen.path}/$index`,
            component: detailComponent(screen),
          }),
        ]
      : []),
    ...(screen.more ?? []).map(({ path, title }) =>
      createRoute({ getParentRoute: () => appRoute, path, component: furtherComponent(title) }),
    ),
  ])
}

function buildRedirects() {
  return Object.entries(redirects).map(([path, target]) =>
    createRoute({
      getParentRoute: () => appRoute,
      path,
      beforeLoad: () => {
        redirect({ to: addressOf(target), replace: true, throw: true })
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
  ...(['register', 'forgot-password', 'reset-password'] as const).map((path) =>
    createRoute({
      getParentRoute: () => userRoute,
      path,
      component: lazyScreen(async () => {
        const { UserNotBuilt } = await import('./user/user-not-built.tsx')
        return () => <UserNotBuilt path={path} />
      }),
    }),
  ),
]

const routeTree = rootRoute.addChildren([
  appRoute.addChildren([...buildRedirects(), ...buildScreenRoutes()]),
  userRoute.addChildren(userRoutes),
  createRoute({ getParentRoute: () => rootRoute, path: 'error', component: GeneralErrorScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: 'unauthorized', component: UnauthorizedScreen }),
])

/** The router; tests hand in a history in memory. */
export function createRouter(history?: RouterHistory) {
  return createTanStackRouter({
    routeTree,
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
}
export type AppRouter = ReturnType<typeof createRouter>
