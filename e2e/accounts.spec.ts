/**
 * Accounts from the first email to the last session: registration, the second step, a forgotten password, an
 * invitation.
 */
import type { Browser, Locator, Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { expect, expectAccessible, serverUrl, test, makeUniqueName } from './fixtures.ts'
import { readLetterOf, pageOf } from './outbox.ts'
import { expectSettledPage } from './settled.ts'
import { expectAccessibleInBothThemes, expectOverlayAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

interface Account {
  username: string
  email: string
  password: string
}

function newAccount(): Account {
  const username = makeUniqueName('grower').replace(' ', '-')
  return { username, email: `${username}@example.org`, password: 'Barley-77-x' }
}

const password = (page: Page | Locator, label = t('field.password')) =>
  page.getByRole('textbox', { name: label, exact: true })

async function signIn(page: Page, { username, password: secret }: Account): Promise<void> {
  await page.goto('/user/login')
  await page.getByLabel(t('field.identifier')).fill(username)
  await password(page).fill(secret)
  await page.getByRole('button', { name: t('auth.login.submit') }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Учётная запись/ }).click()
  await page.getByRole('menuitem', { name: t('nav.signOut') }).click()
  await expect(page).toHaveURL(/\/user\/login/)
}

async function fillRegistration(page: Page, account: Account): Promise<void> {
  await page.getByLabel(t('field.username')).fill(account.username)
  await page.getByLabel(t('field.email')).fill(account.email)
  await password(page).fill(account.password)
  await page.getByRole('button', { name: t('auth.register.submit') }).click()
}

async function registerAccount(page: Page, account: Account): Promise<void> {
  await page.goto('/user/register')
  await fillRegistration(page, account)
  await expect(page).toHaveURL(/\/app\//)
}

/** Returns the status with which the API answers `/users/me` for a token. */
async function statusOf(page: Page, token: string | null): Promise<number> {
  return (await page.request.get('/api/users/me', { headers: { authorization: `Bearer ${token}` } })).status()
}
const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

/** Opens another browser, without any state of the first one. */
const openOtherBrowser = async (browser: Browser) => (await browser.newContext({ baseURL: serverUrl() })).newPage()

/** Opens the security page from the account's menu. */
async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Учётная запись/ }).click()
  await page.getByRole('menuitem', { name: t('nav.security') }).click()
  await expect(page.getByRole('heading', { name: t('nav.security'), level: 1 })).toBeVisible()
}

/**
 * Sets up the second step of sign-in with the keyboard and the visible text alone.
 *
 * @returns The secret of the authenticator app, and the recovery codes.
 */
async function turnTwoStepOn(page: Page, account: Account): Promise<{ app: TOTP; recovery: string[] }> {
  await page.getByRole('button', { name: t('account.twoStep.setUp') }).click()
  await expectAccessibleInBothThemes(page)
  await password(page.getByRole('region', { name: t('account.twoStep') }), t('field.currentPassword')).fill(
    account.password,
  )
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: t('account.twoStep.qr') })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const secretText = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '')
  const codes = page.getByRole('list', { name: t('account.recovery.title') }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recoveryCodes = await codes.allInnerTexts()
  const app = new TOTP({ secret: secretText })
  await page.getByLabel(t('auth.twoStep.code')).fill(app.generate())
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('account.recovery.missing'))).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('checkbox', { name: t('account.recovery.kept') }).check()
  await page.getByRole('button', { name: t('account.twoStep.turnOn'), exact: true }).click()
  await expect(page.getByText(t('account.twoStep.turnedOn')).first()).toBeVisible()
  await expectAccessibleInBothThemes(page)
  return { app, recovery: recoveryCodes }
}

/** Presses the button on the page behind the link of an email. */
async function confirmEmail(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('auth.confirmEmail.submit') }).click()
  await expect(page.getByText(t('auth.confirmEmail.done'))).toBeVisible()
}

