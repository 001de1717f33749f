/**
 * Accounts and permissions without a mouse: the second step, sessions, blocking, comparing roles; the focus
 * is never lost.
 */
import { TOTP } from 'otpauth'
import { expect, serverUrl, test, makeUniqueName } from './fixtures.ts'
import { openSignedInPage } from './sign-in.ts'
import { tabToTarget } from './tab-to.ts'
import { t } from './messages.ts'

const secretText = 'Barley-77-x'

function newAccount(otherFields: object = {}) {
  const username = makeUniqueName('grower').replace(' ', '-')
  return { username, email: `${username}@example.org`, password: secretText, name: username, ...otherFields }
}

test('sets up, renews and uses the second step to sign in, with the keyboard alone', async ({ page, colleague }) => {
  const account = newAccount()
  await colleague('POST', '/users', account)
  await openSignedInPage(page, { url: serverUrl(), identifier: account.username, password: secretText })
  await page.goto('/app/profile/security')
  const twoStepSection = page.getByRole('region', { name: t('account.twoStep') })
  await tabToTarget(page, twoStepSection.getByRole('button', { name: t('account.twoStep.setUp') }))
  await page.keyboard.press('Enter')
  await expect(twoStepSection.getByRole('textbox', { name: t('field.currentPassword') })).toBeFocused()
  await page.keyboard.type(secretText)
  await page.keyboard.press('Enter')
  await expect(twoStepSection.getByRole('heading', { name: t('account.twoStep.scan') })).toBeFocused()
  const key = (await twoStepSection.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '')
  const codes = twoStepSection.getByRole('list', { name: t('account.recovery.title') }).getByRole('listitem')
  const [recovery = ''] = await codes.allInnerTexts()
  const app = new TOTP({ secret: key })
  const code = twoStepSection.getByRole('textbox', { name: t('auth.twoStep.code') })
  await tabToTarget(page, code)
  await page.keyboard.type(app.generate())
  await page.keyboard.press('Enter')
  // The form focuses the checkbox until the user confirms that the recovery codes are stored.
  const savedCheckbox = twoStepSection.getByRole('checkbox', { name: t('account.recovery.kept') })
  await expect(savedCheckbox).toBeFocused()
  await expect(savedCheckbox).toHaveAccessibleDescription(t('account.recovery.missing'))
  await page.keyboard.press('Space')
  await tabToTarget(page, code)
  await page.keyboard.press('Enter')
  const renewButton = twoStepSection.getByRole('button', { name: t('account.recovery.renew') })
  await expect(renewButton).toBeFocused()

  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('account.recovery.renew') })
  await expect(dialog.getByRole('textbox', { name: t('field.currentPassword') })).toBeFocused()
  await page.keyboard.type(secretText)
  await tabToTarget(page, dialog.getByRole('textbox', { name: t('auth.twoStep.code') }))
  await page.keyboard.type(recovery)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('list', { name: t('account.recovery.title') })).toBeFocused()
  await tabToTarget(page, dialog.getByRole('checkbox', { name: t('account.recovery.kept') }))
  await page.keyboard.press('Space')
  await tabToTarget(page, dialog.getByRole('button', { name: t('action.ok') }))
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(renewButton).toBeFocused()

  await tabToTarget(page, page.getByRole('button', { name: /^Учётная запись/ }), 'back')
  await page.keyboard.press('Enter')
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: t('nav.signOut') })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/user\/login/)
  await expect(page.getByRole('main')).toBeFocused()
  await tabToTarget(page, page.getByRole('textbox', { name: t('field.identifier') }))
  await page.keyboard.type(account.username)
  await tabToTarget(page, page.getByRole('textbox', { name: t('field.password'), exact: true }))
  await page.keyboard.type(secretText)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: t('auth.twoStep.code') })).toBeFocused()
  // The authenticator code of the current half minute is used up: the next code is already accepted.
  await page.keyboard.type(app.generate({ timestamp: Date.now() + 30_000 }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/app\//)
  await expect(page.getByRole('main')).toBeFocused()
})

