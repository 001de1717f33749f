import type { Backup, SystemState } from '@dala/model'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const at = '2026-03-09T14:05:00.000Z'
const gigabyte = 1e9
const state: SystemState = {
  at,
  version: {
    state: 'answered',
    program: '1.8.0',
    node: '24.1.0',
    started_at: '2026-02-25T10:00:00.000Z',
    schema: { applied: 59, known: 59 },
    online: 54,
  },
  database: {
    state: 'answered',
    kind: 'server',
    version: '18.1',
    bytes: 1.9 * gigabyte,
    week_bytes: 38e6,
    connections: { used: 6, most: 20 },
    answer_ms: 4,
    clock_ms: 0,
    slow: { limit_ms: 500, statements: [] },
  },
  disk: {
    state: 'answered',
    total: 80 * gigabyte,
    free: 40 * gigabyte,
    uploads: { bytes: 20 * gigabyte, partial: true },
    backups: { bytes: 5 * gigabyte, partial: false },
    database: null,
    write_ms: 3,
    daily_bytes: null,
    full_in_days: null,
  },
  memory: { state: 'answered', resident: 2e8, heap: 1e8, limit: null },
  queues: {
    state: 'answered',
    kinds: [{ kind: 'imports', waiting: 0, running: 1, failed: 2, stuck: 0, last_at: at }],
  },
  letters: {
    state: 'answered',
    sent: 184,
    waiting: 7,
    tried: 7,
    waiting_since: '2026-03-09T11:40:00.000Z',
    dropped: 0,
    failure: 'EAUTH 535',
    sender: 'noreply@dala.example',
    test: null,
  },
  recount: { state: 'answered', last: { at, days: 30, differences: 0 }, time_zone: 'Asia/Tashkent' },
  backups: { state: 'answered', proved_at: '2026-03-06T03:00:00.000Z', days: 3, failure: null },
  warnings: [],
}
const warnings: SystemState['warnings'] = [
  {
    code: 'letters.waiting',
    since: '2026-03-09T11:40:00.000Z',
    params: { count: 7, answer: 'EAUTH 535' },
    action: null,
  },
  { code: 'disk.fills', since: null, params: { count: 19, free: 11.4e9, daily: 6e8 }, action: 'media' },
]
const proved: Backup = {
  id: 2,
  kind: 'weekly',
  state: 'complete',
  taken_at: '2026-03-06T03:00:00.000Z',
  ended_at: '2026-03-06T03:01:00.000Z',
  bytes: 212e6,
  places: ['folder', 'bucket'],
  encrypted: false,
  failure: null,
  proof: { state: 'proved', at: '2026-03-06T03:40:00.000Z', rows: 412_815, files: 9, failure: null },
}
const fresh: Backup = {
  ...proved,
  id: 3,
  kind: 'daily',
  taken_at: '2026-03-09T03:00:00.000Z',
  proof: { state: 'none', at: null, rows: null, files: null, failure: null },
}
const backups = (...data: Backup[]) => ({
  data,
  meta: {
    next_at: null,
    next_proof_at: null,
    last_proved: { id: 2, taken_at: proved.taken_at, at: '2026-03-06T03:40:00.000Z', rows: 412_815 },
    kept: { daily: 7, weekly: 4, monthly: 12 },
    places: ['folder' as const],
  },
})
const answers = {
  'GET /api/users/me': owner,
  'GET /api/system': { data: state },
  'GET /api/system/backups': backups(fresh, proved),
}
const countOf = (calls: ReturnType<typeof fakeApi>, path: string) => calls.filter((call) => call.path === path).length

