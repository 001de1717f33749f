/** Sign-in of a browser: by HTTP and local storage, as the panel does, or by the form of the sign-in page. */
import type { Page } from '@playwright/test'

/** Storage keys of packages/panel/src/lib/storage-keys.ts, a file that end-to-end tests must not import. */
const storageKeys = { token: 'token', theme: 'theme' } as const

export interface SignInOptions {
  url: string
  identifier: string
  password: string
  /** Theme with its mode: `dark.blueolympic`, `light.greenmoss`, … */
  theme?: string
  /** Further entries of the page's local storage. */
  stored?: Readonly<Record<string, string>>
}

/** Stores a new token (and a theme) before the first script of the page runs; returns the token. */
export async function openSignedInPage(page: Page, options: SignInOptions): Promise<string> {
  const answer = await page.request.post(`${options.url}/api/auth/local`, {
    data: { identifier: options.identifier, password: options.password },
  })
  const body = (await answer.json()) as { jwt?: string }
  if (!body.jwt) throw new Error(`Sign-in as ${options.identifier} was refused with ${answer.status()}`)
  const theme = options.theme === undefined ? {} : { [storageKeys.theme]: options.theme }
  await openWithToken(page, body.jwt, { ...options.stored, ...theme })
  return body.jwt
}

/** Stores a token and further keys before the first script of the page runs. */
export async function openWithToken(
  page: Page,
  token: string,
  storedSettings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const entries = Object.entries({ [storageKeys.token]: token, ...storedSettings })
  await page.addInitScript((pairs) => {
    // The token is stored once for each tab: a reload must not undo a later sign-out.
    if (sessionStorage.getItem('signed-in-by-test')) return
    for (const [key, value] of pairs) localStorage.setItem(key, value)
    sessionStorage.setItem('signed-in-by-test', 'yes')
  }, entries)
}

/** Name of the field for the user name on the sign-in page. */
export const identifierLabel = 'Имя пользователя или эл. почта'

/** Signs in by the form of the sign-in page. */
export async function fillSignIn(page: Page, account: { identifier: string; password: string }): Promise<void> {
  await page.getByLabel(identifierLabel).fill(account.identifier)
  await page.getByRole('textbox', { name: 'Пароль' }).fill(account.password)
  await page.getByRole('button', { name: 'Войти' }).click()
}
