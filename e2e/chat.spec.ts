/**
 * The chat desk: each message arrives once and in order, users do not see notes, and each room has one
 * consultant.
 */
import type { Page } from '@playwright/test'
import { fieldOf, findLog, messageOf, onMessage, password, roomRowOf, send, test } from './desk.ts'
import { expect, expectAccessible, expectOverlayAccessible, makeUniqueName } from './fixtures.ts'
import { delayCalls } from './delayed-calls.ts'
import { newPicture } from './new-picture.ts'
import { expectAccessibleInBothThemes, expectOverlayAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const toNote = (page: Page) => button(page, t('chat.internalNote')).click()

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Учётная запись/ }).click()
  await page.getByRole('menuitem', { name: t('nav.signOut') }).click()
}

test('delivers a chat message and shows it as read, but never delivers a note', async ({ page, desk }) => {
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  await desk.open(consultant, `chats/${room}`, page)
  const field = await desk.open(grower, `chats/${room}`)

  await send(field, 'Листья желтеют')
  await expect(messageOf(page, 'Листья желтеют')).toBeVisible()
  await expect(messageOf(field, 'Листья желтеют')).toContainText(t('chat.seen'))
  // Typing is repeated, because typing events before the connection are lost.
  await expect(async () => {
    await fieldOf(page).pressSequentially('По')
    await expect(field.getByText(t('chat.typing', { name: consultant.name }))).toBeVisible({ timeout: 1_000 })
  }).toPass()

  // The message field and the note field of a room have separate drafts.
  await fieldOf(page).fill('Поливайте реже')
  await toNote(page)
  await expect(fieldOf(page, 'note')).toHaveValue('')
  await fieldOf(page, 'note').fill('Спросить агронома')
  await expectAccessibleInBothThemes(page)
  await button(page, t('chat.reply')).click()
  await expect(fieldOf(page)).toHaveValue('Поливайте реже')
  await page.reload()
  await expect(fieldOf(page)).toHaveValue('Поливайте реже')
  await toNote(page)
  await expect(fieldOf(page, 'note')).toHaveValue('Спросить агронома')
  await fieldOf(page, 'note').press('Enter')
  await expect(messageOf(page, 'Спросить агронома')).toContainText(t('chat.staffOnly'))
  await button(page, t('chat.reply')).click()
  await fieldOf(page).press('Enter')
  await expect(messageOf(field, 'Поливайте реже')).toBeVisible()
  await expect(messageOf(page, 'Поливайте реже')).toContainText(t('chat.seen'))
  await expect(field.getByText('Спросить агронома')).toHaveCount(0)
  await field.reload()
  await expect(messageOf(field, 'Поливайте реже')).toBeVisible()
  await expect(field.getByText('Спросить агронома')).toHaveCount(0)
  expect(await desk.readTexts(grower, room)).toEqual(['Листья желтеют', 'Поливайте реже'])
  await expectAccessibleInBothThemes(page)
  await expectAccessible(field)
})

