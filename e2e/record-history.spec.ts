/**
 * The history of a record: its changes and their undo, copies, related records created from the form, and its
 * uses.
 */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectOverlayAccessible, test, makeUniqueName } from './fixtures.ts'
import { tabToTarget } from './tab-to.ts'

const titleField = (page: Page) => page.getByRole('textbox', { name: /^Заголовок/ })
const descriptionField = (page: Page) => page.getByRole('textbox', { name: 'Описание' })

async function chooseMoreItem(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('shows in the history who changed what, and restores a field back and forth', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const title = makeUniqueName('История')
  const { id } = await newRecord('news', { title, description: 'Сначала' })
  await colleague('PUT', `/news/${id}`, { data: { description: 'Потом' } })
  await loginAsOwner()
  await page.goto(`/app/news/${id}`)
  await chooseMoreItem(page, 'История')
  const history = page.getByRole('dialog', { name: 'История изменений' })
  const newestRevision = history.getByRole('listitem').first()
  await expect(newestRevision).toContainText('Owner')
  await expect(newestRevision).toContainText('Сначала')
  await expect(newestRevision).toContainText('Потом')
  await expectAccessible(page)
  await newestRevision.getByRole('button', { name: 'Вернуть прежнее значение' }).click()
  const question = page.getByRole('dialog', { name: 'Вернуть прежнее значение поля «Описание»?' })
  await expect(question).toBeVisible()
  await expectOverlayAccessible(page)
  await question.getByRole('button', { name: 'Восстановить' }).click()
  await expect(page.getByText('Возвращено: Описание').last()).toBeVisible()
  await expect(newestRevision).toContainText('Стало')
  await history.getByRole('button', { name: 'Закрыть' }).click()
  await expect(descriptionField(page)).toHaveValue('Сначала')
  await page.getByRole('main').focus()
  await page.keyboard.press('Control+z')
  await expect(descriptionField(page)).toHaveValue('Потом')

  await chooseMoreItem(page, 'История')
  // The whole record is restored to its state after its creation.
  await history.getByRole('button', { name: 'Вернуть запись к этому состоянию' }).last().click()
  const restoreDialog = page.getByRole('dialog', { name: /^Вернуть запись к состоянию на / })
  await restoreDialog.getByRole('button', { name: 'Восстановить' }).click()
  await expect(page.getByText('Возвращено: вся запись').last()).toBeVisible()
  const { data } = await colleague('GET', `/news/${id}`)
  expect(data.attributes).toMatchObject({ title, description: 'Сначала' })
})

test('starts a copy with the values of the record, and continues the copy in the next language', async ({
  page,
  loginAsOwner,
  newRecord,
}) => {
  const title = makeUniqueName('Образец')
  const { id } = await newRecord('news', { title, description: 'Общее начало' })
  await loginAsOwner()
  await page.goto(`/app/news/${id}`)
  await chooseMoreItem(page, 'Дублировать')
  await expect(page).toHaveURL(`/app/news/new?copy=${id}`)
  await expect(titleField(page)).toHaveValue(title)
  await expect(descriptionField(page)).toHaveValue('Общее начало')
  await expectAccessible(page)
  await titleField(page).fill(`${title} копия`)
  await page.getByRole('button', { name: 'Сохранить и к следующему языку' }).click()
  await expect(page.getByText('Успешно создано: Новость')).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(`news/(new|${id})`))
  await expect(titleField(page)).toHaveValue('')
  await expect(titleField(page)).toBeFocused()
  const lang = await titleField(page).getAttribute('lang')
  expect(['uz', 'kaa', 'en']).toContain(lang)
  await page.keyboard.type(`${title} ${lang}`)
  await page.getByRole('button', { name: 'Сохранить и к следующему языку' }).click()
  await expect(page.getByText('Успешно обновлено: Новость')).toBeVisible()
  await expect(titleField(page)).toHaveValue('')
  await expect(titleField(page)).toBeFocused()
})

