import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildQueryClient } from '../api/query-client.ts'
import { fakeApi, owner } from '../testing/fake-api.ts'
import { renderApp } from '../testing/render-app.tsx'
import { buildPanelRoutes } from './panel-routes.tsx'
import { createRouter } from './router.tsx'
import { screens } from './screens.ts'

beforeEach(() => {
  fakeApi({ 'GET /api/users/me': owner })
})
afterEach(() => vi.unstubAllGlobals())

/** Addresses of requirements §2; addresses of records have an example id. */
const addresses = [
  'consultants',
  'consultants/5',
  'chats',
  'statistics',
  'statistics/5',
  'consultation',
  'news',
  'news/5',
  'news/new',
  'branches',
  'people/staff',
  'people/staff/5',
  'people/users',
  'people/users/5',
  'e-learning',
  'e-learning/5',
  'e-learning/course-detail/new',
  'e-learning/course-detail/5',
  'e-learning/lesson-seen/5',
  'e-learning/lessons/5',
  'e-learning/lesson-groups-create/5',
  'agri-finance',
  'agri-finance/5',
  'agri-business',
  'agri-business/5',
  'agri-tools',
  'agri-tools/5',
  'price-list',
  'price-list/5',
  'trading-post',
  'trading-post/update/5',
  'trading-post/seen/5',
  'pages',
  'pages/pages',
  'pages/update/5',
  'about',
  'attachments',
  'partners',
  ...[
    'regions',
    'districts',
    'service-category',
    'slider',
    'product-category',
    'product',
    'company-category',
    'consultant-category',
    'consultation-category',
    'course-category',
    'course-type',
    'gender',
    'unit',
    'statuses',
    'faqs',
    'tags',
    'activity-type',
    'agroculture-area',
  ].flatMap((name) => [`settings/${name}`, `settings/${name}/5`, `settings/${name}/new`]),
]

describe('createRouter', () => {
  it('follows an address that changes before the first page is drawn', async () => {
    const history = createMemoryHistory({ initialEntries: ['/user/forgot-password', '/user/login'] })
    const router = createRouter(history)
    const routerLoad = router.load()
    history.back()
    await routerLoad
    render(
      <QueryClientProvider client={buildQueryClient(() => {})}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
    expect(await screen.findByRole('heading', { name: 'Forgot password' })).toBeDefined()
  })
})

describe('the route table', () => {
  const router = createRouter(createMemoryHistory(), buildPanelRoutes())

  it.each(addresses)('has a route for /app/%s', (address) => {
    const [matchedRoutes, , foundRoute] = router.getMatchedRoutes(`/app/${address}`)
    expect(foundRoute).toBeDefined()
    expect(matchedRoutes.length).toBeGreaterThan(2)
  })

  it('lists every screen of the menu once', () => {
    expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length)
  })

  it.each([
    ['/app', '/app/consultants'],
    ['/', '/app/consultants'],
    ['/app/people', '/app/people/users'],
    ['/app/settings', '/app/settings/regions'],
  ])('redirects the address %s to %s', async (startPath, target) => {
    localStorage.setItem('token', 'x')
    const { router } = renderApp(startPath)
    await waitFor(() => expect(router.state.location.pathname).toBe(target))
  })

  it('sends a user without a token to sign in, and remembers the requested page', async () => {
    const { router } = renderApp('/app/news?page=2')
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined()
    expect(router.state.location.pathname).toBe('/user/login')
    expect(router.state.location.search).toEqual({ from: '/app/news?page=2' })
  })

  it('shows an unknown address inside the shell with a link to the home page', async () => {
    localStorage.setItem('token', 'x')
    renderApp('/nowhere')
    expect(await screen.findByRole('heading', { name: 'Not found' })).toBeDefined()
    expect(screen.getByText('404')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Go back home' }).getAttribute('href')).toBe('/')
    expect(screen.getByRole('navigation', { name: 'Main navigation' })).toBeDefined()
  })

  it('titles the unauthorized page as the product specifies', async () => {
    localStorage.setItem('token', 'x')
    renderApp('/unauthorized')
    expect(await screen.findByRole('heading', { name: 'Unauthorized Access Attempt' })).toBeDefined()
    expect(screen.getByText('You are not authorized to view this page.')).toBeDefined()
  })
})
