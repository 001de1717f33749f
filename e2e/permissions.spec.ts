/** Permissions: read as text, compared between two roles, and the panel viewed as a weaker role. */
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { expectAccessibleInBothThemes, expectOverlayAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

const bar = /^Вы видите панель от имени роли/

test('lets an owner compare two roles and read the limits of a third', async ({ page, login }) => {
  await login('owner', { language: 'ru', theme: 'light.greenmoss' })
  await page.goto('/app/consultants')
  await page.getByRole('navigation').getByRole('link', { name: 'Люди' }).first().click()
  await page.getByRole('link', { name: t('page.permissions') }).click()
  const table = page.getByRole('table')
  await expect(table.getByRole('rowheader', { name: 'Консультации' })).toBeVisible()
  await expectSettledPage(page)
  await expectAccessible(page)
  await table
    .getByRole('button', { name: /порученные себе/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toContainText('порученные себе')
  await expectOverlayAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')

  await page.getByRole('combobox', { name: 'Сравнить' }).click()
  await page.getByRole('option', { name: 'Администратор', exact: true }).click()
  // A closing list stays in the page for a moment.
  await expect(page.getByRole('option')).toHaveCount(0)
  await page.getByRole('combobox', { name: 'С ролью' }).click()
  await page.getByRole('option', { name: 'Главный администратор' }).click()
  await expect(table.getByRole('rowheader', { name: 'Роли' })).toBeVisible()
  await expect(table.getByText('Только: Главный администратор').first()).toBeVisible()
  await expect(table.getByRole('rowheader', { name: 'Новости' })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  // The comparison is in the address: it can be sent to a colleague.
  await page.reload()
  await expect(table.getByText('Только: Главный администратор').first()).toBeVisible()
})

test('shows the panel to an owner as a consultant sees it: marked, read-only, and back', async ({
  page,
  login,
  newRecord,
}) => {
  const name = makeUniqueName('Тег')
  const tag = await newRecord('tags', { name })
  await login('owner')
  await page.goto('/app/permissions')
  await page.getByRole('button', { name: 'Смотреть как: Консультант' }).click()
  const previewBar = page.getByRole('region', { name: bar })
  await expect(previewBar).toBeVisible()
  await page.goto('/app/consultation')
  await expect(previewBar).toBeVisible()
  await expect(page.getByRole('link', { name: t('page.permissions') })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await page.goto('/app/people/users')
  await expect(previewBar).toBeVisible()

  await page.getByRole('button', { name: 'Завершить просмотр' }).click()
  await expect(previewBar).toHaveCount(0)
  await page.goto('/app/permissions')
  await page.getByRole('button', { name: 'Смотреть как: Главный администратор' }).click()
  await expect(previewBar).toBeVisible()
  await page.goto(`/app/settings/tags/${tag.id}`)
  const field = page.getByRole('textbox', { name: /^Название/ })
  await field.fill(`${name} x`)
  const save = page.getByRole('button', { name: t('form.saveChanges') })
  await expect(save).toBeDisabled()
  // Screen readers read why the permissions cannot be saved.
  await save.focus()
  await expect(save).toHaveAccessibleDescription(/[Нн]ичего нельзя изменить/)
  await expectAccessibleInBothThemes(page)
})

test('limits the notice of the viewed role to two lines for the longest role name on a phone', async ({
  page,
  login,
}) => {
  await login('owner')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/app/permissions')
  await page.getByRole('button', { name: 'Смотреть как: Зарегистрированный пользователь' }).click()
  const previewText = page.getByRole('region', { name: bar }).getByText('Просмотр: Зарегистрированный пользователь')
  const [height, line] = await previewText.evaluate((element) => [
    element.clientHeight,
    Number.parseFloat(getComputedStyle(element).lineHeight),
  ])
  expect(height).toBeLessThan(2.5 * (line ?? 0))
  await page.getByRole('button', { name: t('app.viewingStop') }).click()
  await expect(previewText).toHaveCount(0)
})

test('leads users whose role requires the second step to its setup, and nowhere else', async ({
  page,
  login,
  colleague,
}) => {
  const roles = await colleague<{ data: { id: number; attributes: { type: string } }[] }>('GET', '/roles')
  const admin = roles.data.find(({ attributes }) => attributes.type === 'super-admin')
  await login('super-admin')
  await page.goto('/app/settings/tags')
  await expect(page.getByRole('heading', { name: 'Теги' })).toBeVisible()
  try {
    await colleague('PUT', `/roles/${admin?.id}`, { data: { two_step: true } })
    await page.goto('/app/news')
    await expect(page).toHaveURL(/\/app\/profile\/security/)
    await expect(page.getByText(t('account.twoStep.required'))).toBeVisible()
    await expectAccessible(page)
  } finally {
    await colleague('PUT', `/roles/${admin?.id}`, { data: { two_step: false } })
  }
})
