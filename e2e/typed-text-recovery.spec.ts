/** Typed text survives crashes and lost sessions: at most its last two seconds are missing. */
import { rmSync } from 'node:fs'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { browserFlags, findBrowser } from '../scripts/lib/browser.ts'
import { stop } from '../scripts/lib/processes.ts'
import { signIn, startServer, temporaryFolder, trialPassword } from '../scripts/lib/server-process.ts'
import { expect, expectAccessible, serverUrl, test, makeUniqueName } from './fixtures.ts'
import { openWithToken } from './sign-in.ts'

const nameField = (page: Page) => page.getByRole('textbox', { name: /^Название/ })

/** Opens a separate browser, whose profile remains after a crash of the browser. */
const openBrowser = (profile: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    args: browserFlags,
    baseURL: serverUrl(),
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
  })

/** The process id of a browser. */
async function findProcess(context: BrowserContext): Promise<number> {
  const session = await context.browser()?.newBrowserCDPSession()
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {}
  const id = processInfo.find(({ type }) => type === 'browser')?.id
  if (id === undefined) throw new Error('The browser does not say which process it is')
  return id
}

test('restores the typed text when the browser is killed and restarted', async ({ ownerToken, newRecord }) => {
  const title = makeUniqueName('Обрыв')
  const { id } = await newRecord('news', { title })
  const profileFolder = temporaryFolder('profile')
  const firstBrowser = await openBrowser(profileFolder)
  const typedTexts: { at: number; text: string }[] = []
  try {
    const [page = await firstBrowser.newPage()] = firstBrowser.pages()
    await openWithToken(page, ownerToken)
    await page.goto(`/app/news/${id}`)
    await page.getByRole('textbox', { name: 'Описание' }).focus()
    const pid = await findProcess(firstBrowser)
    const start = Date.now()
    // Words are typed without a pause, for longer than the part that a crash may lose.
    for (let count = 1; Date.now() - start < 3_500; count += 1) {
      await page.keyboard.type(`слово${count} `)
      typedTexts.push({ at: Date.now(), text: `слово${count} ` })
    }
    const closedContext = new Promise((resolve) => firstBrowser.once('close', resolve))
    const killMoment = Date.now()
    process.kill(pid, 'SIGKILL')
    await closedContext

    const secondBrowser = await openBrowser(profileFolder)
    const [reopenedPage = await secondBrowser.newPage()] = secondBrowser.pages()
    // The browser stores its local storage with a delay, so the token may be missing after the crash.
    await openWithToken(reopenedPage, ownerToken)
    await reopenedPage.goto(`/app/news/${id}`)
    await expect(reopenedPage.getByText(/^Показан текст, который вы ввели/)).toBeVisible()
    const text = await reopenedPage.getByRole('textbox', { name: 'Описание' }).inputValue()
    const wholeText = typedTexts.map((typedText) => typedText.text).join('')
    const certainTexts = typedTexts.filter(({ at }) => at < killMoment - 2_000).map((typedText) => typedText.text)
    expect(certainTexts.length).toBeGreaterThan(0)
    expect(wholeText.startsWith(text)).toBe(true)
    expect(text.startsWith(certainTexts.join(''))).toBe(true)
    await expectAccessible(reopenedPage)
    await reopenedPage.getByRole('button', { name: 'Сохранить изменения' }).click()
    await expect(reopenedPage.getByText('Все изменения сохранены')).toBeVisible()
    await secondBrowser.close()
  } finally {
    await firstBrowser.close()
    rmSync(profileFolder, { recursive: true, force: true, maxRetries: 3 })
  }
})

test('keeps the typed text when the server is killed, and saves the text once the server is back', async ({
  page,
  pageComplaints: complaints,
}) => {
  test.slow()
  const server = await startServer({ seed: 'none' })
  try {
    const token = await signIn(server.url)
    await openWithToken(page, token)
    const answer = await page.request.post(`${server.url}/api/tags?locale=ru`, {
      headers: { authorization: `Bearer ${token}` },
      data: { data: { name: 'Полив' } },
    })
    const { data } = (await answer.json()) as { data: { id: number } }
    await page.goto(`${server.url}/app/settings/tags/${data.id}`)
    await nameField(page).fill('Полив по ')
    await stop(server.child, 'SIGKILL')
    await nameField(page).press('End')
    await page.keyboard.type('бороздам')
    await page.getByRole('button', { name: 'Сохранить изменения' }).click()
    const connectionAlert = page.getByRole('alert').filter({ hasText: 'Нет соединения' })
    await expect(connectionAlert).toBeVisible()
    await expect(nameField(page)).toHaveValue('Полив по бороздам')
    await expectAccessible(page)

    const restartedServer = await startServer({ seed: 'none', dataDir: server.dataDir, port: server.port })
    try {
      await connectionAlert.getByRole('button', { name: 'Повторить' }).click()
      await expect(page.getByText('Успешно обновлено: Тег')).toBeVisible()
      await page.reload()
      await expect(nameField(page)).toHaveValue('Полив по бороздам')
      await expect(page.getByText('Все изменения сохранены')).toBeVisible()
    } finally {
      await page.close()
      await restartedServer.close()
    }
  } finally {
    await server.close()
  }
  // The live connection itself logs that the server is unreachable.
  expect(complaints.filter((text) => !text.includes('WebSocket'))).toEqual([])
  complaints.length = 0
})

test('keeps the typed text when an administrator ends the session, and shows the text after the sign-in', async ({
  page,
  newRecord,
  colleague,
}) => {
  const name = makeUniqueName('Сеанс')
  const username = name.replace('Сеанс ', 'editor-')
  const { data: roles } = await colleague<{ data: { id: number; attributes: { type: string } }[] }>('GET', '/roles')
  const role = roles.find(({ attributes }) => attributes.type === 'admin')?.id
  const account = { username, email: `${username}@example.org`, password: trialPassword }
  const { id: user } = await colleague<{ id: number }>('POST', '/users', { ...account, role, language: 'ru' })
  const { id } = await newRecord('tags', { name })
  await openWithToken(page, await signIn(serverUrl(), username))
  const liveSocket = page.waitForEvent('websocket')
  await page.goto(`/app/settings/tags/${id}`)
  await (await liveSocket).waitForEvent('framereceived')
  await nameField(page).fill(`${name} и полив`)
  await colleague('POST', `/users/${user}/sign-out`)
  // The panel notices the end of the session without a reload.
  await expect(page).toHaveURL(/\/user\/login/)
  await expect(page.getByText('Вход не выполнен')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Имя пользователя или эл. почта').fill(username)
  await page.getByRole('textbox', { name: 'Пароль' }).fill(trialPassword)
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page).toHaveURL(`/app/settings/tags/${id}`)
  await expect(nameField(page)).toHaveValue(`${name} и полив`)
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Успешно обновлено: Тег')).toBeVisible()
})