describe('the parts of the System page', () => {
  it('shows the parts with their states, and no sheet of warnings while there are none', async () => {
    fakeApi(answers)
    renderApp('/app/system')
    const version = await screen.findByRole('region', { name: 'Version' })
    expect(version.textContent).toContain('59 of 59')
    expect(screen.getByText(/^Running for 12 days without a break\. No warnings\./)).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Database' }).textContent).toContain('PostgreSQL 18.1')
    expect(screen.getByRole('region', { name: 'Disk' }).textContent).toContain('at least 20.0 GB')
    expect(screen.getByRole('region', { name: 'Disk' }).textContent).toContain('Writes3 ms')
    const row = within(screen.getByRole('region', { name: 'Queues' })).getByRole('row', { name: /^Imports/ })
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent)
        .slice(0, 3),
    ).toEqual(['0', '1', '2'])
    expect(screen.queryByRole('region', { name: 'Warnings' })).toBeNull()
  })

  it('shows each warning with what to do, and the page where it is done', async () => {
    fakeApi({ ...answers, 'GET /api/system': { data: { ...state, warnings } } })
    renderApp('/app/system')
    const sheet = await screen.findByRole('region', { name: 'Warnings' })
    expect(within(sheet).getByRole('heading', { name: /^7 letters have not left since/ })).toBeTruthy()
    expect(sheet.textContent).toContain('The mail server answers: EAUTH 535.')
    expect(within(sheet).getByRole('heading', { name: 'The disk is full in about 19 days' })).toBeTruthy()
    expect(sheet.textContent).toContain('11.4 GB free, 600.0 MB a day are used.')
    expect(within(sheet).getAllByText('What to do:')).toHaveLength(2)
    expect(within(sheet).getByRole('link', { name: 'Show files' }).getAttribute('href')).toBe('/app/media')
  })

  it('warns about a slow disk, and says what to do', async () => {
    const slow = { code: 'disk.slow', since: null, params: { delay: 1_052 }, action: null } as const
    fakeApi({ ...answers, 'GET /api/system': { data: { ...state, warnings: [slow] } } })
    renderApp('/app/system')
    const sheet = await screen.findByRole('region', { name: 'Warnings' })
    expect(within(sheet).getByRole('heading', { name: 'A small write takes 1,052 ms on this disk' })).toBeTruthy()
    expect(sheet.textContent).toContain('What to do: find out what else uses the disk')
  })

  it('leads from a warning about the proof of copies to the copies, for the keyboard too', async () => {
    const unproved = {
      code: 'backup.unproved',
      since: '2026-03-01T03:00:00.000Z',
      params: { count: 8 },
      action: 'copies',
    } as const
    fakeApi({ ...answers, 'GET /api/system': { data: { ...state, warnings: [unproved] } } })
    renderApp('/app/system')
    const sheet = await screen.findByRole('region', { name: 'Warnings' })
    expect(within(sheet).getByRole('heading', { name: 'No copy was proved for 8 days' })).toBeTruthy()
    const copies = screen.getByRole('region', { name: 'Copies' })
    const scroll = vi.fn<() => void>()
    copies.scrollIntoView = scroll
    await userEvent.click(within(sheet).getByRole('button', { name: 'Show copies' }))
    expect(document.activeElement).toBe(copies)
    expect(scroll).toHaveBeenCalled()
  })

  it('shows since when a part has not answered, and leaves the others', async () => {
    const disk = { state: 'unanswered', since: at } as const
    fakeApi({ ...answers, 'GET /api/system': { data: { ...state, disk } } })
    renderApp('/app/system')
    const part = await screen.findByRole('region', { name: 'Disk' })
    expect(part.textContent).toMatch(/^DiskNo answer since \d\d/)
    expect(screen.getByRole('region', { name: 'Letters' }).textContent).toContain('184')
  })

  it('lists the slow statements of the database in a dialog', async () => {
    const slowStatement = {
      text: 'select $1 from "consultations"',
      count: 3,
      cancelled: 1,
      slowest_ms: 5_020,
      total_ms: 7_400,
      last_at: at,
    }
    const database = {
      ...state.database,
      slow: { limit_ms: 500, statements: [slowStatement] },
    } as SystemState['database']
    fakeApi({ ...answers, 'GET /api/system': { data: { ...state, database } } })
    renderApp('/app/system')
    const part = await screen.findByRole('region', { name: 'Database' })
    expect(part.textContent).toContain('Slowest statement5,020 ms')
    await userEvent.click(within(part).getByRole('button', { name: 'Statements' }))
    const dialog = await screen.findByRole('dialog', { name: 'Slow statements' })
    const item = within(dialog).getByRole('listitem')
    expect(item.textContent).toContain('select $1 from "consultations"')
    expect(item.textContent).toContain('Total7,400 ms')
    expect(item.textContent).toContain('Ended by the limit1')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('sends a test letter after a question, and shows the answer of the mail server in its row', async () => {
    let test: Extract<SystemState['letters'], { state: 'answered' }>['test'] = null
    const calls = fakeApi({
      ...answers,
      'GET /api/system': () => Response.json({ data: { ...state, letters: { ...state.letters, test } } }),
      'POST /api/system/test-letter': () => {
        test = { at, state: 'failed', failure: 'EAUTH 535' }
        return Response.json({ data: { at } })
      },
    })
    renderApp('/app/system')
    const part = await screen.findByRole('region', { name: 'Letters' })
    await userEvent.click(within(part).getByRole('button', { name: 'Test letter' }))
    const question = await screen.findByRole('dialog', { name: 'Send a test letter to yourself?' })
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    await userEvent.click(within(question).getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(part.textContent).toContain('Refused: EAUTH 535'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows in the question why no test letter can be sent', async () => {
    fakeApi({
      ...answers,
      'POST /api/system/test-letter': () => errorAnswer(409, 'ConflictError', 'The settings name no mail server'),
    })
    renderApp('/app/system')
    await userEvent.click(await screen.findByRole('button', { name: 'Test letter' }))
    const question = await screen.findByRole('dialog', { name: 'Send a test letter to yourself?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Send' }))
    expect((await within(question).findByRole('alert')).textContent).toContain('The settings name no mail server')
  })

  it('lists what is new in the running version, in English', async () => {
    fakeApi({
      ...answers,
      'GET /api/system/changes': {
        data: { version: '1.8.0', day: '2026-03-01', sections: [{ kind: 'fixed', entries: ['A fault.'] }] },
      },
    })
    renderApp('/app/system')
    await userEvent.click(await screen.findByRole('button', { name: 'What is new' }))
    const dialog = await screen.findByRole('dialog', { name: 'What is new in 1.8.0, 01.03.2026' })
    expect(within(dialog).getByRole('heading', { name: 'Fixed' })).toBeTruthy()
    const entry = within(dialog).getByText('A fault.')
    expect(entry.closest('ul')?.lang).toBe('en')
  })

  it('says that there are no slow statements', async () => {
    fakeApi(answers)
    renderApp('/app/system')
    await userEvent.click(await screen.findByRole('button', { name: 'Statements' }))
    expect(await screen.findByText('No statement was that slow.')).toBeTruthy()
  })

  it('shows a failure with a retry, and keeps the backups', async () => {
    let isFailing = true
    fakeApi({
      ...answers,
      'GET /api/system': () =>
        isFailing ? errorAnswer(422, 'UnprocessableEntityError', 'No') : Response.json({ data: state }),
    })
    renderApp('/app/system')
    expect(await screen.findByText('The state of the system could not be loaded')).toBeTruthy()
    expect(await screen.findByRole('table', { name: 'Copies' })).toBeTruthy()
    isFailing = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('region', { name: 'Version' })).toBeTruthy()
  })

  it('shows a failed refresh above the last state, until an answer arrives', async () => {
    let isFailing = false
    fakeApi({
      ...answers,
      'GET /api/system': () =>
        isFailing ? errorAnswer(422, 'UnprocessableEntityError', 'No') : Response.json({ data: state }),
    })
    renderApp('/app/system')
    await screen.findByRole('region', { name: 'Version' })
    isFailing = true
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('The state of the system could not be loaded')).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Version' })).toBeTruthy()
    isFailing = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText('The state of the system could not be loaded')).toBeNull())
    expect(screen.getByRole('region', { name: 'Version' })).toBeTruthy()
  })

  it('refreshes at R, and not while a text is typed', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/system')
    await screen.findByRole('region', { name: 'Version' })
    await screen.findByRole('table', { name: 'Copies' })
    const before = countOf(calls, '/api/system')
    const input = document.body.appendChild(document.createElement('input'))
    fireEvent.keyDown(input, { code: 'KeyR', key: 'r' })
    input.remove()
    expect(countOf(calls, '/api/system')).toBe(before)
    fireEvent.keyDown(document.body, { code: 'KeyR', key: 'r' })
    await waitFor(() => expect(countOf(calls, '/api/system')).toBe(before + 1))
  })

  it('saves the diagnosis as a file', async () => {
    const { letters: _letters, ...rest } = state
    const letters = { state: 'answered', sent: 1, waiting: 0, tried: 0, dropped: 0, failure: null } as const
    const platform = { system: 'linux', architecture: 'x64', processors: 2, memory: 1 }
    fakeApi({
      ...answers,
      'GET /api/system/diagnosis': { data: { state: { ...rest, letters }, platform, settings: { PUSH: true } } },
    })
    const names: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
    renderApp('/app/system')
    await userEvent.click(await screen.findByRole('button', { name: 'Download a diagnosis' }))
    await waitFor(() => expect(names).toEqual(['dala-diagnosis-2026-03-09.json']))
  })

  it('hides the System page from administrators, and makes no call for it', async () => {
    const admin = { ...owner, role: { id: 3, name: 'Administrator', type: 'admin' } }
    const calls = fakeApi({ ...answers, 'GET /api/users/me': admin })
    renderApp('/app/system')
    expect(await screen.findByText('No permission')).toBeTruthy()
    expect(countOf(calls, '/api/system')).toBe(0)
  })
})