test('sends messages written offline once and in order, and keeps message drafts', async ({ page, desk }) => {
  const [grower, otherGrower, consultant] = [
    await desk.person('grower'),
    await desk.person('grower'),
    await desk.person('consultant'),
  ]
  const room = await desk.room(grower, consultant)
  const secondRoom = await desk.room(otherGrower, consultant)
  await desk.open(consultant, `chats/${secondRoom}`, page)
  await fieldOf(page).fill('Недописанное')
  await roomRowOf(page, grower).click()
  await expect(findLog(page)).toHaveAccessibleName(t('chat.log', { name: grower.name }))
  await page.context().setOffline(true)
  for (const text of ['Раз', 'Два', 'Три']) await send(page, text)
  await expect(messageOf(page, 'Три')).toContainText(t('chat.queued'))
  expect(await desk.readTexts(consultant, room)).toEqual([])

  // The browser is online again, but requests that send messages still fail.
  await page.route('**/api/chatmessages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.context().setOffline(false)
  await page.reload()
  await expect(messageOf(page, 'Три')).toBeVisible()
  await expect(findLog(page).getByRole('article')).toContainText(['Раз', 'Два', 'Три'])
  await page.unroute('**/api/chatmessages')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  for (const text of ['Раз', 'Два', 'Три']) {
    await expect(messageOf(page, text).getByText(t('chat.sentState'), { exact: true })).toHaveCount(1)
  }
  await page.reload()
  await expect(messageOf(page, 'Три')).toBeVisible()
  expect(await desk.readTexts(grower, room)).toEqual(['Раз', 'Два', 'Три'])
  await expect(roomRowOf(page, otherGrower)).toContainText(t('chat.draft'))
  await roomRowOf(page, otherGrower).click()
  await expect(fieldOf(page)).toHaveValue('Недописанное')
})

test('holds a canned reply until its gaps are filled, and makes the draft of a consultation from the chat', async ({
  page,
  desk,
  newRecord,
  colleague,
}) => {
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  const title = makeUniqueName('Фото')
  const text = '{{customer_name}}, пришлите снимок: {{what}}'
  const { id } = await newRecord('replytemplates', { title, text, scope: 'shared' })
  await desk.open(consultant, `chats/${room}`, page)
  await fieldOf(page).fill('Ясно. ')
  await fieldOf(page).press('End')
  await fieldOf(page).pressSequentially(`/${title}`)
  const option = page.getByRole('listbox', { name: t('chat.quickReplies') }).getByRole('option', { name: title })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expectAccessibleInBothThemes(page)
  await fieldOf(page).press('Enter')
  await expect(fieldOf(page)).toHaveValue(`Ясно. ${grower.name}, пришлите снимок: {{what}}`)
  await expect(button(page, t('action.send'))).toBeDisabled()
  await fieldOf(page).press('Enter')
  expect(await desk.readTexts(grower, room)).toEqual([])
  await expectAccessible(page)
  await button(page, t('chat.fillIn', { name: 'what' })).click()
  await page.keyboard.type('лист')
  await fieldOf(page).press('Enter')
  await expect(messageOf(page, `Ясно. ${grower.name}, пришлите снимок: лист`)).toBeVisible()
  await colleague('DELETE', `/replytemplates/${id}`)

  // The new consultation contains the messages without the private parts, such as telephone numbers.
  await desk.sendMessage(grower, room, 'На хлопке тля, звоните +998 90 123-45-67')
  await desk.sendMessage(consultant, room, 'Опрыскайте мыльным раствором')
  await expect(messageOf(page, 'Опрыскайте мыльным раствором')).toBeVisible()
  await button(page, t('chat.convert')).click()
  const dialog = page.getByRole('dialog', { name: t('chat.convertTitle') })
  await button(page, t('chat.convertMake')).click()
  await expect(dialog.getByText(t('chat.convertNone'))).toBeVisible()
  await expect(dialog.getByRole('checkbox')).toHaveCount(3)
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await expectOverlayAccessibleInBothThemes(page)
  await button(page, t('chat.convertMake')).click()
  await expect(page).toHaveURL(/consultation\/\d+/)
  await expect(page.getByRole('main')).toContainText('На хлопке тля')
  await expect(page.getByRole('main')).not.toContainText('123-45-67')
  await colleague('DELETE', `/consultations/${/(\d+)$/.exec(new URL(page.url()).pathname)?.[1]}`)
})

test('hands a room over with a note and then refuses messages of the former consultant', async ({ page, desk }) => {
  const [grower, consultant, taker] = [
    await desk.person('grower'),
    await desk.person('consultant'),
    await desk.person('consultant'),
  ]
  const room = await desk.room(grower, consultant)
  await desk.sendMessage(grower, room, 'Листья желтеют')
  await desk.open(consultant, `chats/${room}`, page)
  const takerPage = await desk.open(taker, 'chats')
  await fieldOf(page).fill('Не отправлено')
  await button(page, t('chat.handOver')).click()
  const dialog = page.getByRole('dialog', { name: t('chat.handOverTitle') })
  await dialog.getByRole('button', { name: t('chat.handOver'), exact: true }).click()
  await expect(dialog.getByText(t('validation.consultant'))).toBeVisible()
  await expectOverlayAccessibleInBothThemes(page)
  await dialog.getByRole('combobox').fill(taker.name)
  // Options move while the typed name narrows them.
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: taker.name }).click()
  await dialog.getByRole('textbox', { name: t('chat.handOverNote') }).fill('Он говорит только по-узбекски')
  await dialog.getByRole('button', { name: t('chat.handOver'), exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(t('validation.otherConsultant'))).toBeVisible()
  await expect(page.getByText(t('chat.ownedBy', { name: taker.name }))).toBeVisible()
  await expect(page.getByText('Не отправлено')).toBeVisible()
  await expect(fieldOf(page)).toHaveCount(0)
  await expectAccessibleInBothThemes(page)

  // The new consultant sees the room without a reload, and reads the note.
  await roomRowOf(takerPage, grower).click()
  const handedRegion = takerPage.getByRole('region', { name: t('chat.handedToYou', { name: consultant.name }) })
  await expect(handedRegion).toContainText('Он говорит только по-узбекски')
  await expect(handedRegion).toContainText(consultant.name)
  await expectAccessible(takerPage)
  await send(takerPage, 'Assalomu alaykum')
  await expect(handedRegion).toHaveCount(0)
  await expect(messageOf(page, 'Assalomu alaykum')).toBeVisible()
  expect(await desk.readTexts(grower, room)).toEqual(['Листья желтеют', 'Assalomu alaykum'])
})

