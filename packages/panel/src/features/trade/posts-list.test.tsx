import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { noCounts } from '../../testing/queue-counts.ts'
import { renderApp } from '../../testing/render-app.tsx'

const waitingSince = '2026-03-09T06:00:00.000Z'
const post = (id: number, draft: object = {}) => ({
  id,
  attributes: {
    title: `Post ${id}`,
    status: 'processed',
    price: 5,
    currency: 'UZS',
    locale: 'en',
    version: 1,
    createdAt: waitingSince,
    updatedAt: waitingSince,
    localizations: { data: [] },
    ...draft,
  },
})
const posts = [
  post(1, { tradingpostcategory: { data: { id: 3, attributes: { name: 'Grain', kind: 'grain' } } } }),
  post(2, { tradingpostcategory: { data: { id: 4, attributes: { name: 'Tractors', kind: 'machinery' } } } }),
  post(3),
  post(4, { mainPhoto: { data: { id: 9, attributes: { url: '/uploads/a.png', formats: null } } } }),
]

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the list of trading posts', () => {
  it.each(['Data list', 'Thumbnails', 'Images'])(
    'shows a drawing for posts without a photo by the kind of their goods: %s',
    async (mode) => {
      fakeApi({
        'GET /api/users/me': owner,
        'GET /api/tradinposts': {
          data: posts,
          meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: 4 }, counts: noCounts },
        },
      })
      renderApp('/app/trading-post')
      await screen.findByRole('link', { name: 'Post 1' })
      const user = userEvent.setup()
      await user.click(await screen.findByRole('button', { name: 'Columns and view' }))
      await user.click(await screen.findByRole('button', { name: mode }))
      await user.keyboard('{Escape}')
      const rowOf = (name: string) => screen.getByRole('link', { name }).closest<HTMLElement>('[data-row]')
      const figureOf = (name: string) => rowOf(name)?.querySelector<SVGElement>('svg[data-figure]')?.dataset['figure']
      await waitFor(() => expect(figureOf('Post 1')).toBe('grain'))
      expect([figureOf('Post 2'), figureOf('Post 3'), figureOf('Post 4')]).toEqual(['machinery', 'other', undefined])
      expect(rowOf('Post 4')?.querySelector('img')?.getAttribute('src')).toBe('/uploads/a.png')
    },
  )
})
