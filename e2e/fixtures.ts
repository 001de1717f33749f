/**
 * Fixtures of every test: a signed-in page, a new record, a colleague at the API, and the accessibility
 * check.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type APIResponse, test as base, type ConsoleMessage, expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { waitForMotionEnd, watchRequests } from './settled.ts'
import { openSignedInPage, openWithToken } from './sign-in.ts'

export type Role = 'owner' | 'super-admin' | 'admin' | 'authenticated' | 'consultant'

interface NewRecord {
  id: number
  attributes: Record<string, unknown>
}

/** Settings of a test's browser before its first page: language, theme, and page. */
interface LoginOptions {
  language?: 'en' | 'ru' | 'uz' | 'kaa'
  theme?: string
  /** Page to sign in when it is not the test's own, e.g. a page of a second browser. */
  page?: Page
}

export interface TestFixtures {
  /** Signs the page in as the account of that role; returns the token. */
  login: (role: Role, options?: LoginOptions) => Promise<string>
  /** Signs the page in as the owner, with the worker's session; for tests that do not sign out. */
  loginAsOwner: () => Promise<void>
  /** Creates a record as the owner, e.g. `newRecord('tags', { name: 'Irrigation' })`. */
  newRecord: (resource: string, data: Record<string, unknown>, locale?: string) => Promise<NewRecord>
  /** Calls the API as the owner on another computer; fails the test when the server refuses the call. */
  colleague: <T = { data: NewRecord }>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    data?: object,
  ) => Promise<T>
  /** Script errors and violations of the content policy in the page; every test ends without any. */
  pageComplaints: string[]
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

