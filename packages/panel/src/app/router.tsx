/**
 * The router: the sign-in pages, the check of certificates, the guard for all other addresses, and the panel,
 * which is loaded on demand.
 */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter as createTanStackRouter,
  notFound,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import { hasToken } from '../api/session.ts'
import { loadPanelMessages } from '../lib/i18n.ts'
import { navigatedTo } from '../lib/newer-panel.ts'
import { rememberSearch } from '../lib/last-search.ts'
import { CrashScreen } from './crash-screen.tsx'
import { redirectOf } from './guard.ts'
import { lazyScreen, screenOf, withChunkTimeout } from './lazy-screen.ts'
import { loadPanel } from './load-panel.ts'
import type { PanelRoutes } from './panel-routes.tsx'
import { RoutePending } from './route-pending.tsx'
import { parseSearch, stringifySearch } from './search.ts'
import { LoginScreen } from '../account/sign-in/login-screen.tsx'
import { UserLayout } from './user/user-layout.tsx'

function buildRoot(panel: PanelRoutes | undefined) {
  return createRootRoute({
    beforeLoad: ({ location }) => {
      const target = redirectOf(location.pathname, hasToken())
      if (target === null) return
      const returnSearch = location.pathname.startsWith('/app/') ? { from: location.href } : {}
      redirect({ to: target, search: target === '/app' ? {} : returnSearch, replace: true, throw: true })
    },
    component: Outlet,
    ...(panel && { notFoundComponent: panel.NotFound }),
  })
}

/** Sign-in form, which loads the panel while the user types. */
function LoginWithPanel() {
  return <LoginScreen preloadPanel={loadPanel} />
}

function buildUserRoute(root: AnyRoute) {
  const user = createRoute({
    getParentRoute: () => root,
    path: 'user',
    component: UserLayout,
  })

  return user.addChildren([
    createRoute({
      getParentRoute: () => user,
      path: '/',
      beforeLoad: () => {
        redirect({ to: '/user/login', replace: true, throw: true })
      },
    }),
    createRoute({
      getParentRoute: () => user,
      path: 'login',
      component: LoginWithPanel,
    }),
    createRoute({
      getParentRoute: () => user,
      path: 'register',
      // The screen includes the messages about an invalid new password, which the first page does not load.
      component: screenOf(async () => (await import('../account/sign-in/register-screen.tsx')).RegisterScreen),
    }),
    createRoute({
      getParentRoute: () => user,
      path: 'forgot-password',
      component: lazyScreen(async () => {
        const [{ ForgotPasswordScreen }] = await Promise.all([
          import('../account/sign-in/forgot-password-screen.tsx'),
          loadPanelMessages(),
        ])
        return ForgotPasswordScreen
      }),
    }),
    createRoute({
      getParentRoute: () => user,
      path: 'reset-password',
      component: screenOf(
        async () => (await import('../account/sign-in/reset-password-screen.tsx')).ResetPasswordScreen,
      ),
    }),
    createRoute({
      getParentRoute: () => user,
      path: 'confirm-email',
      component: lazyScreen(async () => {
        const [{ ConfirmEmailScreen }] = await Promise.all([
          import('../account/sign-in/confirm-email-screen.tsx'),
          loadPanelMessages(),
        ])
        return ConfirmEmailScreen
      }),
    }),
  ])
}

/** The public check of certificates: the form and its answer stay mounted while the number changes. */
function buildCertificateRoute(root: AnyRoute) {
  const frame = createRoute({ getParentRoute: () => root, path: 'certificate', component: UserLayout })
  const page = createRoute({
    getParentRoute: () => frame,
    id: 'check',
    component: screenOf(
      async () => (await import('../features/learning/certificate/certificate-page.tsx')).CertificatePage,
    ),
  })
  const addChild = (path: string) => createRoute({ getParentRoute: () => page, path })
  return frame.addChildren([page.addChildren([addChild('/'), addChild('$number')])])
}

function buildRouteTree(panel: PanelRoutes | undefined, enter: () => Promise<void>) {
  const root = buildRoot(panel)
  // The route for all other addresses exists with and without the panel, so it stays pending while the tree
  // is replaced.
  const catchAllRoute = createRoute({
    getParentRoute: () => root,
    path: '$',
    beforeLoad: async ({ location }) => {
      if (panel) notFound({ throw: true })
      await enter()
      // The navigation is repeated once the routes of the panel are loaded.
      redirect({ href: location.href, replace: true, throw: true })
    },
  })
  return root.addChildren([
    buildUserRoute(root),
    buildCertificateRoute(root),
    ...(panel?.routesBelow(root) ?? []),
    catchAllRoute,
  ])
}

/**
 * Creates the router. Without the routes of the panel it loads them at the first guarded address; tests pass
 * a history in memory.
 */
export function createRouter(history?: RouterHistory, panel?: PanelRoutes) {
  const enterPanel = async () => {
    const routeTree = buildRouteTree(await withChunkTimeout(loadPanel), enterPanel)
    router.update({ ...router.options, routeTree })
  }
  const router = createTanStackRouter({
    routeTree: buildRouteTree(panel, enterPanel),
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
  // The router loads an address that the browser's Back button opens before the router is mounted.
  const stopEarly = router.history.subscribe(() => void router.load())
  const stopWaiting = router.subscribe('onRendered', () => {
    stopEarly()
    stopWaiting()
  })
  router.history.subscribe(({ location }) => navigatedTo(location.href))
  router.subscribe('onResolved', ({ toLocation }) => {
    rememberSearch(toLocation.pathname, parseSearch(toLocation.searchStr))
  })
  return router
}
export type AppRouter = ReturnType<typeof createRouter>