test('ends one session, then all others, with the keyboard alone', async ({ page, colleague }) => {
  const account = newAccount()
  await colleague('POST', '/users', account)
  const data = { identifier: account.username, password: secretText }
  for (let session = 0; session < 3; session++) await page.request.post('/api/auth/local', { data })
  await openSignedInPage(page, { url: serverUrl(), ...data })
  await page.goto('/app/profile/security')
  const endButtons = page.getByRole('button', { name: /^Завершить: / })
  await expect(endButtons).toHaveCount(3)
  await tabToTarget(page, endButtons.first())
  await page.keyboard.press('Enter')
  await expect(endButtons).toHaveCount(2)
  const list = page.getByRole('list', { name: t('account.sessions') })
  await expect(list).toBeFocused()
  await tabToTarget(page, page.getByRole('button', { name: t('account.sessions.endOthers') }))
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: t('account.sessions.endOthersTitle') })
  await expect(question.getByRole('button', { name: t('action.cancel') })).toBeFocused()
  await tabToTarget(page, question.getByRole('button', { name: t('account.sessions.endOthers') }))
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(endButtons).toHaveCount(0)
  await expect(list).toBeFocused()
})

test('blocks a consultant and gives their open question to a colleague found by name, with the keyboard alone', async ({
  page,
  login,
  colleague,
}) => {
  const consultant = { is_consultant: true, active: true }
  const { id } = await colleague<{ id: number }>('POST', '/users', newAccount(consultant))
  const takerAccount = newAccount(consultant)
  const taker = await colleague<{ id: number }>('POST', '/users', takerAccount)
  const asker = await colleague<{ id: number }>('POST', '/users', newAccount())
  const question = await colleague('POST', '/consultations', {
    data: { question: makeUniqueName('Когда сеять'), user: asker.id, consultant: id },
  })
  await login('owner')
  await page.goto(`/app/consultants/${id}`)
  const block = page.getByRole('main').getByRole('button', { name: t('action.block'), exact: true })
  await tabToTarget(page, block)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('dialog.blockUser.title') })
  await expect(dialog.getByRole('textbox', { name: t('field.reason') })).toBeFocused()
  await page.keyboard.type('Ушёл из компании')
  const confirm = dialog.getByRole('button', { name: t('action.block'), exact: true })
  await tabToTarget(page, confirm)
  await page.keyboard.press('Enter')
  const takerField = dialog.getByRole('combobox', { name: t('account.block.to') })
  await expect(takerField).toBeFocused()
  await page.keyboard.type(takerAccount.username)
  await expect(page.getByRole('option')).toHaveText([new RegExp(takerAccount.username)])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(takerField).toHaveValue(takerAccount.username)
  await expect(takerField).toBeFocused()
  await tabToTarget(page, confirm)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: t('action.unblock'), exact: true })).toBeFocused()
  const movedQuestion = await colleague<{ data: { attributes: { consultant: { data: { id: number } } } } }>(
    'GET',
    `/consultations/${question.data.id}?populate=consultant`,
  )
  expect(movedQuestion.data.attributes.consultant.data.id).toBe(taker.id)
})

test('compares two roles, reads a limit, and views the panel as another role with the keyboard alone', async ({
  page,
  login,
}) => {
  await login('owner')
  await page.goto('/app/permissions')
  const table = page.getByRole('table')
  const choose = async (name: string, option: string) => {
    const box = page.getByRole('combobox', { name })
    await tabToTarget(page, box)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listbox')).toBeVisible()
    const choice = page.getByRole('option', { name: option, exact: true })
    await expect(async () => {
      await page.keyboard.press('ArrowDown')
      await expect(choice).toBeFocused({ timeout: 200 })
    }).toPass({ intervals: [20] })
    await page.keyboard.press('Enter')
    await expect(box).toBeFocused()
  }
  await choose(t('permissions.compare'), t('role.consultant'))
  await choose(t('permissions.compareWith'), t('roles.values.type.authenticated'))
  const assignedButtons = table.getByRole('button', { name: /порученные себе/ }).first()
  await expect(assignedButtons).toBeVisible()
  const formerRowCount = await table.getByRole('row').count()
  await tabToTarget(page, page.getByRole('switch', { name: t('permissions.onlyDifferences') }))
  await page.keyboard.press('Space')
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(formerRowCount)
  await tabToTarget(page, assignedButtons)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('порученные себе')
  await page.keyboard.press('Escape')
  await expect(assignedButtons).toBeFocused()

  await tabToTarget(page, page.getByRole('button', { name: 'Смотреть как: Администратор' }), 'back')
  await page.keyboard.press('Enter')
  const stopButton = page.getByRole('button', { name: t('app.viewingStop') })
  await expect(stopButton).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await tabToTarget(page, stopButton, 'back')
  await page.keyboard.press('Enter')
  await expect(stopButton).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})