/** Whether the server still accepts the session of a token. */
async function isSessionLive(page: Page, token: string): Promise<boolean> {
  const answer = await page.request.get(`${serverUrl()}/api/users/me`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return answer.ok()
}

/** A name that no other test uses; letters only, so that it reads and searches like a word. */
export function makeUniqueName(name: string): string {
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
    await provide(async (role, { page: targetPage = page, language, theme } = {}) => {
      const storedSettings = {
        ...(language !== undefined && { 'current-language': language }),
        ...(theme !== undefined && { theme }),
      }
      const formerToken = tokens.get(role)
      // A session also serves the next test of the worker, unless the last test has ended it.
      if (formerToken !== undefined && (await isSessionLive(targetPage, formerToken))) {
        await openWithToken(targetPage, formerToken, storedSettings)
        return formerToken
      }
      const token = await openSignedInPage(targetPage, { url: serverUrl(), ...accountOf(role), stored: storedSettings })
      tokens.set(role, token)
      return token
    })
  },
  loginAsOwner: async ({ page, ownerToken }, provide) => {
    await provide(() => openWithToken(page, ownerToken))
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
  pageComplaints: [
    async ({ page }, provide) => {
      watchRequests(page)
      const pageComplaints: string[] = []
      const addError = (error: Error) => void pageComplaints.push(`error: ${error.message}`)
      const addMessage = (message: ConsoleMessage) => {
        // The browser logs every answer that is not 2xx; tests that ask for one check the message of the
        // panel.
        const text = message.text()
        // The browser also logs a socket that cannot connect while a test has cut the connection.
        const isLoggedByBrowser =
          text.startsWith('Failed to load resource') || text.includes('net::ERR_INTERNET_DISCONNECTED')
        if (message.type() === 'error' && !isLoggedByBrowser) pageComplaints.push(`console: ${text}`)
      }
      page.on('pageerror', addError)
      page.on('console', addMessage)
      const listener = await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          // A violation of the content policy becomes a console error, which the listener of console messages
          // collects.
          console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`)
        })
      })
      await provide(pageComplaints)
      // The next test of the worker uses the same browser context, which a failed test may have left offline.
      await page.context().setOffline(false)
      await page.context().clearPermissions()
      // A page that stays open for the next test has that test's listeners.
      page.off('pageerror', addError)
      page.off('console', addMessage)
      await listener.dispose()
      expect(pageComplaints).toEqual([])
    },
    { auto: true },
  ],
})

/** WCAG 2.0 to 2.2, levels A and AA. */
const allRules: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}
/** The accessibility rules whose outcome colours, the language or the length of texts can change. */
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

/** Accessibility rules whose outcome only colours can change. */
const rulesOfColours: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

type CheckedState = 'searching' | 'repainted' | 'recoloured'

/**
 * Expects that what the page shows now violates no accessibility rule.
 * `searching`: a search box with its list is open. It hides the rest of the page from assistive technology without
 * making it inert, because leaving the box closes the list first: nothing hidden is ever reached by the focus.
 * `repainted`: the same content was checked by every rule in another theme or language.
 * `recoloured`: the same content was checked by every rule in another theme.
 */
export async function expectAccessible(page: Page, state?: CheckedState): Promise<void> {
  await expectNoViolations(page, furtherRowSelectors, state)
}

/**
 * Expects that an open dialog or list, and whatever else lies over the page, violates no accessibility rule. The page
 * behind was checked before. A page without an open dialog or list is checked as a whole.
 */
export async function expectOverlayAccessible(page: Page, state?: CheckedState): Promise<void> {
  await expectNoViolations(page, [...furtherRowSelectors, coveredPageSelector], state)
}

async function expectNoViolations(
  page: Page,
  excludedSelectors: readonly string[],
  state?: CheckedState,
): Promise<void> {
  // Rows and figures of the previous query are shown with less contrast until the new answer arrives.
  await expect(page.locator('.opacity-60')).toHaveCount(0)
  await waitForMotionEnd(page)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    runOnly: state === 'repainted' ? rulesOfAppearance : state === 'recoloured' ? rulesOfColours : allRules,
    // The only accessibility rule that reads style sheets is not among the checked levels.
    preload: false,
    ...(state === 'searching' && { rules: { 'aria-hidden-focus': { enabled: false } } }),
  }
  // Selectors cost a quarter of the time of a check, so they are made for violations only.
  const isClean = (await runAxe(page, excludedSelectors, { ...options, selectors: false })).violations.length === 0
  const { violations } = isClean ? { violations: [] } : await runAxe(page, excludedSelectors, options)
  const foundViolations = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    places: nodes.filter((node) => !isHalfHiddenByBar(node)).map((node) => node.target.join(' ')),
  }))
  expect(foundViolations.filter(({ places }) => places.length > 0)).toEqual([])
}

/** Selectors of table and list rows after the fifth, which repeat the checked parts of the first five. */
const furtherRowSelectors = ['tbody > tr:nth-of-type(n + 6)', '[data-row]:nth-of-type(n + 6)']

/** The page behind an open dialog or list, as the library of components marks it. */
const coveredPageSelector = '#root[data-base-ui-inert]'

/** The accessibility checker without comments and blanks: less than half of the full source to load into a page. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Loads the accessibility checker into a document once: parsing its half a megabyte takes longer than a check. */
async function runAxe(
  page: Page,
  excludedSelectors: readonly string[],
  options: axe.RunOptions,
): Promise<axe.AxeResults> {
  const context = JSON.stringify({ exclude: excludedSelectors.map((selector) => [selector]) })
  const run = `axe.run(${context}, ${JSON.stringify(options)})`
  // A page without further frames that was checked before needs only one call.
  if (page.frames().length === 1) {
    const results = await page.evaluate<axe.AxeResults | null>(`typeof axe === 'undefined' ? null : ${run}`)
    if (results) return results
  }
  for (const frame of page.frames()) {
    if ((await frame.evaluate('typeof axe')) === 'undefined') await frame.evaluate(axeSource)
  }
  return await page.evaluate<axe.AxeResults>(run)
}

/**
 * Whether a touch target is too small only because a bar at the window's edge covers a part of it: the page
 * scrolls.
 */
function isHalfHiddenByBar({ any }: { any: readonly { id: string; data: unknown }[] }): boolean {
  return any.some(({ id, data }) => id === 'target-size' && JSON.stringify(data).includes('"partiallyObscured"'))
}

export { expect }
