import type { ImportCorrection, ImportMapping, ImportName } from '@dala/model'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, type FakeCall } from '../../../testing/fake-api.ts'
import { importAnswer, importAnswers, mappingOf, openColumns } from '../../../testing/fake-import.ts'
import { reasonOf } from '../../../testing/reason-of.ts'
import { renderApp } from '../../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const name: ImportName = {
  key: 'district',
  name: 'Neer',
  rows: 31,
  target: null,
  candidates: [{ id: 11, name: 'Near' }],
  isRemembered: false,
}
const openImport = importAnswer({
  mapping: mappingOf({ columns: openColumns, open_columns: 2, names: [name], names_count: 1, open_names: 1 }),
})
const answers = { ...importAnswers, 'GET /api/insert_excel/48': openImport, 'PUT /api/insert_excel/48': openImport }
const bodies = (calls: readonly FakeCall[]) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)

describe('the columns step of an import', () => {
  it('leaves a suggested field empty until the suggestion is accepted', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/import/48')
    const user = userEvent.setup()
    const field = await screen.findByRole('combobox', { name: 'Field for “Tuman”' })
    expect(field.textContent).toBe('Not chosen')
    expect(screen.getByText('Looks like “District”')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Accept “District”' }))
    await vi.waitFor(() =>
      expect(bodies(calls)).toEqual([{ data: { version: 4, mapping: { columns: { B: 'district' } } } }]),
    )
  })

  it('names open decisions about columns, and does not continue before they are made', async () => {
    fakeApi(answers)
    renderApp('/app/import/48')
    const continueButton = await screen.findByRole('button', { name: 'Go to the check' })
    expect(reasonOf(continueButton)).toBe('Your decision is needed: 2 columns and 1 name.')
    expect(screen.getByText('Several fields fit')).toBeTruthy()
    expect(screen.getByRole('button', { name: '“Price” for “Narx”' })).toBeTruthy()
  })

  describe('a file with unknown names only', () => {
    const otherName: ImportName = { ...name, name: 'Faar', candidates: [] }
    const makeMappingOfNames = (mappingFields: Partial<ImportMapping> = {}) =>
      importAnswer({
        mapping: mappingOf({ names: [name, otherName], names_count: 2, open_names: 2, ...mappingFields }),
      })
    const continueButton = () => screen.findByRole('button', { name: 'Go to the check' })
    /** Fake server that stores which unknown names are left out. */
    const makeStoringAnswer = (mappingFields: Partial<ImportMapping> = {}) => {
      let storedMapping: Partial<ImportMapping> = mappingFields
      let version = 4
      const answer = () => {
        const { data } = makeMappingOfNames(storedMapping)
        return Response.json({ data: { ...data, attributes: { ...data.attributes, version } }, meta: {} })
      }
      return {
        ...answers,
        'GET /api/insert_excel/48': answer,
        'PUT /api/insert_excel/48': ({ body }: FakeCall) => {
          version += 1
          const { left, left_rest } = (body as { data: ImportCorrection }).data.mapping ?? {}
          storedMapping = { ...storedMapping, ...(left && { left }), ...(left_rest !== undefined && { left_rest }) }
          return answer()
        },
      }
    }

    it('keeps names left out of an import after a reload', async () => {
      const calls = fakeApi(makeStoringAnswer())
      const { unmount } = renderApp('/app/import/48')
      const user = userEvent.setup()
      await user.click(await screen.findByRole('button', { name: 'Do not load the remaining 2' }))
      const skippedNames = [
        { key: 'district', name: 'Neer' },
        { key: 'district', name: 'Faar' },
      ]
      await vi.waitFor(() =>
        expect(bodies(calls)).toEqual([{ data: { version: 4, mapping: { left: skippedNames, left_rest: true } } }]),
      )
      unmount()
      renderApp('/app/import/48?step=columns')
      expect(reasonOf(await continueButton())).toBeUndefined()
      expect(screen.getAllByText('Do not load')).toHaveLength(2)
    })

    it('does not continue before each unknown name is decided, and moves the focus to the next name', async () => {
      fakeApi(makeStoringAnswer())
      renderApp('/app/import/48')
      const user = userEvent.setup()
      expect(reasonOf(await continueButton())).toBe('Your decision is needed: 2 names.')
      // The link to the next step of the import must not bypass open decisions.
      expect(screen.queryAllByRole('link', { name: 'Check' })).toEqual([])
      await user.click(await continueButton())
      expect(screen.queryByRole('grid')).toBeNull()
      await user.click(screen.getByRole('button', { name: 'Show the next' }))
      expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'What “Neer” means' }))
      await user.click(screen.getByRole('combobox', { name: 'What “Neer” means' }))
      await user.click(await screen.findByRole('option', { name: 'Do not load' }))
      expect(reasonOf(await continueButton())).toBe('Your decision is needed: 1 name.')
      screen.getByRole('button', { name: 'Do not load the remaining 1' }).focus()
      await user.keyboard('{Enter}')
      expect(reasonOf(await continueButton())).toBeUndefined()
      expect(document.activeElement).toBe(await continueButton())
      // A decision about an unknown name can be undone.
      screen.getByRole('button', { name: 'Other for “Faar”' }).focus()
      await user.keyboard('{Enter}')
      expect(reasonOf(await continueButton())).toBe('Your decision is needed: 1 name.')
      expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'What “Faar” means' }))
      await user.click(screen.getByRole('button', { name: 'Do not load the remaining 1' }))
      await user.click(await continueButton())
      expect(await screen.findByRole('grid')).toBeTruthy()
      const steps = screen.getByRole('list', { name: 'Steps of the import' })
      await user.click(within(steps).getByRole('link', { name: 'Columns' }))
      expect(reasonOf(await continueButton())).toBeUndefined()
    })

    it('counts the unknown names beyond the listed ones', async () => {
      fakeApi(makeStoringAnswer({ names_count: 9, open_names: 9 }))
      renderApp('/app/import/48')
      const user = userEvent.setup()
      expect(reasonOf(await continueButton())).toBe('Your decision is needed: 9 names.')
      await user.click(screen.getByRole('button', { name: 'Do not load the remaining 9' }))
      expect(reasonOf(await continueButton())).toBeUndefined()
    })
  })

  it('opens the preview after a press that came while decisions were being saved', async () => {
    const { promise: saveAnswer, resolve: save } = Promise.withResolvers<void>()
    const decidedAnswer = importAnswer({
      mapping: mappingOf({ columns: openColumns.map((column) => ({ ...column, key: 'price', status: 'matched' })) }),
    })
    fakeApi({
      ...answers,
      'PUT /api/insert_excel/48': async () => {
        await saveAnswer
        return Response.json(decidedAnswer)
      },
    })
    renderApp('/app/import/48')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Accept “District”' }))
    await user.click(screen.getByRole('button', { name: '“Price” for “Narx”' }))
    await user.click(screen.getByRole('button', { name: '“Near” for “Neer”' }))
    await user.click(screen.getByRole('button', { name: 'Go to the check' }))
    expect(screen.getByRole('button', { name: 'Go to the check' }).getAttribute('aria-busy')).toBe('true')
    save()
    expect(await screen.findByRole('grid')).toBeTruthy()
  })

  it('accepts all unambiguous fields and records of an import with one press', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/import/48')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Accept all unambiguous, 2' }))
    await vi.waitFor(() =>
      expect(bodies(calls)).toEqual([
        {
          data: {
            version: 4,
            mapping: { columns: { B: 'district' } },
            names: [{ key: 'district', name: 'Neer', target: 11 }],
          },
        },
      ]),
    )
  })

  it('shows how the imported file was read, and the first row as it is understood', async () => {
    fakeApi(answers)
    renderApp('/app/import/48')
    const panel = await screen.findByRole('region', { name: 'How the file was read' })
    expect(within(panel).getByText('B7:B9')).toBeTruthy()
    expect(within(panel).getByText('by stored value, 18')).toBeTruthy()
    expect(screen.getByText('Row 2 will be read as')).toBeTruthy()
    expect(screen.getByText('Read in 2 s. Sheet “Retail”, headings in row 3, 4 rows.')).toBeTruthy()
  })

  it('reports a conflict with a colleague about an import, and shows the decisions of the colleague', async () => {
    const calls = fakeApi({
      ...answers,
      'PUT /api/insert_excel/48': () => errorAnswer(409, 'ConflictError', 'x', 'request.conflict'),
    })
    renderApp('/app/import/48')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Accept “District”' }))
    expect(await screen.findByText(/A colleague has changed this import in the meantime/)).toBeTruthy()
    await vi.waitFor(() =>
      expect(calls.filter(({ path, method }) => method === 'GET' && path === '/api/insert_excel/48')).toHaveLength(2),
    )
  })
})
