import type { ReportSchedule, ReportSending } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyReport } from '../../../testing/empty-report.ts'
import { errorAnswer, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { readAddresses } from './readers.tsx'

const report = emptyReport(1, 'overview', 'Overview')
const savedReport = {
  id: 1000,
  title: 'Quarter',
  key: 'overview',
  query: { period: 'days90' },
  shared_with: null,
  order: 1,
  version: 3,
  by: { id: 1, name: 'Owner' },
  own: true,
  created_at: '2026-10-01T07:05:00.000Z',
  updated_at: '2026-10-01T07:05:00.000Z',
}
const schedule = (overrides: Partial<ReportSchedule> = {}): ReportSchedule => ({
  id: 7,
  saved: 1000,
  title: 'Quarter',
  key: 'overview',
  weekday: 1,
  month_day: null,
  hour: 8,
  recipients: { users: [{ id: 4, name: 'Marat Otepov' }], addresses: ['a@b.uz'] },
  format: 'pdf',
  locale: 'ru',
  active: true,
  paused: null,
  next_at: '2026-10-05T03:00:00.000Z',
  last: { due_at: '2026-09-28T03:00:00.000Z', letters: 2, sent: 1, waiting: 0 },
  by: { id: 1, name: 'Owner' },
  own: true,
  version: 2,
  created_at: '2026-09-01T03:00:00.000Z',
  ...overrides,
})
const listOf = (data: ReportSchedule[], mail = true) => ({
  data,
  meta: { tz: 'Asia/Tashkent', day: '2026-10-03', hour: 12, mail },
})
const lists = {
  'GET /api/users/me': owner,
  'GET /api/regions': { data: [], meta: {} },
  'GET /api/users': [{ id: 4, username: 'marat', name: 'Marat', surname: 'Otepov' }],
  'GET /api/statistics': {
    data: [report.data].map(({ id, attributes }) => ({ id, attributes })),
    meta: { pagination: { page: 1, pageSize: 50, pageCount: 1, total: 1 } },
  },
  'GET /api/statistics/overview': report,
  'GET /api/statistics/saved': { data: [savedReport], meta: {} },
  'GET /api/statistics/schedules': listOf([]),
}
beforeEach(() => localStorage.setItem('token', 'x'))

async function openDialog(api: Parameters<typeof fakeApi>[0] = lists) {
  const calls = fakeApi(api)
  const user = userEvent.setup()
  renderApp('/app/statistics/overview?period=days90&saved=1000')
  await user.click(await within(await screen.findByRole('main')).findByRole('button', { name: /Quarter/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Send regularly…' }))
  return { calls, user, dialog: within(await screen.findByRole('dialog', { name: 'Send regularly' })) }
}

async function openSheet(data: ReportSchedule[], otherAnswers: Parameters<typeof fakeApi>[0] = {}, mail = true) {
  const calls = fakeApi({ ...lists, 'GET /api/statistics/schedules': listOf(data, mail), ...otherAnswers })
  const user = userEvent.setup()
  renderApp('/app/statistics')
  return { calls, user, sheet: within(await screen.findByRole('region', { name: 'Regular emails' })) }
}

describe('the dialog of a schedule', () => {
  it('shows the next sending of the chosen day and hour in the dialog, and stores the schedule', async () => {
    const { calls, user, dialog } = await openDialog({
      ...lists,
      'POST /api/statistics/schedules': { data: schedule(), meta: {} },
    })
    expect(await dialog.findByText('Next sending: 05.10.2026 08:00 (Tashkent)')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Every month' }))
    await user.click(dialog.getByRole('combobox', { name: 'Day of the month' }))
    await user.click(await screen.findByRole('option', { name: '31' }))
    expect(dialog.getByText('A shorter month has its last day instead.')).toBeTruthy()
    expect(dialog.getByText('Next sending: 31.10.2026 08:00 (Tashkent)')).toBeTruthy()
    await user.type(dialog.getByRole('textbox', { name: 'Email addresses without an account' }), 'A@b.uz, c@d.uz')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      data: {
        saved: 1000,
        weekday: null,
        month_day: 31,
        hour: 8,
        recipients: { users: [owner.id], addresses: ['a@b.uz', 'c@d.uz'] },
        format: 'pdf',
        locale: 'en',
      },
    })
  })

  it('names wrong addresses and a missing reader of a schedule, and sends nothing', async () => {
    const { calls, user, dialog } = await openDialog()
    const addresses = await dialog.findByRole('textbox', { name: 'Email addresses without an account' })
    await user.type(addresses, 'a@b.uz plain')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('These are not email addresses: plain')).toBeTruthy()
    expect(document.activeElement).toBe(addresses)
    await user.clear(addresses)
    await user.click(dialog.getByRole('button', { name: /Remove/ }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Choose at least one reader.')).toBeTruthy()
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('offers consultants only themselves as readers of a schedule', async () => {
    const consultant = { ...owner, is_consultant: true, role: { id: 2, name: 'User', type: 'authenticated' } }
    const { dialog } = await openDialog({ ...lists, 'GET /api/users/me': consultant })
    expect(await dialog.findByText(`The email goes to you, at ${owner.email}.`)).toBeTruthy()
    expect(dialog.queryByRole('textbox')).toBeNull()
  })

  it('says that no mail server is configured, and shows a refusal of the server', async () => {
    const { user, dialog } = await openDialog({
      ...lists,
      'GET /api/statistics/schedules': listOf([], false),
      'POST /api/statistics/schedules': () =>
        errorAnswer(422, 'UnprocessableEntityError', 'too many', 'report.schedules'),
    })
    expect(await dialog.findByText(/No mail server is set up/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByRole('alert')).toBeTruthy()
  })
})

describe('the list of schedules', () => {
  it('shows no list of schedules while there are none', async () => {
    fakeApi(lists)
    renderApp('/app/statistics')
    expect(await screen.findByRole('region', { name: 'All reports' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Regular emails' })).toBeNull()
  })

  it('shows the rule, the readers, and the last and next sending of each schedule', async () => {
    const { sheet } = await openSheet([schedule()], {}, false)
    expect(sheet.getByText('Monday, 08:00, every week · PDF · 2 readers')).toBeTruthy()
    expect(sheet.getByText('Marat Otepov, a@b.uz')).toBeTruthy()
    expect(sheet.getByText('Next sending: 05.10.2026 08:00 (Tashkent)')).toBeTruthy()
    expect(sheet.getByText('Last sending: 28.09.2026 08:00 (Tashkent) · 1 email sent · 1 email not sent')).toBeTruthy()
    expect(sheet.getByText(/No mail server is set up/)).toBeTruthy()
  })

  it('explains why the program paused a schedule, and offers no change of a schedule without its report', async () => {
    const { sheet } = await openSheet([
      schedule({ active: false, paused: 'report', saved: null, next_at: null, last: null }),
      schedule({ id: 8, title: 'Other', own: false, by: { id: 5, name: null } }),
    ])
    expect(sheet.getByText('Paused: the saved report was deleted or is no longer shared.')).toBeTruthy()
    expect(sheet.getByText('Nothing was sent yet.')).toBeTruthy()
    expect(sheet.getByText(/Set up by/)).toBeTruthy()
    expect(sheet.queryByRole('button', { name: /Change the sending/ })).toBeNull()
    expect(sheet.getAllByRole('button', { name: /Delete/ })).toHaveLength(2)
  })

  it('pauses and resumes a schedule with the version that was read', async () => {
    const { calls, user, sheet } = await openSheet([schedule()], {
      'PUT /api/statistics/schedules/7': { data: schedule({ active: false }), meta: {} },
    })
    await user.click(sheet.getByRole('button', { name: 'Pause: Quarter' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ data: { active: false, version: 2 } }),
    )
  })

  it('changes a schedule in the dialog', async () => {
    const { calls, user, sheet } = await openSheet([schedule()], {
      'PUT /api/statistics/schedules/7': { data: schedule(), meta: {} },
    })
    await user.click(sheet.getByRole('button', { name: 'Change the sending: Quarter' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the sending' }))
    await user.click(dialog.getByRole('button', { name: 'Excel' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        data: {
          weekday: 1,
          month_day: null,
          hour: 8,
          recipients: { users: [4], addresses: ['a@b.uz'] },
          format: 'xlsx',
          locale: 'ru',
          version: 2,
        },
      }),
    )
  })

  it('deletes a schedule, and restores the same one with its record by an undo', async () => {
    const { calls, user, sheet } = await openSheet([schedule()], {
      'DELETE /api/statistics/schedules/7': { data: schedule(), meta: {} },
      'POST /api/statistics/schedules/7/restore': { data: schedule(), meta: {} },
    })
    await user.click(sheet.getByRole('button', { name: 'Delete: Quarter' }))
    await user.click(await screen.findByRole('button', { name: /Undo/ }))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1))
    expect(calls.find(({ method }) => method === 'POST')?.path).toBe('/api/statistics/schedules/7/restore')
  })

  it('opens the record of a schedule’s letters, with the reason for each unsent letter', async () => {
    const letter: ReportSending = {
      id: 1,
      due_at: '2026-09-28T03:00:00.000Z',
      user: { id: 4, name: 'Marat Otepov' },
      address: null,
      state: 'sent',
      reason: null,
      detail: null,
      sent_at: '2026-09-28T03:01:00.000Z',
    }
    const refusedLetter = {
      ...letter,
      id: 2,
      user: null,
      address: 'a@b.uz',
      state: 'failed',
      reason: 'mail',
      detail: '550',
    }
    const { user, sheet } = await openSheet([schedule()], {
      'GET /api/statistics/schedules/7/sendings': { data: [letter, refusedLetter], meta: {} },
    })
    await user.click(sheet.getByRole('button', { name: 'What was sent: Quarter' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'What was sent' }))
    expect(await dialog.findByText('The mail server refused it: 550')).toBeTruthy()
    expect(dialog.getByText('Sent')).toBeTruthy()
    expect(dialog.getByText('Not sent')).toBeTruthy()
  })
})

describe('readAddresses', () => {
  it('reads addresses that are separated by commas, spaces or lines, once each', () => {
    expect(readAddresses('A@b.uz,c@d.uz;\n a@b.uz  x')).toEqual({ addresses: ['a@b.uz', 'c@d.uz'], wrong: ['x'] })
    expect(readAddresses(' ')).toEqual({ addresses: [], wrong: [] })
  })
})