test('edits a chat message for a while, replies to the message, and deletes it', async ({ page, desk }) => {
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  await desk.open(consultant, `chats/${room}`, page)
  const field = await desk.open(grower, `chats/${room}`)
  await send(page, 'Поливайте каждый день')
  await onMessage(page, 'Поливайте каждый день', t('chat.editMessage'))
  const editor = page.getByRole('textbox', { name: t('chat.editMessage') })
  await expect(editor).toBeFocused()
  await editor.fill('Поливайте через день')
  await button(page, t('action.save')).click()
  await expect(messageOf(page, 'Поливайте через день')).toContainText(t('chat.edited'))
  await onMessage(field, 'Поливайте через день', t('action.reply'))
  await expect(field.getByText(t('chat.replyTo', { name: consultant.name }))).toBeVisible()
  await send(field, 'Спасибо')
  await expect(messageOf(page, 'Спасибо')).toContainText('Поливайте через день')

  await page.clock.setFixedTime(Date.now() + 16 * 60_000)
  await page.reload()
  await messageOf(page, 'Поливайте через день')
    .filter({ hasText: t('chat.edited') })
    .getByRole('button', { name: /^Действия с сообщением за/ })
    .press('Enter')
  await expect(page.getByRole('menuitem', { name: t('chat.deleteMessage') })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: t('chat.editMessage') })).toHaveCount(0)
  await expectOverlayAccessible(page)
  await page.getByRole('menuitem', { name: t('chat.deleteMessage') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('action.delete') })
    .click()
  await expect(findLog(page)).not.toContainText('Поливайте')
  await expect(messageOf(page, 'Спасибо')).toContainText(t('chat.removed'))
  await expect(messageOf(field, 'Спасибо')).toContainText(t('chat.removed'))
  await expect(findLog(field)).not.toContainText('Поливайте')
  await expectAccessibleInBothThemes(page)
})

test('keeps a room marked as unread until it is opened again', async ({ page, desk }) => {
  const [grower, otherGrower, consultant] = [
    await desk.person('grower'),
    await desk.person('grower'),
    await desk.person('consultant'),
  ]
  const [room, secondRoom] = [await desk.room(grower, consultant), await desk.room(otherGrower, consultant)]
  for (const text of ['Первое', 'Второе', 'Третье']) await desk.sendMessage(grower, room, text)
  await desk.sendMessage(otherGrower, secondRoom, 'Здравствуйте')
  await desk.open(consultant, 'chats', page)
  await expect(roomRowOf(page, grower)).toContainText('3 непрочитанных сообщения')
  await roomRowOf(page, grower).click()
  await expect(roomRowOf(page, grower)).not.toContainText('непрочитанн')
  await onMessage(page, 'Второе', t('chat.markUnread'))
  await expect(roomRowOf(page, grower)).toContainText('2 непрочитанных сообщения')
  // Returning to the window does not mark the room as read.
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    dispatchEvent(new Event('focus'))
  })
  await roomRowOf(page, otherGrower).click()
  await expect(messageOf(page, 'Здравствуйте')).toBeVisible()
  await expect(roomRowOf(page, otherGrower)).not.toContainText('непрочитанн')
  await expect(roomRowOf(page, grower)).toContainText('2 непрочитанных сообщения')
  await roomRowOf(page, grower).click()
  await expect(page.getByRole('heading', { name: '2 новых' })).toBeVisible()
  await expect(roomRowOf(page, grower)).not.toContainText('непрочитанн')
})

