/** Fixtures of every test: a signed-in page, a new record, a colleague at the API, and the accessibility check. */
import { randomBytes } from 'node:crypto'
import { type APIResponse, test as base, expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { endOfMotion, watchRequests } from './settled.ts'
import { openAs, openWith } from './sign-in.ts'

export type Role = 'owner' | 'super-admin' | 'admin' | 'authenticated' | 'consultant'

interface NewRecord {
  id: number
  attributes: Record<string, unknown>
}

/** How the browser is set up before its first page. */
interface LoginOptions {
  language?: 'en' | 'ru' | 'uz' | 'kaa'
  theme?: string
  /** Another page than the test's own, e.g. of a second browser. */
  page?: Page
}

export interface TestFixtures {
  /** Signs the page in as the account of that role; returns the token. */
  login: (role: Role, options?: LoginOptions) => Promise<string>
  /** Signs the page in as the owner, with the session of the worker: for tests that do not end it. */
  loginAsOwner: () => Promise<void>
  /** Creates a record as the owner, e.g. `newRecord('tags', { name: 'Irrigation' })`. */
  newRecord: (resource: string, data: Record<string, unknown>, locale?: string) => Promise<NewRecord>
  /** Calls the API as the owner on another computer; fails the test when the call is refused. */
  colleague: <T = { data: NewRecord }>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    data?: object,
  ) => Promise<T>
  /** Script errors and refusals by the content policy; every test ends without any. */
  complaints: string[]
}

interface WorkerFixtures {
  ownerToken: string
}

/** The server that global-setup.ts started. */
export function serverUrl(): string {
  const url = process.env['JOURNEY_URL']
  if (url === undefined) throw new Error('The end-to-end tests have no server: run them with npm run e2e.')
  return url
}

/** User names of the demo content (packages/server/src/seed/accounts.ts). */
const usernames: Readonly<Record<Role, string>> = {
  owner: 'owner',
  'super-admin': 'super-admin',
  admin: 'admin',
  authenticated: 'user',
  consultant: 'gulshat-m',
}

export function accountOf(role: Role): { identifier: string; password: string } {
  return { identifier: `${usernames[role]}@example.org`, password: process.env['JOURNEY_PASSWORD'] ?? '' }
}

/** Tokens of the last sessions of this worker, by role. */
const tokens = new Map<Role, string>()

