/** Uploads of a lesson's video: they continue after a pause and after a reload. */
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { findField } from './fill-form.ts'
import { recordVideo, writeVideo } from './new-video.ts'

test('continues the upload of a video after a reload, and saves it with the lesson', async ({
  page,
  login,
  newRecord,
}, testInfo) => {
  const course = await newRecord('courses', { title: makeUniqueName('Курс') })
  const { id } = await newRecord('lessons', { title: makeUniqueName('Урок'), course: course.id })
  const path = testInfo.outputPath('film.mp4')
  writeVideo(path, 17)
  await login('owner')
  await page.goto(`/app/e-learning/lesson-seen/${id}?view=edit`)
  const field = findField(page, 'video')
  const input = field.locator('input[data-purpose="lesson_video"]')

  // The second piece of the video never arrives at the server.
  let uploadPieces = 0
  await page.route('**/api/upload/resumable/*', (route) => {
    const isPiece = route.request().method() === 'PATCH'
    if (isPiece) uploadPieces += 1
    return isPiece && uploadPieces > 1 ? undefined : route.continue()
  })
  await field.getByRole('button', { name: 'Файл' }).click()
  await expect(field.getByText(/MP4 \(H\.264/)).toBeVisible()
  await input.setInputFiles(path)
  await expect.poll(() => uploadPieces).toBe(2)
  await expect(field.getByRole('progressbar', { name: 'film.mp4' })).toBeVisible()
  await expectAccessible(page)
  await field.getByRole('button', { name: 'Пауза' }).click()
  await expect(field.getByText('Пауза. Всё отправленное сохранено.')).toBeVisible()

  await page.reload()
  await page.unroute('**/api/upload/resumable/*')
  const uploadOffsets: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') uploadOffsets.push(request.headers()['upload-offset'])
  })
  await expect(field.getByText(/^Загрузка файла film\.mp4 остановилась на 4\d %\.$/)).toBeVisible()
  const fileChooserEvent = page.waitForEvent('filechooser')
  await field.getByRole('button', { name: 'Выбрать файл снова и продолжить' }).click()
  await (await fileChooserEvent).setFiles(path)
  await expect(field.getByText(/320 × 180/)).toBeVisible()
  await expect(field.getByText(/остановилась/)).toBeHidden()
  expect(uploadOffsets[0]).toBe(String(8 * 1_048_576))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  await page.reload()
  await expect(field.getByText(/320 × 180/)).toBeVisible()
})

test('takes a frame of an uploaded video as its poster, and replaces it', async ({ page, loginAsOwner, newRecord }) => {
  const course = await newRecord('courses', { title: makeUniqueName('Курс') })
  const { id } = await newRecord('lessons', { title: makeUniqueName('Урок'), course: course.id })
  await loginAsOwner()
  await page.goto(`/app/e-learning/lesson-seen/${id}?view=edit`)
  const field = findField(page, 'video')
  await field.getByRole('button', { name: 'Файл' }).click()
  const buffer = await recordVideo(page)
  await field
    .locator('input[data-purpose="lesson_video"]')
    .setInputFiles({ name: 'field.webm', mimeType: 'video/webm', buffer })
  const video = field.locator('video')
  await expect
    .poll(() => video.evaluate((videoElement: HTMLVideoElement) => videoElement.readyState))
    .toBeGreaterThan(1)
  const takeButton = field.getByRole('button', { name: 'Взять этот кадр как обложку' })
  await takeButton.click()
  await expect(video).toHaveAttribute('poster', /\/uploads\//)
  const firstPoster = (await video.getAttribute('poster')) ?? ''
  await field.getByRole('button', { name: 'Убрать обложку' }).click()
  await expect(video).not.toHaveAttribute('poster')
  await takeButton.click()
  await expect(video).toHaveAttribute('poster', /\/uploads\//)
  expect(await video.getAttribute('poster')).not.toBe(firstPoster)
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  await page.reload()
  await expect(video).toHaveAttribute('poster', /\/uploads\//)
})

test('shows why subtitles are refused, by the keyboard', async ({ page, login, newRecord }) => {
  const course = await newRecord('courses', { title: makeUniqueName('Курс') })
  const { id } = await newRecord('lessons', { title: makeUniqueName('Урок'), course: course.id })
  await login('owner')
  await page.goto(`/app/e-learning/lesson-seen/${id}?view=edit`)
  const field = findField(page, 'subtitles', 'ru')
  const button = field.getByRole('button', { name: 'Выбрать субтитры' })
  const fileChooserEvent = page.waitForEvent('filechooser')
  await button.press('Enter')
  const fileChooser = await fileChooserEvent
  const brokenSubtitles = Buffer.from('WEBVTT\n\n00:02.000 --> 00:01.000\nx')
  await fileChooser.setFiles({ name: 'a.vtt', mimeType: 'text/vtt', buffer: brokenSubtitles })
  await expect(field.getByText('Субтитры не читаются: проверьте строку 3.')).toBeVisible()
  await field.getByRole('button', { name: /a\.vtt/ }).press('Enter')
  await expect(button).toBeFocused()
})