describe('the copies', () => {
  it('proves a copy after a question that names the effect, and shows the progress in its row', async () => {
    let isProving = false
    const running: Backup = { ...fresh, proof: { ...fresh.proof, state: 'running' } }
    const calls = fakeApi({
      ...answers,
      'GET /api/system/backups': () => Response.json(backups(isProving ? running : fresh, proved)),
      'POST /api/system/backups/3/proof': () => {
        isProving = true
        return Response.json({ data: running, meta: {} })
      },
    })
    renderApp('/app/system')
    await userEvent.click(await screen.findByRole('button', { name: /^Prove the copy of 09\.03\.2026/ }))
    const question = await screen.findByRole('dialog', { name: /^Prove the copy of 09\.03\.2026/ })
    expect(question.textContent).toContain('The data in use do not change')
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    await userEvent.click(within(question).getByRole('button', { name: 'Prove' }))
    expect(await screen.findByText('Being checked')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Prove the copy/ })).toBeNull()
  })

  it('shows in the question why no copy can be taken now', async () => {
    fakeApi({
      ...answers,
      'POST /api/system/backups': () => errorAnswer(409, 'ConflictError', 'Another backup or proof is running'),
    })
    renderApp('/app/system')
    await userEvent.click(await screen.findByRole('button', { name: 'Take now' }))
    const question = await screen.findByRole('dialog', { name: 'Take a copy now?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Take now' }))
    expect((await within(question).findByRole('alert')).textContent).toContain('Another backup or proof is running')
  })

  it('shows that there are no copies yet', async () => {
    fakeApi({ ...answers, 'GET /api/system/backups': { ...backups(), meta: { ...backups().meta, last_proved: null } } })
    renderApp('/app/system')
    expect(await screen.findByText('No copies yet')).toBeTruthy()
  })
})

describe('the section menu', () => {
  it('shows the number of warnings and the last proved copy', async () => {
    fakeApi({ ...answers, 'GET /api/system': { data: { ...state, warnings } } })
    renderApp('/app/system')
    const menu = await screen.findByRole('navigation', { name: /Settings/ })
    expect(await within(menu).findByRole('link', { name: /^System.*2 warnings$/ }, { timeout: 5_000 })).toBeTruthy()
    const note = await within(menu).findByRole('region', { name: 'Last proved copy' })
    expect(note.textContent).toContain('412,815 rows')
  })

  it('lists the System page for owners only', async () => {
    const admin = { ...owner, role: { id: 3, name: 'Administrator', type: 'admin' } }
    fakeApi({ ...answers, 'GET /api/users/me': admin })
    renderApp('/app/import')
    const menu = await screen.findByRole('navigation', { name: /Settings/ })
    await within(menu).findByRole('link', { name: 'Import from a sheet' })
    expect(within(menu).queryByRole('link', { name: /^System/ })).toBeNull()
  })
})
