import { type Entry, isLocale } from '@dala/model'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { findScreen } from '../../resource/screen-address.ts'
import { CompanyCard } from './company-card.tsx'

function show(entry: Entry) {
  const language = isLocale(entry.locale) ? entry.locale : 'en'
  const root = createRootRoute({
    component: () => (
      <CompanyCard screen={findScreen('companies')} entry={entry} language={language} mode="thumb" menu={null} />
    ),
  })
  render(<RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() })} />)
}
const company = {
  id: 7,
  companyName: 'Namuna Agro Klaster',
  locale: 'kaa',
  createdAt: '2025-01-10T05:00:00.000Z',
  active: false,
  directions: [
    { id: 1, name: { en: 'Crop production', ru: 'Растениеводство' } },
    { id: 2, name: { en: 'Food processing' } },
  ],
}

it('shows name, date, directions and a badge of a company that always reads active (requirements §2)', async () => {
  show(company)
  const link = await screen.findByRole('link', { name: 'Namuna Agro Klaster' })
  expect([link.getAttribute('href'), link.getAttribute('lang')]).toEqual(['/app/companies/7', 'kaa'])
  expect(screen.getByText('Created 10.01.2025')).toBeTruthy()
  expect(screen.getByText('Active')).toBeTruthy()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Crop production',
    'Food processing',
  ])
})

it('shows a message on the company card when no direction is chosen', async () => {
  show({ ...company, directions: [] })
  expect(await screen.findByText('No directions selected')).toBeTruthy()
})
