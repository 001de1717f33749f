/** Starts the panel: messages first, then the router with its cache and its toasts. */
import './lib/trusted-types.ts'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { buildQueryClient } from './api/query-client.ts'
import { hasToken } from './api/session.ts'
import { handleFailure } from './app/failures.ts'
import { maintainLiveUpdates } from './app/live.ts'
import { loadPanel, loadStyles } from './app/load-panel.ts'
import { registerShellWorker } from './app/offline-shell.ts'
import { followNotifications } from './app/notification-clicks.ts'
import { followOtherTabs } from './app/other-tabs.ts'
import { PreferredScreen } from './app/preferred.tsx'
import { createRouter } from './app/router.tsx'
import { activateLanguage } from './lib/i18n.ts'
import { getPreferences, writtenLanguage } from './lib/preferences.ts'
import { Toasts } from './ui/feedback/toasts.tsx'
import { TooltipLayer } from './ui/overlays/tooltip.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

// The start is a function, because the bundler merges no files of a program that waits at its top level.
async function start(rootElement: HTMLElement): Promise<void> {
  const [panel] = await Promise.all([
    // The panel loads at once for a signed-in user, else when the user signs in.
    hasToken() ? loadPanel().catch(() => undefined) : undefined,
    // Without its own catalogue the panel speaks English rather than staying blank (requirements §9).
    activateLanguage(writtenLanguage(getPreferences())).catch(() => activateLanguage('en')),
  ])
  const router = createRouter(undefined, panel)
  const queryClient = buildQueryClient((error, failureContext) =>
    handleFailure(error, failureContext, router, queryClient),
  )
  maintainLiveUpdates(queryClient)
  followOtherTabs(router, queryClient)
  followNotifications(router, queryClient)
  const isInPanel = () => router.state.resolvedLocation?.pathname.startsWith('/app') === true
  // The sign-in page is loaded before it is mounted, so that it replaces the drawn frame in one step.
  if (!hasToken()) await router.load()
  createRoot(rootElement).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <PreferredScreen>
            <RouterProvider router={router} />
            <Toasts isWorthwhile={isInPanel} />
            <TooltipLayer />
          </PreferredScreen>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}

// The styles of dialogs and menus load after the page, because the sign-in form only needs `first-paint.css`.
addEventListener('load', () => void loadStyles().catch(() => undefined))
void start(root).then(() => {
  // The service worker is for a built panel only: in development every file is the newest one, from another
  // server.
  if (import.meta.env.PROD) void registerShellWorker()
})