test('reopens a closed room with the next question', async ({ page, desk }) => {
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  await desk.sendMessage(grower, room, 'Вопрос решён')
  await desk.sendMessage(consultant, room, 'Хорошо')
  await desk.sendMessage(consultant, room, 'Проверить через неделю', { kind: 'note' })
  const rating = { data: { episode: 1, score: 5, comment: 'Спасибо, помогло' } }
  await desk.open(consultant, `chats/${room}`, page)
  await button(page, t('chat.state.closed')).click()
  const dialog = page.getByRole('dialog', { name: t('chat.state.closed') })
  await dialog.getByRole('textbox', { name: t('chat.reasonIfAny') }).fill('Решено')
  await expectOverlayAccessible(page)
  await dialog.getByRole('button', { name: t('chat.state.closed'), exact: true }).click()
  await expect(dialog).toBeHidden()
  const messageComposer = page.getByRole('form', { name: t('chat.reply') })
  await expect(messageComposer.getByText(t('chat.closedNote'))).toBeVisible()
  expect(await grower.ask('POST', `/chatrooms/${room}/rating`, rating)).toMatchObject({ status: 200 })
  const personPanel = page.getByRole('complementary', { name: t('chat.person') })
  for (const sectionName of ['pictures', 'notes', 'ratings', 'history'] as const) {
    await button(page, t(`chat.section.${sectionName}`)).click()
  }
  await expect(personPanel).toContainText('Решено')
  await expect(personPanel.getByText('Проверить через неделю')).toBeVisible()
  await expect(personPanel.getByText('Спасибо, помогло').first()).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await desk.sendMessage(grower, room, 'Нет, опять желтеет')
  await expect(messageOf(page, 'Нет, опять желтеет')).toBeVisible()
  await expect(messageComposer.getByText(t('chat.closedNote'))).toHaveCount(0)
  await expect(button(page, t('chat.state.closed'))).toBeVisible()

  // The last message needs no reply; the desk opens the closed chat again. Both work by keyboard.
  await button(page, t('chat.noReply')).press('Enter')
  const question = page.getByRole('dialog', { name: t('chat.noReply') })
  await question.getByRole('textbox', { name: t('chat.reasonIfAny') }).fill('Только поблагодарил')
  await question.getByRole('button', { name: t('chat.noReply'), exact: true }).press('Enter')
  await expect(question).toBeHidden()
  await expect(personPanel).toContainText('Только поблагодарил')
  await expect(button(page, t('chat.noReply'))).toHaveCount(0)
  await consultant.ask('POST', `/chatrooms/${room}/state`, { data: { state: 'closed' } })
  await button(page, t('chat.state.open')).press('Enter')
  await expect(button(page, t('chat.state.closed'))).toBeVisible()
})

