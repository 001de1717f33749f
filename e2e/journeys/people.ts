/** Consultants, users and staff: an account with its own name and password, blocked and unblocked. */
import { findField } from '../fill-form.ts'
import { expect, expectAccessible, expectOverlayAccessible, makeUniqueName } from '../fixtures.ts'
import {
  expectAccessibleInBothAppearances,
  expectAccessibleInBothThemes,
  expectEmptyRefused,
  openForm,
  openList,
  openNewForm,
  openRecord,
  type ScreenWalk,
  walkWholeScreen,
} from '../walk.ts'
import { t } from '../messages.ts'

/** Values for the form of a new account, whose role is already filled in. */
function account(name: string): Record<string, string | null> {
  const username = makeUniqueName('grower').replace(' ', '-')
  const quietHours = { quiet_from: '22:00', quiet_to: '07:00' }
  const accountFields = { username, email: `${username}@example.org`, password: 'abcd-5671', role: null }
  return { ...accountFields, ...quietHours, name, surname: 'Проверкин' }
}

/** Blocks and unblocks an account with a reason, shows its sessions, and resets its password. */
async function blockAndUnblockAccount({ page }: ScreenWalk): Promise<void> {
  const decideBlock = async (button: string, question: string, doneText: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: question })
    const confirm = dialog.getByRole('button', { name: button, exact: true })
    await confirm.click()
    await expect(dialog.getByText(t('validation.reason'))).toBeVisible()
    await dialog.getByRole('textbox', { name: t('field.reason') }).fill('Проверка')
    await confirm.click()
    await expect(page.getByText(doneText)).toBeVisible()
    await expect(dialog).toBeHidden()
  }
  await decideBlock(t('action.block'), t('dialog.blockUser.title'), t('people.blocked.done'))
  await expect(page.getByRole('main').getByText(t('status.blocked')).first()).toBeVisible()
  await decideBlock(t('action.unblock'), t('people.unblock.title'), t('people.unblocked.done'))

  const openAccess = async (item: string) => {
    await page.getByRole('button', { name: t('account.access') }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await openAccess(t('account.sessions'))
  const sessionsDialog = page.getByRole('dialog', { name: t('account.sessions') })
  await expect(sessionsDialog.getByText(t('account.sessions.none'))).toBeVisible()
  await expectOverlayAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sessionsDialog).toBeHidden()
  await openAccess(t('account.letter.open'))
  const question = page.getByRole('dialog', { name: t('account.letter.title') })
  await question.getByRole('button', { name: t('account.letter.send') }).click()
  await expect(question).toBeHidden()
}

async function consultants(walk: ScreenWalk): Promise<void> {
  await walkWholeScreen(walk, { values: account, nameField: 'name' })
}

/** Opens the form of a new account from the list, and expects that the empty form is refused. */
async function openEmptyForm(walk: ScreenWalk): Promise<void> {
  await openNewForm(walk)
  await expectEmptyRefused(walk.page)
}

/** The form of users is that of consultants. The pages of all accounts offer the actions that this test uses. */
async function walkUsers(walk: ScreenWalk): Promise<void> {
  const { page, colleague } = walk
  await openList(walk)
  await expectAccessibleInBothAppearances(page)
  await openEmptyForm(walk)
  const { role: _role, ...draft } = account(makeUniqueName('Проба'))
  const { id } = await colleague<{ id: number }>('POST', '/users', draft)
  await openForm(walk, id)
  await openRecord(walk, id, draft['name'] ?? '')
  await expectAccessibleInBothAppearances(page)
  await blockAndUnblockAccount(walk)
  await colleague('DELETE', `/users/${id}`)
}

/**
 * Owners cannot remove their own permissions: the page of their account has no block, no delete and a fixed
 * role.
 */
async function staff(walk: ScreenWalk): Promise<void> {
  const { page, colleague } = walk
  await openList(walk)
  await openEmptyForm(walk)
  const ownAccount = await colleague<{ id: number }>('GET', '/users/me')
  await openRecord(walk, ownAccount.id, /\S/)
  await expect(page.getByRole('main').getByRole('link', { name: t('nav.security') })).toBeVisible()
  await expect(page.getByRole('button', { name: t('action.block'), exact: true })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await openForm(walk, ownAccount.id)
  await expect(findField(page, 'role').getByRole('combobox')).toBeDisabled()
  await expect(findField(page, 'role')).toContainText(t('error.user.ownRole'))
  await expect(findField(page, 'blocked').getByRole('switch')).toBeDisabled()
  await expect(findField(page, 'email')).toContainText(t('error.user.ownEmail'))
  await expectAccessible(page)
}

export const peopleJourneys = { consultants, 'people/users': walkUsers, 'people/staff': staff }
