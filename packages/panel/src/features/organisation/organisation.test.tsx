import { type OrganisationKey, organisationKeys, type OrganisationState, type OrganisationValue } from '@dala/model'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLogo } from '../../ui/logo.ts'
import { errorAnswer, type FakeCall, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

const address = '/app/system/organisation'
const names = { en: 'Agro Centre', ru: null, uz: null, kaa: null }
const presets: Readonly<Partial<Record<OrganisationKey, OrganisationValue>>> = {
  name: { ...names, en: null },
  logo: null,
  palette: 'blueolympic',
  colour_mode: 'dark',
  letter_invitation: { ...names, en: null },
  letter_closing: { ...names, en: null },
  letter_contact: { ...names, en: null },
  working_hours: '1-6 09:00-18:00',
  first_reply_minutes: 30,
  next_reply_minutes: 120,
  decision_hours: 4,
  registration: true,
  password_policy: 'spec',
  invite_hours: 72,
}
const limit = { failures: 10, seconds: 900 }
const state: OrganisationState = {
  version: 3,
  settings: organisationKeys.map((key) => {
    const preset = presets[key] === undefined ? limit : presets[key]
    if (key === 'name') return { key, value: names, preset, source: 'stored' }
    return { key, value: preset, preset, source: key === 'address_throttle' ? 'environment' : 'default' }
  }),
  environment: [
    { name: 'JWT_SECRET', is_set: true, reason: 'secret' },
    { name: 'PORT', is_set: false, reason: 'place' },
    { name: 'SEED', is_set: false, reason: 'start' },
  ],
  history: [
    {
      id: 9,
      at: '2026-03-09T14:05:00.000Z',
      by: { id: 1, name: 'Aygul' },
      key: 'login_throttle',
      before: null,
      after: { failures: 5, seconds: 7200 },
    },
    {
      id: 8,
      at: '2026-03-09T14:04:00.000Z',
      by: { id: 1, name: 'Berdaq' },
      key: 'working_hours',
      before: null,
      after: '1-5 08:00-17:00, 6 09:00-13:00',
    },
    {
      id: 7,
      at: '2026-03-09T14:03:00.000Z',
      by: { id: 1, name: 'Gulnara' },
      key: 'first_reply_minutes',
      before: 30,
      after: 45,
    },
    {
      id: 6,
      at: '2026-03-09T14:02:00.000Z',
      by: { id: 1, name: 'Jamila' },
      key: 'letter_contact',
      before: { en: 'Nukus', ru: 'Нукус', uz: null, kaa: null },
      after: { en: 'Nukus', ru: null, uz: 'Nukus', kaa: null },
    },
    {
      id: 5,
      at: '2026-03-09T14:01:00.000Z',
      by: { id: 1, name: 'Marat' },
      key: 'logo',
      before: null,
      after: { id: 7, name: 'mark.png', url: '/uploads/0123456789abcdef0123456789abcdef.png' },
    },
    {
      id: 4,
      at: '2026-03-09T14:00:00.000Z',
      by: { id: 1, name: 'Ninel' },
      key: 'palette',
      before: null,
      after: 'greenmoss',
    },
  ],
}
const answers = { 'GET /api/users/me': owner, 'GET /api/organisation': { data: state } }
const sentValues = (calls: readonly FakeCall[]) =>
  calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
const rowOf = async (name: string) => within(await screen.findByRole('group', { name }))
const user = userEvent.setup()
const saveButton = () => screen.getByRole('button', { name: 'Save' })

async function typeHours(text: string) {
  const input = (await rowOf('Validity of invitations')).getByLabelText('Hours')
  await user.clear(input)
  if (text !== '') await user.type(input, text)
  return input
}

beforeEach(() => localStorage.setItem('token', 'a'))

describe('the page of the organisation', () => {
  it('shows each setting in a row, and a value of the environment locked with its variable', async () => {
    fakeApi(answers)
    renderApp(address)
    await screen.findByRole('heading', { level: 1, name: 'Organisation' })
    const rows = await screen.findAllByRole('group', { name: /./ })
    expect(rows).toHaveLength(organisationKeys.length)
    const locked = await rowOf('Failed sign-ins from one address')
    expect(locked.getByText('10 in 15 minutes')).toBeTruthy()
    expect(locked.getByText(/Set in the environment as ADDRESS_THROTTLE/)).toBeTruthy()
    expect(locked.queryByRole('textbox')).toBeNull()
    expect((await rowOf('Open registration')).getByRole('combobox').textContent).toBe('Yes')
  })

  it('explains what stays in the environment, without a value', async () => {
    fakeApi(answers)
    renderApp(address)
    await user.click(await screen.findByRole('button', { name: /^Secrets:/ }))
    expect((await screen.findByText('JWT_SECRET')).parentElement?.textContent).toBe('JWT_SECRETset')
  })

  it('shows who changed what, when, and from what to what', async () => {
    fakeApi(answers)
    renderApp(address)
    const line = (await screen.findByText('Aygul')).closest('li')
    expect(line?.textContent).toMatch(/^09\.03\.2026 .*Failed sign-ins of one account: default → 5 in 2 hours$/)
    expect(screen.getByText('Berdaq').closest('li')?.textContent).toMatch(
      /Working hours: default → Mon–Fri 08:00–17:00, Sat 09:00–13:00$/,
    )
    expect(screen.getByText('Gulnara').closest('li')?.textContent).toMatch(/: 30 minutes → 45 minutes$/)
    expect(screen.getByText('Jamila').closest('li')?.textContent).toMatch(
      /Contacts in emails: Русский: Нукус → not set\nOʻzbekcha: not set → Nukus$/,
    )
    expect(screen.getByText('Marat').closest('li')?.textContent).toMatch(/Logo: not set → mark\.png$/)
    expect(screen.getByText('Ninel').closest('li')?.textContent).toMatch(/Colours: default → Moss green$/)
  })

  it('is alone current in the menu, not with the System page above it', async () => {
    fakeApi(answers)
    renderApp(address)
    const menu = await screen.findByRole('navigation', { name: /Settings/ })
    await within(menu).findByRole('link', { name: 'Organisation' })
    expect([...menu.querySelectorAll('[aria-current]')].map(({ textContent }) => textContent)).toEqual(['Organisation'])
  })

  it('is closed to administrators, without a call for it', async () => {
    const admin = { ...owner, role: { id: 3, name: 'Administrator', type: 'admin' } }
    const calls = fakeApi({ ...answers, 'GET /api/users/me': admin })
    renderApp(address)
    expect(await screen.findByText('No permission')).toBeTruthy()
    expect(calls.some(({ path }) => path === '/api/organisation')).toBe(false)
  })
})

describe('the form of the organisation', () => {
  it('sends only what was changed with the version, at Ctrl+S, and shows what was saved', async () => {
    const saved = {
      ...state,
      version: 4,
      settings: state.settings.map((setting) =>
        setting.key === 'invite_hours' ? { ...setting, value: 24, source: 'stored' as const } : setting,
      ),
    }
    const calls = fakeApi({ ...answers, 'PUT /api/organisation': { data: saved } })
    renderApp(address)
    await typeHours('24')
    expect(screen.getByText('Unsaved changes')).toBeTruthy()
    fireEvent.keyDown(document.body, { code: 'KeyS', key: 's', ctrlKey: true })
    await waitFor(() => expect(sentValues(calls)).toEqual([{ data: { version: 3, values: { invite_hours: 24 } } }]))
    expect(await screen.findByText('All changes are saved')).toBeTruthy()
    expect((await rowOf('Validity of invitations')).getByText(/^Default: 72 hours/)).toBeTruthy()
  })

  it('is not changed by typing a value back, and is discarded on request', async () => {
    fakeApi(answers)
    renderApp(address)
    await typeHours('24')
    await typeHours('72')
    expect(screen.getByText('All changes are saved')).toBeTruthy()
    await typeHours('25')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect((await rowOf('Validity of invitations')).getByLabelText<HTMLInputElement>('Hours').value).toBe('72')
  })

  it('returns a stored value to its default', async () => {
    const calls = fakeApi({ ...answers, 'PUT /api/organisation': { data: state } })
    renderApp(address)
    const row = await rowOf('Name of the organisation')
    await user.click(row.getByRole('button', { name: 'Return to the default: Name of the organisation' }))
    expect(row.getByLabelText<HTMLInputElement>('English').value).toBe('')
    await user.click(saveButton())
    await waitFor(() => expect(sentValues(calls)).toEqual([{ data: { version: 3, values: { name: null } } }]))
  })

  it('shows wrong values at their fields, and sends nothing', async () => {
    const calls = fakeApi(answers)
    renderApp(address)
    const input = await typeHours('')
    const minutes = (await rowOf('Failed sign-ins of one account')).getByLabelText('In minutes')
    await user.clear(minutes)
    await user.type(minutes, '2000')
    await user.click(saveButton())
    await waitFor(() => expect(document.activeElement).toBe(input))
    expect(input.getAttribute('aria-invalid')).toBe('true')
    // The bound of a day is shown in the unit of the field.
    expect(document.querySelector(`[id="${minutes.getAttribute('aria-describedby') ?? ''}"]`)?.textContent).toContain(
      '1440',
    )
    expect(sentValues(calls)).toEqual([])
  })

  it('shows an error of the server at its field', async () => {
    const errors = [
      { path: ['invite_hours'], message: 'x', name: 'ValidationError', code: 'validation.max', params: { max: 5 } },
    ]
    const refusal = { status: 422, name: 'UnprocessableEntityError', message: 'x', details: { errors } }
    fakeApi({
      ...answers,
      'PUT /api/organisation': () => Response.json({ data: null, error: refusal }, { status: 422 }),
    })
    renderApp(address)
    const input = await typeHours('24')
    await user.click(saveButton())
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
  })

  it('keeps the changes when someone else was faster, and saves them on the present values', async () => {
    let version = 3
    const calls = fakeApi({
      ...answers,
      'GET /api/organisation': () => Response.json({ data: { ...state, version } }),
      'PUT /api/organisation': ({ body }) => {
        if (JSON.stringify(body).includes('"version":8')) return Response.json({ data: { ...state, version: 9 } })
        version = 8
        return errorAnswer(409, 'ConflictError', 'x', 'record.stale')
      },
    })
    renderApp(address)
    await typeHours('24')
    await user.click(saveButton())
    expect((await screen.findByRole('alert')).textContent).toContain('Someone else has changed the settings')
    await user.click(screen.getByRole('button', { name: 'Load the present values' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    await user.click(saveButton())
    await waitFor(() =>
      expect(sentValues(calls)).toMatchObject([
        { data: { version: 3, values: { invite_hours: 24 } } },
        { data: { version: 8, values: { invite_hours: 24 } } },
      ]),
    )
  })

  it('asks before unsaved changes are left', async () => {
    fakeApi(answers)
    const { router } = renderApp(address)
    await typeHours('24')
    void router.navigate({ to: '/app/profile' })
    expect(await screen.findByRole('dialog', { name: 'You have unsaved changes' })).toBeTruthy()
  })
})

describe('the working hours', () => {
  const rowOfHours = () => rowOf('Working hours')
  const times = (day: string) =>
    ['Opens', 'Closes'].map((end) => screen.queryByLabelText<HTMLInputElement>(`${end}: ${day}`)?.value)

  it('are shown for each day, and sent in the shortest form', async () => {
    const calls = fakeApi({ ...answers, 'PUT /api/organisation': { data: state } })
    renderApp(address)
    const row = await rowOfHours()
    expect(times('Monday')).toEqual(['09:00', '18:00'])
    expect(times('Sunday')).toEqual([undefined, undefined])
    await user.click(row.getByRole('switch', { name: 'Saturday' }))
    await user.clear(row.getByLabelText('Opens: Friday'))
    await user.type(row.getByLabelText('Opens: Friday'), '8')
    await user.tab()
    expect(times('Friday')).toEqual(['08:00', '18:00'])
    await user.click(row.getByRole('switch', { name: 'Sunday' }))
    expect(times('Sunday')).toEqual(['09:00', '18:00'])
    await user.click(saveButton())
    const values = { working_hours: '1-4 09:00-18:00, 5 08:00-18:00, 7 09:00-18:00' }
    await waitFor(() => expect(sentValues(calls)).toEqual([{ data: { version: 3, values } }]))
  })

  it('are unchanged when they are typed back', async () => {
    fakeApi(answers)
    renderApp(address)
    const row = await rowOfHours()
    await user.click(row.getByRole('switch', { name: 'Sunday' }))
    expect(screen.getByText('Unsaved changes')).toBeTruthy()
    await user.click(row.getByRole('switch', { name: 'Sunday' }))
    expect(screen.getByText('All changes are saved')).toBeTruthy()
  })

  it('show a wrong time at its day, and are not sent with it', async () => {
    const calls = fakeApi(answers)
    renderApp(address)
    const row = await rowOfHours()
    const end = row.getByLabelText<HTMLInputElement>('Closes: Tuesday')
    await user.clear(end)
    await user.type(end, '08:00')
    await user.click(saveButton())
    await waitFor(() => expect(document.activeElement).toBe(row.getByLabelText('Opens: Tuesday')))
    expect(end.getAttribute('aria-invalid')).toBe('true')
    expect(row.getByLabelText('Closes: Monday').getAttribute('aria-invalid')).toBeNull()
    expect(row.getByText(/the end after the start/)).toBeTruthy()
    expect(sentValues(calls)).toEqual([])
  })

  it('keep one open day', async () => {
    fakeApi({
      ...answers,
      'GET /api/organisation': {
        data: {
          ...state,
          settings: state.settings.map((setting) =>
            setting.key === 'working_hours' ? { ...setting, value: '3 09:00-10:00', source: 'stored' } : setting,
          ),
        },
      },
    })
    renderApp(address)
    const row = await rowOfHours()
    await user.click(row.getByRole('switch', { name: 'Wednesday' }))
    expect(times('Wednesday')).toEqual(['09:00', '10:00'])
    expect(screen.getByText('All changes are saved')).toBeTruthy()
  })
})

describe('the texts of letters', () => {
  it('have several lines, and are sent for the language that was changed', async () => {
    const calls = fakeApi({ ...answers, 'PUT /api/organisation': { data: state } })
    renderApp(address)
    const row = await rowOf('Contacts in emails')
    await user.type(row.getByLabelText('Qaraqalpaqsha'), 'Nókis{Enter}+998 61 222 00 00')
    await user.click(saveButton())
    const contact = { en: null, ru: null, uz: null, kaa: 'Nókis\n+998 61 222 00 00' }
    await waitFor(() =>
      expect(sentValues(calls)).toEqual([{ data: { version: 3, values: { letter_contact: contact } } }]),
    )
  })
})

describe('the logo', () => {
  const logo = { id: 7, name: 'mark.png', url: '/uploads/0123456789abcdef0123456789abcdef.png' }
  const withLogo = (value: OrganisationValue) => ({
    ...state,
    settings: state.settings.map((setting) =>
      setting.key === 'logo'
        ? { ...setting, value, source: value === null ? ('default' as const) : ('stored' as const) }
        : setting,
    ),
  })
  const marks = () => [...document.querySelectorAll('nav img')].map((image) => image.getAttribute('src'))
  beforeEach(() => setLogo(null))

  it('asks for a picture that does not move', async () => {
    fakeApi(answers)
    renderApp(address)
    expect((await rowOf('Logo')).getByText('JPEG, PNG or WebP')).toBeTruthy()
  })

  it('is removed, and leaves the menu at once', async () => {
    const calls = fakeApi({
      ...answers,
      'GET /api/organisation': { data: withLogo(logo) },
      'PUT /api/organisation': { data: withLogo(null) },
    })
    setLogo(logo.url)
    renderApp(address)
    const row = await rowOf('Logo')
    await waitFor(() => expect(marks()).toContain(logo.url))
    await user.click(row.getByRole('button', { name: 'Return to the default: Logo' }))
    await user.click(saveButton())
    await waitFor(() => expect(sentValues(calls)).toEqual([{ data: { version: 3, values: { logo: null } } }]))
    await waitFor(() => expect(marks()).toEqual([]))
  })

  it('shows the mark of the product in place of a picture that cannot be loaded', async () => {
    fakeApi(answers)
    setLogo(logo.url)
    renderApp(address)
    await waitFor(() => expect(marks()).toContain(logo.url))
    for (const image of document.querySelectorAll('nav img')) fireEvent.error(image)
    await waitFor(() => expect(marks()).toEqual([]))
  })

  it('shows why the server refuses a file', async () => {
    const errors = [
      { path: ['logo'], message: 'x', name: 'ValidationError', code: 'validation.filePrivate', params: {} },
    ]
    const refusal = { status: 422, name: 'UnprocessableEntityError', message: 'x', details: { errors } }
    fakeApi({
      ...answers,
      'PUT /api/organisation': () => Response.json({ data: null, error: refusal }, { status: 422 }),
    })
    renderApp(address)
    const row = await rowOf('Logo')
    await typeHours('24')
    await user.click(saveButton())
    expect((await row.findByRole('alert')).textContent).toContain('The file is private')
  })
})