test('lets staff read chat rooms without marking them as read and reassign two of them', async ({
  page,
  desk,
  login,
}) => {
  const [grower, otherGrower, consultant, taker] = [
    await desk.person('grower'),
    await desk.person('grower'),
    await desk.person('consultant'),
    await desk.person('consultant'),
  ]
  const [room, secondRoom] = [await desk.room(grower, consultant), await desk.room(otherGrower, consultant)]
  await desk.sendMessage(grower, room, 'Видно ли меня?')
  await desk.sendMessage(otherGrower, secondRoom, 'А меня?')
  await login('admin', { language: 'ru' })
  await page.goto('/app/chats')
  await page.getByRole('link', { name: t('chat.board') }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('chat.board') })).toBeVisible()
  const openRooms = async () => {
    await page.getByRole('table').getByRole('button', { name: consultant.name }).click()
    return page.getByRole('region', { name: t('chat.roomsOf', { name: consultant.name }) })
  }
  let openRoomsRegion = await openRooms()
  await expectAccessibleInBothThemes(page)
  await openRoomsRegion.getByRole('link').filter({ hasText: grower.name }).click()
  await expect(messageOf(page, 'Видно ли меня?')).toBeVisible()
  await expect(page.getByText(t('validation.otherConsultant'))).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const { body } = await grower.ask('GET', `/chatmessages?filters[room]=${room}&after=0&limit=10`)
  expect(body.results?.[0]).toMatchObject({ text: 'Видно ли меня?', seen: false })

  await page.goBack()
  openRoomsRegion = await openRooms()
  for (const { name } of [grower, otherGrower])
    await openRoomsRegion.getByRole('checkbox', { name: t('list.selectRow', { name }) }).check()
  await openRoomsRegion.getByRole('button', { name: 'Передать 2 чата' }).click()
  const dialog = page.getByRole('dialog', { name: 'Передать 2 чата' })
  await dialog.getByRole('combobox').fill(taker.name)
  // Options move while the typed name narrows them.
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: taker.name }).click()
  await dialog.getByRole('textbox', { name: t('chat.handOverNote') }).fill('В отпуске')
  await expectOverlayAccessible(page)
  await dialog.getByRole('button', { name: t('chat.handOver'), exact: true }).click()
  await expect(openRoomsRegion.getByText('Передано 2 чата')).toBeVisible()
  await expect(openRoomsRegion.getByText(t('chat.noOpenRooms'))).toBeVisible()
  for (const movedRoom of [room, secondRoom]) {
    const { body: history } = await taker.ask('GET', `/chatrooms/${movedRoom}/history`)
    expect(JSON.stringify(history.results)).toContain('В отпуске')
  }
})

test('asks about unsent messages at sign-out: stays, sends them first, or discards them', async ({ page, desk }) => {
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  await desk.open(consultant, `chats/${room}`, page)
  const question = page.getByRole('dialog', { name: t('chat.unsentTitle') })
  const failMessages = () => page.route('**/api/chatmessages', (route) => route.abort())

  await test.step('keeps a user signed in who decides to stay while messages are sent', async () => {
    const release = await delayCalls(page, '**/api/chatmessages')
    await send(page, 'Ещё не ушло')
    await signOut(page)
    await question.getByRole('button', { name: t('chat.unsentSend') }).click()
    await question.getByRole('button', { name: t('action.cancel') }).click()
    await expect(question).toBeHidden()
    release()
    await expect.poll(() => desk.readTexts(grower, room)).toEqual(['Ещё не ушло'])
    await send(page, 'И это')
    await expect.poll(() => desk.readTexts(grower, room)).toEqual(['Ещё не ушло', 'И это'])
    await expect(page).toHaveURL(new RegExp(`chats/${room}`))
  })

  await test.step('sends them first', async () => {
    await failMessages()
    await send(page, 'Напоследок')
    await signOut(page)
    await expectAccessible(page)
    await question.getByRole('button', { name: t('chat.unsentSend') }).click()
    await expect(question.getByText(t('chat.unsentFailed'))).toBeVisible()
    await page.unroute('**/api/chatmessages')
    await question.getByRole('button', { name: t('chat.unsentSend') }).click()
    await expect(page).toHaveURL(/\/user\/login/)
    expect(await desk.readTexts(grower, room)).toEqual(['Ещё не ушло', 'И это', 'Напоследок'])
  })

  const signIn = async () => {
    await page.getByLabel('Имя пользователя или эл. почта').fill(consultant.username)
    await page.getByRole('textbox', { name: t('field.password'), exact: true }).fill(password)
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(page).toHaveURL(/\/app/)
    await page.goto(`/app/chats/${room}`)
    await expect(messageOf(page, 'Напоследок')).toBeVisible()
  }

  await test.step('discards them on request', async () => {
    await signIn()
    await failMessages()
    await send(page, 'Не для отправки')
    await signOut(page)
    await question.getByRole('button', { name: t('action.cancel') }).click()
    await expect(messageOf(page, 'Не для отправки')).toBeVisible()
    await signOut(page)
    await question.getByRole('button', { name: t('chat.unsentDrop') }).click()
    await expect(page).toHaveURL(/\/user\/login/)
    await page.unroute('**/api/chatmessages')
    // No text of an unsent message is left for the next user of this browser.
    const localValues = await page.evaluate(() => JSON.stringify(localStorage))
    expect(localValues).not.toContain('Не для отправки')
    await signIn()
    await expect(findLog(page)).not.toContainText('Не для отправки')
    expect(await desk.readTexts(grower, room)).toEqual(['Ещё не ушло', 'И это', 'Напоследок'])
  })
})

