/** Consultants, users and staff: an account with its own name and password, blocked and let in again. */
import { fieldAt } from './fill-form.ts'
import { expect, expectAccessible, unique } from './fixtures.ts'
import { openForm, openRecord, type Walk, walkThrough } from './walk.ts'
import { t } from './words.ts'

/** What an account has of its own; its role is filled in already. */
function account(name: string): Record<string, string | null> {
  const username = unique('grower').replace(' ', '-')
  return { username, email: `${username}@example.org`, password: 'abcd-5671', name, surname: 'Проверкин', role: null }
}

/** Blocked and unblocked, and signed out everywhere. */
async function actOnAccount({ page }: Walk): Promise<void> {
  const confirm = async (button: string, question: string, done: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: question })
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByText(done)).toBeVisible()
    await expect(dialog).toBeHidden()
  }
  await confirm(t('action.block'), t('dialog.blockUser.title'), t('people.blocked.done'))
  await expect(page.getByRole('main').getByText(t('status.blocked')).first()).toBeVisible()
  await confirm(t('action.unblock'), t('people.unblock.title'), t('people.unblocked.done'))
  await confirm(t('people.endSessions'), t('people.endSessions.title'), t('people.endSessions.done'))
}

async function people(walk: Walk): Promise<void> {
  await walkThrough(walk, { values: account, nameField: 'name', reading: actOnAccount })
}

/** Nobody takes his own rights away: on his own account the owner finds no block, no delete and a fixed role. */
async function staff(walk: Walk): Promise<void> {
  await people(walk)
  const { page, colleague } = walk
  const own = await colleague<{ id: number }>('GET', '/users/me')
  await openRecord(walk, own.id, /\S/)
  await expect(page.getByRole('button', { name: t('people.endSessions') })).toBeVisible()
  await expect(page.getByRole('button', { name: t('action.block'), exact: true })).toHaveCount(0)
  await openForm(walk, own.id)
  await expect(fieldAt(page, 'role').getByRole('combobox')).toBeDisabled()
  await expect(fieldAt(page, 'role')).toContainText(t('error.user.ownRole'))
  await expect(fieldAt(page, 'blocked').getByRole('switch')).toBeDisabled()
  await expectAccessible(page)
}

export const peopleJourneys = { consultants: people, 'people/users': people, 'people/staff': staff }