/** Whether the session of a token is still valid. */
async function isLive(page: Page, token: string): Promise<boolean> {
  const answer = await page.request.get(`${serverUrl()}/api/users/me`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return answer.ok()
}

/** A name that no other test uses; letters only, so that it reads and searches like a word. */
export function unique(name: string): string {
  const letters = [...randomBytes(7)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
  return `${name} ${letters}`
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  ownerToken: [
    async ({ playwright }, provide) => {
      const request = await playwright.request.newContext()
      const answer = await request.post(`${serverUrl()}/api/auth/local`, { data: accountOf('owner') })
      await provide(((await answer.json()) as { jwt: string }).jwt)
      await request.dispose()
    },
    { scope: 'worker' },
  ],
  login: async ({ page }, provide) => {
    await provide(async (role, { page: other = page, language, theme } = {}) => {
      const stored = {
        ...(language !== undefined && { 'current-language': language }),
        ...(theme !== undefined && { theme }),
      }
      const former = tokens.get(role)
      // A session serves the next test of the worker too, unless the last one has ended it.
      if (former !== undefined && (await isLive(other, former))) {
        await openWith(other, former, stored)
        return former
      }
      const token = await openAs(other, { url: serverUrl(), ...accountOf(role), stored })
      tokens.set(role, token)
      return token
    })
  },
  loginAsOwner: async ({ page, ownerToken }, provide) => {
    await provide(() => openWith(page, ownerToken))
  },
  colleague: async ({ request, ownerToken }, provide) => {
    await provide(async <T>(method: string, path: string, data?: object) => {
      const answer: APIResponse = await request.fetch(`/api${path}`, {
        method,
        headers: { authorization: `Bearer ${ownerToken}` },
        ...(data && { data }),
      })
      expect(answer.ok(), await answer.text()).toBe(true)
      return (await answer.json()) as T
    })
  },
  newRecord: async ({ colleague }, provide) => {
    await provide(async (resource, data, locale = 'ru') => {
      return (await colleague('POST', `/${resource}?locale=${locale}`, { data })).data
    })
  },
  complaints: [
    async ({ page }, provide) => {
      watchRequests(page)
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
      page.on('console', (message) => {
        // The browser logs every answer that is not 2xx; tests that ask for one check the message of the panel.
        const text = message.text()
        // It also logs a socket that cannot connect while a test has cut the connection.
        const isLoggedByBrowser =
          text.startsWith('Failed to load resource') || text.includes('net::ERR_INTERNET_DISCONNECTED')
        if (message.type() === 'error' && !isLoggedByBrowser) complaints.push(`console: ${text}`)
      })
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          // As a console error it reaches the listener above.
          console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`)
        })
      })
      await provide(complaints)
      // The next test of the worker uses the same context: a failed test may have left it offline.
      await page.context().setOffline(false)
      await page.context().clearPermissions()
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** WCAG 2.0 to 2.2, levels A and AA. */
const everyRule: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}
/** The rules of those levels whose outcome colours, the language or the length of texts can change. */
const rulesOfAppearance: axe.RunOnly = {
  type: 'rule',
  values: [
    'color-contrast',
    'html-has-lang',
    'html-lang-valid',
    'link-in-text-block',
    'scrollable-region-focusable',
    'target-size',
    'valid-lang',
  ],
}

/** The rules whose outcome only colours can change. */
const rulesOfColours: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * No violation of the rules on what the page shows now.
 * `searching`: a search box with its list is open. It hides the rest of the page from assistive technology without
 * making it inert, because leaving the box closes the list first: nothing hidden is ever reached by the focus.
 * `repainted`: the same content was checked by every rule in another theme or language.
 * `recoloured`: the same content was checked by every rule in another theme.
 */
export async function expectAccessible(page: Page, state?: 'searching' | 'repainted' | 'recoloured'): Promise<void> {
  // Rows and figures of the previous query are shown with less contrast until the new answer arrives.
  await expect(page.locator('.opacity-60')).toHaveCount(0)
  await endOfMotion(page)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    runOnly: state === 'repainted' ? rulesOfAppearance : state === 'recoloured' ? rulesOfColours : everyRule,
    // The only rule that reads style sheets is not among these levels.
    preload: false,
    ...(state === 'searching' && { rules: { 'aria-hidden-focus': { enabled: false } } }),
  }
  // A selector for each checked element takes a quarter of the time: they are made for violations only.
  const isClean = (await runAxe(page, { ...options, selectors: false })).violations.length === 0
  const { violations } = isClean ? { violations: [] } : await runAxe(page, options)
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    places: nodes.filter((node) => !isHalfUnderBar(node)).map((node) => node.target.join(' ')),
  }))
  expect(found.filter(({ places }) => places.length > 0)).toEqual([])
}

/** Rows repeat the same parts: the first five of a table or a list are checked. */
const furtherRows = ['tbody > tr:nth-of-type(n + 6)', '[data-row]:nth-of-type(n + 6)']

/** Loads the checker into a document once: parsing its half a megabyte takes longer than a check. */
async function runAxe(page: Page, options: axe.RunOptions): Promise<axe.AxeResults> {
  const context = JSON.stringify({ exclude: furtherRows.map((row) => [row]) })
  const run = `axe.run(${context}, ${JSON.stringify(options)})`
  // One call in most cases: a page without further frames that was checked before.
  if (page.frames().length === 1) {
    const results = await page.evaluate<axe.AxeResults | null>(`typeof axe === 'undefined' ? null : ${run}`)
    if (results) return results
  }
  for (const frame of page.frames()) {
    if ((await frame.evaluate('typeof axe')) === 'undefined') await frame.evaluate(axe.source)
  }
  return await page.evaluate<axe.AxeResults>(run)
}

/** Whether a target is too small only because a bar at the edge of the window covers a part of it: it scrolls. */
function isHalfUnderBar({ any }: { any: readonly { id: string; data: unknown }[] }): boolean {
  return any.some(({ id, data }) => id === 'target-size' && JSON.stringify(data).includes('"partiallyObscured"'))
}

export { expect }
