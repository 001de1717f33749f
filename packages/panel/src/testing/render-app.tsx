/** Renders the whole panel at an address, like main.tsx, with a history in memory. */
import type { Screen } from '@dala/model'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { buildQueryClient } from '../api/query-client.ts'
import { handleFailure } from '../app/failures.ts'
import { buildPanelRoutes } from '../app/panel-routes.tsx'
import { PreferredScreen } from '../app/preferred.tsx'
import { createRouter } from '../app/router.tsx'
import { Toasts } from '../ui/feedback/toasts.tsx'

export function renderApp(address: string, screens?: readonly Screen[]) {
  const router = createRouter(createMemoryHistory({ initialEntries: [address] }), buildPanelRoutes(screens))
  const queryClient = buildQueryClient((error, call) => handleFailure(error, call, router, queryClient))
  const view = render(
    <QueryClientProvider client={queryClient}>
      <PreferredScreen>
        <RouterProvider router={router} />
        <Toasts />
      </PreferredScreen>
    </QueryClientProvider>,
  )
  return { router, queryClient, ...view }
}
