import type { ImportIssue, ImportRow } from '@dala/model'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { importAnswer, importAnswers, mappingOf, rowOf, rowsAnswer } from '../../testing/fake-import.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const wheat = { id: 21, name: 'Пшеница' }
const farDistrict = { id: 12, name: 'Дальний' }
const doubtfulValue: ImportIssue = {
  level: 'error',
  cell: 'B6',
  field: 'district',
  code: 'import.unknown-name',
  params: { name: 'Блжний' },
  message: '',
  value: 'Блжний',
  suggestion: { value: '#11', label: 'Ближний' },
}
const rows: readonly ImportRow[] = [
  rowOf(5, {
    given: { product: 'пшеница', district: 'дальний', price: '4150' },
    before: { product: wheat, district: farDistrict, price: 3000 },
    after: { product: wheat, district: farDistrict, price: 4150 },
  }),
  rowOf(6, {
    action: 'error',
    given: { product: 'пшеница', district: 'Блжний', price: '4150' },
    before: null,
    after: { product: wheat, price: 4150 },
    issues: [doubtfulValue],
  }),
]
const localized = (
  id: number,
  name: string,
  otherLocales: readonly { id: number; name: string; locale: string }[],
) => ({
  id,
  attributes: {
    name,
    locale: 'ru',
    localizations: {
      data: otherLocales.map(({ id: localizedId, ...attributes }) => ({ id: localizedId, attributes })),
    },
  },
})
const answers = {
  ...importAnswers,
  'GET /api/insert_excel/48': importAnswer({ mapping: mappingOf({ locale: 'ru' }), updated_count: 1 }),
  'GET /api/insert_excel/48/rows': rowsAnswer(rows),
  'GET /api/products': {
    data: [localized(21, 'Пшеница', [{ id: 121, name: 'Wheat', locale: 'en' }])],
    meta: { pagination: {} },
  },
  'GET /api/districts': {
    data: [localized(11, 'Ближний', [{ id: 111, name: 'Near', locale: 'en' }]), localized(12, 'Дальний', [])],
    meta: { pagination: {} },
  },
}

describe('names of records in an import', () => {
  it('shows names of records in the user’s language in a preview, or as imported without a translation', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/import/48')
    const grid = await screen.findByRole('grid')
    expect(await within(grid).findAllByText('Wheat')).toHaveLength(2)
    expect(within(grid).getByText('Дальний')).toBeTruthy()
    expect(await within(grid).findByRole('button', { name: /Near/ })).toBeTruthy()
    // A text of the file stays unchanged, although names of records are shown in the user's language.
    expect(within(grid).getByText('Блжний')).toBeTruthy()
    const queries = calls.filter(({ path }) => path === '/api/districts').map(({ query }) => query)
    expect(queries).toHaveLength(1)
    expect(queries[0]).toContain('filters[id][$in][0]=11&filters[id][$in][1]=12')
  })

  it('shows names of records in the user’s language in the report of an import', async () => {
    fakeApi({
      ...answers,
      'GET /api/insert_excel/48': importAnswer({
        mapping: mappingOf({ locale: 'ru' }),
        state: 'done',
        updated_count: 1,
        committed_at: '2026-03-09T06:00:00.000Z',
      }),
    })
    renderApp('/app/import/48')
    const table = await screen.findByRole('table', { name: 'Most notable changes' })
    expect(await within(table).findByText('Wheat')).toBeTruthy()
    expect(within(table).getByText('Дальний')).toBeTruthy()
  })

  it('requests no names when the import is in the user’s language', async () => {
    const calls = fakeApi({ ...answers, 'GET /api/insert_excel/48': importAnswer() })
    renderApp('/app/import/48')
    expect(await within(await screen.findByRole('grid')).findAllByText('Пшеница')).toHaveLength(2)
    expect(calls.filter(({ path }) => path === '/api/products' || path === '/api/districts')).toEqual([])
  })
})
