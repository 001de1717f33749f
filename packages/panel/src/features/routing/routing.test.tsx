import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { noConsultations } from '../../testing/no-consultations.ts'
import { noCounts } from '../../testing/queue-counts.ts'
import { renderApp } from '../../testing/render-app.tsx'

const person = (id: number, first_name: string) => ({
  id,
  username: `p${id}`,
  first_name,
  last_name: null,
  avatar: null,
})
const reason = (id: number, name: string, codes: string[], openCount = 0) => ({
  person: person(id, name),
  codes,
  open: openCount,
  limit: null,
})
const emptyPage = { data: [], meta: { pagination: { page: 1, pageSize: 5, pageCount: 0, total: 0 } } }
const base = {
  'GET /api/users/me': owner,
  'GET /api/consultations': noConsultations,
  'GET /api/tradinposts': { data: [], meta: { ...emptyPage.meta, counts: noCounts } },
  'GET /api/chatrooms': { results: [], pagination: emptyPage.meta.pagination },
  'GET /api/consultationcategories': emptyPage,
  'GET /api/regions': emptyPage,
  'GET /api/routingrules': emptyPage,
  'GET /api/list-views': emptyPage,
}

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the question to try beside the rules', () => {
  it('shows who would get the tried question, and why the others would not', async () => {
    const calls = fakeApi({
      ...base,
      'POST /api/routing/try': {
        data: {
          person: person(4, 'Aziza'),
          rule: { id: 1, name: 'Cotton' },
          reasons: [reason(4, 'Aziza', ['chosen'], 2), reason(5, 'Berdaq', ['absent', 'region'])],
          rules: [
            { id: 2, name: 'Bees', outcome: 'category' },
            { id: 1, name: 'Cotton', outcome: 'decided' },
          ],
        },
      },
    })
    renderApp('/app/settings/routing-rules')
    const sheet = within(await screen.findByRole('region', { name: 'Try a question' }))
    expect(await sheet.findByText('This question would go to Aziza')).toBeDefined()
    expect(sheet.getByText('Absent · Answers other regions')).toBeDefined()
    expect(sheet.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain('Bees · Another category')
    expect(lastCallTo(calls, '/api/routing/try')?.body).toEqual({
      data: { category: null, region: null, language: null, at: null },
    })
  })

  it('tries the question on the routing rules again when its language is chosen', async () => {
    const calls = fakeApi({
      ...base,
      'POST /api/routing/try': { data: { person: null, rule: null, reasons: [], rules: [] } },
    })
    renderApp('/app/settings/routing-rules')
    const sheet = within(await screen.findByRole('region', { name: 'Try a question' }))
    expect(await sheet.findByText('This question would stay in the queue')).toBeDefined()
    await userEvent.click(sheet.getByRole('combobox', { name: 'Language' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Русский' }))
    await waitFor(() => expect(lastCallTo(calls, '/api/routing/try')?.body).toMatchObject({ data: { language: 'ru' } }))
  })
})

describe('the list of absences', () => {
  it('names an absence by its start in the zone of the user', async () => {
    const attributes = {
      starts_at: '2026-12-01T04:00:00.000Z',
      ends_at: '2026-12-05T04:00:00.000Z',
      note: null,
      user: { data: null },
    }
    fakeApi({
      ...base,
      'GET /api/absences': {
        data: [{ id: 3, attributes }],
        meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: 1 } },
      },
      'GET /api/users': { data: [], count: 0, meta: {} },
    })
    renderApp('/app/settings/absences')
    const link = await screen.findByRole('link', { name: /^01\.12\.2026 \d{2}:\d{2}$/ }, { timeout: 5_000 })
    expect(link).toBeDefined()
  })
})