test('creates a missing tag from the form, and lists the uses of the tag before its deletion', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const name = makeUniqueName('Засоление')
  const { id } = await newRecord('news', { title: makeUniqueName('С тегом') })
  await loginAsOwner()
  await page.goto(`/app/news/${id}`)
  await titleField(page).press('End')
  await page.keyboard.type(' и правка')
  await page.getByRole('combobox', { name: 'Теги' }).fill(name)
  await page.getByRole('option', { name: `Создать «${name}»` }).click()
  const dialog = page.getByRole('dialog', { name: 'Создание: Тег' })
  await expect(dialog.getByRole('textbox', { name: /^Название/ })).toHaveValue(name)
  await expect(dialog.getByRole('textbox', { name: /^Название/ })).toBeFocused()
  await expectOverlayAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: `Убрать: ${name}` })).toBeVisible()
  await expect(titleField(page)).toHaveValue(/ и правка$/)
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()

  await page.goto(`/app/settings/tags?q=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Действия: ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  const question = page.getByRole('dialog', { name: 'Вы хотите удалить это?' })
  await expect(question).toContainText('1 запись раздела «Новости» больше не будет на неё ссылаться')
  await expect(question).toContainText('В течение 30 дней её можно вернуть из корзины.')
  await expectOverlayAccessible(page)
  await question.getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Успешно удалено: Тег')).toBeVisible()

  const { data: regions } = await colleague<{ data: { id: number }[] }>('GET', '/regions?pagination[pageSize]=1')
  const region = regions[0]?.id
  const district = await newRecord('districts', { name, region })
  const branch = await newRecord('branches', { name: `${name} филиал`, address: name, region, district: district.id })
  await page.goto(`/app/settings/districts/${district.id}`)
  await chooseMoreItem(page, 'Удалить')
  await expect(question.getByRole('alert')).toContainText('Удалить нельзя, пока она нужна здесь:')
  await expect(question.getByRole('link', { name: `${name} филиал` })).toHaveAttribute('href', /\/app\/branches\/\d+/)
  await expect(question.getByRole('button', { name: 'Удалить' })).toBeDisabled()
  await expectAccessible(page)
  await colleague('DELETE', `/branches/${branch.id}?locale=all`)
  await colleague('DELETE', `/districts/${district.id}?locale=all`)
})

test('works through the history and a conflict of a record with the keyboard alone', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const { id } = await newRecord('news', { title: makeUniqueName('Клавиши'), description: 'Было' })
  await loginAsOwner()
  await page.goto(`/app/news/${id}`)
  await descriptionField(page).fill('Моё')
  await colleague('PUT', `/news/${id}`, { data: { description: 'Чужое' } })
  await page.keyboard.press('Control+s')
  const conflict = page.getByRole('dialog', { name: 'Две версии одного поля' })
  await expect(conflict.getByRole('radio').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(conflict.getByRole('radio').nth(1)).toBeChecked()
  await expect(conflict.getByText('Всё выбрано')).toBeVisible()
  await tabToTarget(page, conflict.getByRole('button', { name: 'Сохранить выбранное' }))
  await page.keyboard.press('Enter')
  await expect(conflict).toBeHidden()
  await expect(descriptionField(page)).toHaveValue('Чужое')

  const moreButton = page.getByRole('button', { name: 'Другие действия' })
  await tabToTarget(page, moreButton, 'back')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByRole('menuitem', { name: 'История' })).toBeFocused()
  await page.keyboard.press('Enter')
  const history = page.getByRole('dialog', { name: 'История изменений' })
  await expect(history.getByRole('combobox', { name: 'Поле' })).toBeFocused()
  await tabToTarget(page, history.getByRole('button', { name: 'Вернуть прежнее значение' }).first())
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Вернуть прежнее значение поля «Описание»?' })
  await expect(question.getByRole('button', { name: 'Отмена' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(history).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(history).toBeHidden()
  await expect(moreButton).toBeFocused()
})
