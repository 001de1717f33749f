/** The whole chat desk without a mouse; the focus is never lost. */
import { fieldOf, findLog, messageOf, roomRowOf, test } from './desk.ts'
import { expect, makeUniqueName } from './fixtures.ts'
import { tabToTarget } from './tab-to.ts'
import { t } from './messages.ts'

test('opens chat rooms, replies, adds a note, edits a message and hands a room over with the keyboard', async ({
  page,
  desk,
  newRecord,
  colleague,
}) => {
  const [grower, otherGrower, consultant, taker] = [
    await desk.person('grower'),
    await desk.person('grower'),
    await desk.person('consultant'),
    await desk.person('consultant'),
  ]
  const [room, secondRoom] = [await desk.room(grower, consultant), await desk.room(otherGrower, consultant)]
  await desk.sendMessage(grower, room, 'Листья желтеют')
  await desk.sendMessage(otherGrower, secondRoom, 'Чем удобрять?')
  const title = makeUniqueName('Приветствие')
  const { id } = await newRecord('replytemplates', { title, text: 'Здравствуйте!', scope: 'shared' })
  await desk.open(consultant, 'chats', page)

  // The room that has waited longest is first; the search box leads into the list of rooms.
  await expect(roomRowOf(page, otherGrower)).toBeVisible()
  await tabToTarget(page, page.getByRole('searchbox', { name: t('chat.searchRooms') }))
  await page.keyboard.press('ArrowDown')
  await expect(roomRowOf(page, grower)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(roomRowOf(page, otherGrower)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(messageOf(page, 'Листья желтеют')).toBeVisible()
  await expect(fieldOf(page)).toBeFocused()

  await page.keyboard.type('Пришлите фото')
  await page.keyboard.press('Enter')
  await expect(messageOf(page, 'Пришлите фото')).toBeVisible()
  await expect(fieldOf(page)).toBeFocused()
  await page.keyboard.press('Alt+n')
  await expect(fieldOf(page, 'note')).toBeFocused()
  await page.keyboard.type('Спросить агронома')
  await page.keyboard.press('Enter')
  await expect(messageOf(page, 'Спросить агронома')).toContainText(t('chat.staffOnly'))
  await page.keyboard.press('Alt+n')
  await expect(fieldOf(page)).toBeFocused()

  await page.keyboard.type(`/${title}`)
  await expect(page.getByRole('option', { name: title })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(fieldOf(page)).toHaveValue(`/${title}`)
  await fieldOf(page).fill('')
  await page.keyboard.type(`/${title}`)
  await page.keyboard.press('Enter')
  await expect(fieldOf(page)).toHaveValue('Здравствуйте!')
  await page.keyboard.press('Enter')
  await expect(messageOf(page, 'Здравствуйте!')).toBeVisible()

  // The focus returns to the thread and moves up to the question, whose menu is opened.
  await tabToTarget(page, findLog(page), 'back')
  await page.keyboard.press('ArrowUp')
  await expect(messageOf(page, 'Здравствуйте!')).toBeFocused()
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowUp')
  await expect(messageOf(page, 'Листья желтеют')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible()
  await expect(page.getByRole('menuitem', { name: t('action.reply') })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(fieldOf(page)).toBeFocused()
  await page.keyboard.type('Это от жары')
  await page.keyboard.press('Enter')
  await expect(messageOf(page, 'Это от жары')).toContainText('Листья желтеют')

  await tabToTarget(page, page.getByRole('button', { name: t('chat.handOver'), exact: true }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('chat.handOverTitle') })
  await expect(dialog).toBeVisible()
  await tabToTarget(page, dialog.getByRole('combobox'))
  await page.keyboard.type(taker.name)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(0)
  await tabToTarget(page, dialog.getByRole('textbox', { name: t('chat.handOverNote') }))
  await page.keyboard.type('Ухожу')
  await tabToTarget(page, dialog.getByRole('button', { name: t('chat.handOver'), exact: true }))
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText(t('validation.otherConsultant'))).toBeVisible()
  // The button that opened the dialog was removed with the room: the focus is still on the page.
  await expect(page.locator('body:focus')).toHaveCount(0)
  await expect(page.locator(':focus')).toHaveCount(1)
  await colleague('DELETE', `/replytemplates/${id}`)
})