test('registers an account, confirms the email, turns the second step on and signs in with a recovery code', async ({
  page,
}) => {
  const account = newAccount()
  await page.goto('/user/login')
  await page.getByRole('link', { name: t('auth.register.submit') }).click()
  await expect(page.getByRole('heading', { name: t('auth.register.title') })).toBeVisible()
  await fillRegistration(page, { ...account, password: 'abc' })
  await expect(page.getByText(t('validation.passwordLength', { min: '4', max: '16' }))).toBeVisible()
  await expectAccessible(page)
  await fillRegistration(page, account)
  await expect(page).toHaveURL(/\/app\//)
  await expect(page.getByRole('button', { name: `Учётная запись: ${account.username}` })).toBeVisible()
  const letter = await readLetterOf(account.email, t('mail.welcome.subject'))
  expect(letter.text).not.toContain(account.username)
  await signOut(page)
  // The page behind the email's link is checked before its button is pressed in accessible.spec.ts.
  await page.goto(pageOf(letter))
  await confirmEmail(page)
  await expectAccessibleInBothThemes(page)

  await signIn(page, account)
  await expect(page).toHaveURL(/\/app\//)
  await openSecurity(page)
  await expectAccessible(page)
  const { recovery } = await turnTwoStepOn(page, account)
  await signOut(page)

  await signIn(page, account)
  const code = page.getByLabel(t('auth.twoStep.code'))
  await expect(code).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible()
  // Recovery codes are accepted in any form: people leave the hyphens out.
  await code.fill((recovery[3] ?? '').replaceAll('-', ' '))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/app\//)
  await openSecurity(page)
  await expect(page.getByText('9', { exact: true })).toBeVisible()
})

test('changes the email address of an account once the confirming link is used, in any browser', async ({
  page,
  browser,
}) => {
  const account = newAccount()
  await registerAccount(page, account)
  await openSecurity(page)
  const emailSection = page.getByRole('region', { name: t('field.email'), exact: true })
  await expect(emailSection.getByText(t('account.email.unconfirmed', { email: account.email }))).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const freshEmail = `fresh-${account.email}`
  await emailSection.getByLabel(t('account.email.new')).fill(freshEmail)
  await password(emailSection, t('field.currentPassword')).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(emailSection.getByText(t('account.email.pending', { email: freshEmail }))).toBeVisible()
  await expectSettledPage(page)
  await expectAccessibleInBothThemes(page)
  const link = pageOf(await readLetterOf(freshEmail, t('mail.confirmEmail.subject')))

  const secondPage = await openOtherBrowser(browser)
  await secondPage.goto(link)
  await confirmEmail(secondPage)
  await readLetterOf(account.email, t('mail.emailChanged.subject'))
  await page.reload()
  await expect(emailSection.getByText(t('account.email.text', { email: freshEmail }))).toBeVisible()
  await expect(emailSection.getByRole('button', { name: t('account.email.resend') })).toHaveCount(0)

  // The link of the confirmation email works only once.
  await page.goto(link)
  await page.getByRole('button', { name: t('auth.confirmEmail.submit') }).click()
  await expect(page.getByRole('alert').filter({ hasText: t('auth.confirmEmail.expired') })).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

test('ends the old session when a forgotten password is replaced', async ({ page, browser }) => {
  const account = newAccount()
  await registerAccount(page, account)
  const formerToken = await readToken(page)
  expect(await statusOf(page, formerToken)).toBe(200)

  const secondPage = await openOtherBrowser(browser)
  await secondPage.goto('/user/login')
  await secondPage.getByRole('link', { name: t('auth.login.forgot') }).click()
  await secondPage.getByLabel(t('field.email'), { exact: true }).fill(account.email)
  await secondPage.getByRole('button', { name: t('auth.forgot.submit') }).click()
  await expect(secondPage.getByText(account.email, { exact: false })).toBeVisible()
  await expectAccessible(secondPage)
  const link = pageOf(await readLetterOf(account.email, t('mail.reset.subject')))
  await secondPage.goto(link)
  await password(secondPage, t('field.newPassword')).fill('Melon-2027-y')
  await password(secondPage, t('field.passwordConfirm')).fill('Melon-2027-y')
  await secondPage.getByRole('button', { name: t('auth.reset.submit') }).click()
  await expect(secondPage).toHaveURL(/\/app\//)
  expect(await statusOf(page, formerToken)).toBe(401)
  await page.reload()
  await expect(page).toHaveURL(/\/user\/login/)
  await readLetterOf(account.email, t('mail.passwordChanged.subject'))

  // The link of the password email works only once.
  const thirdContext = await openOtherBrowser(browser)
  await thirdContext.goto(link)
  await password(thirdContext, t('field.newPassword')).fill('Wheat-2028-z')
  await password(thirdContext, t('field.passwordConfirm')).fill('Wheat-2028-z')
  await thirdContext.getByRole('button', { name: t('auth.reset.submit') }).click()
  await expect(thirdContext.getByRole('alert').filter({ hasText: t('auth.reset.expired') })).toBeVisible()
  await expectAccessible(thirdContext)
})

test('lets invited staff choose their password by email and sign in', async ({ page, login, browser }) => {
  const { email } = newAccount()
  await login('owner')
  await page.goto('/app/people/staff')
  await page.getByRole('button', { name: t('people.invite') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('field.email')).fill('no address')
  await dialog.getByRole('button', { name: t('account.invite.send') }).click()
  await expect(dialog.getByText(t('validation.emailInvalid'))).toBeVisible()
  await expectOverlayAccessibleInBothThemes(page)
  await dialog.getByLabel(t('field.email')).fill(email)
  await dialog.getByRole('button', { name: t('account.invite.send') }).click()
  await expect(page.getByText(t('account.invite.sent', { email }))).toBeVisible()

  const guestPage = await openOtherBrowser(browser)
  await guestPage.goto(pageOf(await readLetterOf(email, t('mail.invite.subject'))))
  await expect(guestPage.getByRole('heading', { name: t('account.invited.title') })).toBeVisible()
  await password(guestPage, t('field.newPassword')).fill('Orchard-88-q')
  await password(guestPage, t('field.passwordConfirm')).fill('Orchard-88-q')
  await guestPage.getByRole('button', { name: t('account.invited.submit') }).click()
  await expect(guestPage).toHaveURL(/\/app\//)
  await guestPage.goto('/app/people/users')
  await expect(guestPage.getByRole('heading', { name: t('users.many') })).toBeVisible()
})

test('ends an unknown session from another session of the user', async ({ page, browser }) => {
  const account = newAccount()
  await registerAccount(page, account)
  const secondPage = await openOtherBrowser(browser)
  await signIn(secondPage, account)
  await expect(secondPage).toHaveURL(/\/app\//)
  const otherToken = await readToken(secondPage)
  await openSecurity(page)
  await page.getByRole('button', { name: /^Завершить: / }).click()
  await expect.poll(() => statusOf(page, otherToken)).toBe(401)
  expect(await statusOf(page, await readToken(page))).toBe(200)
  await expect(page.getByRole('button', { name: /^Завершить: / })).toHaveCount(0)
  // The other browser opens the sign-in page without an action of its user.
  await expect(secondPage).toHaveURL(/\/user\/login/)
})

test('blocks a consultant with a reason and gives their open work to somebody else', async ({
  page,
  login,
  colleague,
}) => {
  const { username, email } = newAccount()
  const draft = { username, email, password: 'Barley-77-x', name: username, is_consultant: true }
  const { id } = await colleague<{ id: number }>('POST', '/users', draft)
  const customer = await colleague<{ id: number }[]>('GET', '/users?filters[username]=user')
  const question = await colleague('POST', '/consultations', {
    data: { question: makeUniqueName('Когда сеять'), user: customer[0]?.id, consultant: id },
  })
  await login('owner')
  await page.goto(`/app/consultants/${id}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: t('action.block'), exact: true }).click()
  await expect(dialog.getByText(/1 консультация/)).toBeVisible()
  await dialog.getByRole('button', { name: t('action.block'), exact: true }).click()
  await expect(dialog.getByText(t('validation.reason'))).toBeVisible()
  await expectOverlayAccessibleInBothThemes(page)
  await dialog.getByRole('textbox', { name: t('field.reason') }).fill('Ушёл из компании')
  await dialog.getByRole('button', { name: t('action.block'), exact: true }).click()
  await expect(dialog.getByText(t('account.block.chooseTaker'))).toBeVisible()
  await dialog.getByRole('combobox', { name: t('account.block.to') }).click()
  await page.getByRole('option', { name: t('account.block.queue') }).click()
  await dialog.getByRole('button', { name: t('action.block'), exact: true }).click()
  await expect(page.getByText(t('people.blocked.done'))).toBeVisible()
  await expect(page.locator('#main').getByText('Ушёл из компании')).toBeVisible()
  const freeQuestion = await colleague<{ data: { attributes: { consultant: { data: unknown } } } }>(
    'GET',
    `/consultations/${question.data.id}?populate=consultant`,
  )
  expect(freeQuestion.data.attributes.consultant.data).toBeNull()
  const lines = await colleague<{ data: { id: number }[] }>(
    'GET',
    '/audit?filters[action]=user.block&sort=id:desc&pagination[pageSize]=1',
  )
  await page.goto(`/app/audit/${lines.data[0]?.id}`)
  await expect(page.getByText('Ушёл из компании').first()).toBeVisible()
  await expectAccessible(page)
})
