import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const page = (entries: unknown[]) => ({
  data: entries,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: entries.length } },
})
const ru = { id: 8, attributes: { locale: 'ru', title: 'Полив', outdated: true } }
const course = {
  id: 7,
  attributes: { title: 'Drip irrigation', locale: 'en', state: 'draft', localizations: { data: [ru] } },
}
const view = {
  id: 5,
  attributes: {
    name: 'Covers',
    screen: 'e-learning',
    state: { search: {}, mode: 'image' },
    owner: { data: { id: 1, attributes: {} } },
  },
}

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the list of courses', () => {
  it('shows large covers of courses in the picture view, and names outdated translations', async () => {
    localStorage.setItem('display-mode', 'thumb')
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/roles': page([]),
      'GET /api/courses': page([course]),
      'GET /api/list-views': page([view]),
    })
    renderApp('/app/e-learning?view=5')
    const card = (await screen.findByRole('link', { name: 'Drip irrigation' })).closest('li')
    expect(card?.querySelector('.aspect-\\[4\\/3\\]')).not.toBeNull()
    expect(card?.textContent).toMatch(/outdated/i)
  })
})
