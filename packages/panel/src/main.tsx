/** Starts the panel: words first, then the router with its cache and its toasts. */
import './lib/trusted-types.ts'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { buildQueryClient } from './api/query-client.ts'
import { handleFailure } from './app/failures.ts'
import { keepLive } from './app/live.ts'
import { followOtherTabs } from './app/other-tabs.ts'
import { Preferred } from './app/preferred.tsx'
import { createRouter } from './app/router.tsx'
import { activateLanguage } from './lib/i18n.ts'
import { getPreferences } from './lib/preferences.ts'
import { Toasts } from './ui/toasts.tsx'
import { TooltipLayer } from './ui/tooltip.tsx'
import './styles.css'

const router = createRouter()
const queryClient = buildQueryClient((error, how) => handleFailure(error, how, router, queryClient))
keepLive(queryClient)
followOtherTabs(router, queryClient)

// Without its own catalogue the panel speaks English rather than staying blank (spec §9).
await activateLanguage(getPreferences().language).catch(() => activateLanguage('en'))

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Preferred>
          <RouterProvider router={router} />
          <Toasts />
          <TooltipLayer />
        </Preferred>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