test('adds an uploaded picture to the draft of its room while the user looks at another room', async ({
  page,
  desk,
}) => {
  const [grower, otherGrower, consultant] = [
    await desk.person('grower'),
    await desk.person('grower'),
    await desk.person('consultant'),
  ]
  const [room, secondRoom] = [await desk.room(grower, consultant), await desk.room(otherGrower, consultant)]
  await desk.open(consultant, `chats/${room}`, page)
  const release = await delayCalls(page, '**/api/upload**')
  await fieldOf(page).fill('Вот так')
  await page.locator('input[type="file"]').setInputFiles(newPicture())
  const pictures = page.getByRole('list', { name: t('chat.files') })
  await expect(pictures.getByRole('progressbar')).toBeVisible()
  await roomRowOf(page, otherGrower).click()
  await expect(page).toHaveURL(new RegExp(`chats/${secondRoom}`))
  await expect(pictures).toBeHidden()
  await roomRowOf(page, grower).click()
  await expect(pictures.getByRole('progressbar')).toBeVisible()
  await roomRowOf(page, otherGrower).click()
  await expect(pictures).toBeHidden()
  release()
  await roomRowOf(page, grower).click()
  await expect(pictures.locator('img')).toBeVisible()
  await fieldOf(page).press('Enter')
  await expect(messageOf(page, 'Вот так').locator('img')).toBeVisible()
})

test('sends a document, which the other side downloads', async ({ page, desk }) => {
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  await desk.open(consultant, `chats/${room}`, page)
  const field = await desk.open(grower, `chats/${room}`)
  const bytes = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n')
  await field.locator('input[type="file"]').setInputFiles([
    { name: 'Экин режаси.pdf', mimeType: 'application/pdf', buffer: bytes },
    { name: 'Режа.docx', mimeType: 'application/zip', buffer: bytes },
  ])
  const files = field.getByRole('list', { name: t('chat.files') })
  await expect(files.getByRole('alert')).toHaveText(t('error.upload.content', { name: 'Режа.docx' }))
  await button(field, t('chat.removeFile', { name: 'Режа.docx' })).click()
  await expect(files.getByRole('progressbar')).toHaveCount(0)
  await fieldOf(field).fill('Вот план')
  await fieldOf(field).press('Enter')
  const link = messageOf(page, 'Вот план').getByRole('link', {
    name: t('action.downloadFile', { name: 'Экин режаси.pdf' }),
  })
  await expectAccessibleInBothThemes(page)
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('Экин режаси.pdf')
  const answerChunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) answerChunks.push(chunk as Buffer)
  expect(Buffer.concat(answerChunks).equals(bytes)).toBe(true)
})

test('stays in the room that the user opened while another room was being created', async ({ page, desk }) => {
  const [grower, firstConsultant, secondConsultant] = [
    await desk.person('grower'),
    await desk.person('consultant'),
    await desk.person('consultant'),
  ]
  const room = await desk.room(grower, firstConsultant)
  await desk.open(grower, `chats/${room}`, page)
  await page.getByRole('link', { name: t('chat.newTitle') }).click()
  await page.getByRole('combobox', { name: t('chat.newTo') }).fill(secondConsultant.name)
  // Options move while the typed name narrows them.
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: secondConsultant.name }).click()
  const release = await delayCalls(page, '**/api/chatrooms')
  await button(page, t('action.open')).click()
  await roomRowOf(page, firstConsultant).click()
  await fieldOf(page).fill('Как быть с')
  release()
  await expect(roomRowOf(page, secondConsultant)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`chats/${room}`))
  await expect(fieldOf(page)).toBeFocused()
  await expect(fieldOf(page)).toHaveValue('Как быть с')
  // The room exists: a second request returns the same room, which this test deletes at its end.
  await desk.room(grower, secondConsultant)
})
