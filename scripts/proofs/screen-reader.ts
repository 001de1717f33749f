/**
 * Proof that a screen reader leads through the product (e-learning §9, 10): Orca reads the outline of a course to
 * an author and a lesson to a learner, who press keys only. Each step has phrases that must be spoken.
 * `node scripts/proofs/screen-reader.ts`; it needs Linux with the packages that it names.
 */
import { playableVideo } from '../../e2e/new-video.ts'
import { createRecord, signIn, startServer, trialPassword } from '../lib/server-process.ts'
import { missingPackages, type ReaderSession, startReader } from './reader-session.ts'

/** Maximum number of times that Tab is pressed to reach a control. */
const maxTabPresses = 60

/** A walk: presses keys, and notes each step whose speech lacks a phrase. */
class ReaderWalk {
  readonly failures: string[] = []
  steps = 0
  readonly #reader: ReaderSession

  constructor(reader: ReaderSession) {
    this.#reader = reader
  }

  /** Runs one action of the walk, and checks the speech that follows. */
  async step(name: string, act: () => unknown, ...expectedPhrases: RegExp[]): Promise<void> {
    this.steps += 1
    await act()
    const speechText = await this.#reader.listenForSpeech(...expectedPhrases)
    const spokenText = speechText.join(' ')
    const unspokenPhrases = expectedPhrases.filter((phrase) => !phrase.test(spokenText))
    console.log(`   ${name.padEnd(26)} ${speechText.join(' | ').slice(-200) || '(silence)'}`)
    if (unspokenPhrases.length > 0) this.failures.push(`${name}: ${unspokenPhrases.join(', ')} not spoken`)
  }

  /** Presses keys, and checks the speech that follows. */
  press(keys: string, ...expectedPhrases: RegExp[]): Promise<void> {
    return this.step(keys, () => this.#reader.pressKeys(...keys.split(' ')), ...expectedPhrases)
  }

  /** Presses Tab until a control has the focus, and checks that it is named. */
  tabTo(control: RegExp, ...expectedPhrases: RegExp[]): Promise<void> {
    const { page, pressKeys: sendKeys } = this.#reader
    const readFocusedText = () =>
      page.evaluate(() => {
        const { activeElement: element } = document
        return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
      })
    const tabToControl = async () => {
      for (let count = 0; count < maxTabPresses; count += 1) {
        sendKeys('Tab')
        await page.waitForTimeout(60)
        if (control.test(await readFocusedText())) return
      }
      this.failures.push(`Tab does not reach ${control}`)
    }
    return this.step(`Tab to ${control.source}`, tabToControl, ...expectedPhrases)
  }

  type(text: string): void {
    this.#reader.type(text)
  }

  /** Opens a page as a user who has signed in. */
  async open(url: string, token: string, ...expectedPhrases: RegExp[]): Promise<void> {
    const { page } = this.#reader
    const visitPage = async () => {
      await page.evaluate((value) => {
        localStorage.setItem('token', value)
        localStorage.setItem('current-language', 'en')
      }, token)
      await page.goto(url)
      await page.bringToFront()
    }
    await this.step(`open ${new URL(url).pathname}`, visitPage, ...expectedPhrases)
  }
}

/** Uploads the video of a lesson in one request, and returns its address. */
async function uploadVideo(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const encodeText = (text: string) => Buffer.from(text).toString('base64')
  const metadata = `filename ${encodeText('film.webm')},purpose ${encodeText('lesson_video')}`
  const begunUpload = await fetch(`${url}/api/upload/resumable`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(playableVideo.length), 'upload-metadata': metadata },
  })
  const uploadAnswer = await fetch(new URL(begunUpload.headers.get('location') ?? '', url), {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(playableVideo),
  })
  const [storedFile] = (await uploadAnswer.json()) as { url: string }[]
  return storedFile?.url ?? ''
}

/** An author opens, moves, renames, adds, deletes and publishes by keys. */
async function walkOutline(walk: ReaderWalk, url: string, token: string): Promise<void> {
  const create = (resource: string, data: object) => createRecord(url, token, resource, data)
  const course = await create('courses', { title: 'Drip irrigation' })
  const basicsRow = await create('lessongroups', { title: 'Basics', course, position: 1 })
  const practiceGroup = await create('lessongroups', { title: 'Practice', course, position: 2 })
  const content = '<p>Water at dawn.</p>'
  await create('lessons', { title: 'Filters', course, lessongroup: basicsRow, position: 1, content })
  await create('lessons', { title: 'Pumps', course, lessongroup: basicsRow, position: 2, content })
  await create('lessons', { title: 'Pipes', course, lessongroup: practiceGroup, position: 1, content })
  const page = `${url}/app/e-learning/${course}`

  await walk.open(page, token, /Finished loading/)
  await walk.tabTo(/^Filters$/, /region Course outline/, /Filters( visited)? link/)
  await walk.press('alt+Down', /“Filters”: position 2 of 2, Basics/, /Ctrl\+Z undoes it/)
  await walk.press('alt+Down', /“Filters”: position 1 of 2, Practice/)
  await walk.press('alt+Up', /“Filters”: position 2 of 2, Basics/)
  await walk.press('F2', /New title of “Filters” entry/)
  await walk.step('Clean filters, Return', () => walk.type('Clean filters\n'), /Lesson updated successfully/)
  await walk.press('Return', /Clean filters region/)
  await walk.press('Escape', /Clean filters .*link/)
  await walk.press('shift+space', /1 item selected/)
  await walk.press('Escape')
  await walk.tabTo(/^Add a lesson to “Practice”$/, /Add a lesson to “Practice” link/)
  // Orca does not read the new page of a link at each time (docs/screens.md); its first control proves the arrival.
  await walk.press('Return')
  await walk.tabTo(/^$/, /Title required entry/)
  await walk.step('Hoses', () => walk.type('Hoses'))
  await walk.press('ctrl+s', /Lesson (created|added)/)

  await walk.open(page, token, /Finished loading/)
  await walk.tabTo(/^Actions for Pipes$/, /Actions for Pipes .*opens menu/)
  await walk.press('Return', /Actions for Pipes menu/)
  await walk.press('Up', /Delete/)
  await walk.press('Return', /Do you want to delete this\? dialog “Pipes” will be deleted/, /Cancel push button/)
  await walk.press('Tab', /Delete push button/)
  await walk.press('Return', /Lesson deleted successfully/, /Hoses .*link/)
  await walk.press('ctrl+z', /Lesson restored/)
  const readyCourse = await create('courses', { title: 'Seeds' })
  await create('lessons', { title: 'Sowing', course: readyCourse, content })
  await walk.open(`${url}/app/e-learning/${readyCourse}`, token, /Finished loading/)
  await walk.tabTo(/^Publish$/, /Publish push button/)
  await walk.press('Return', /Publish the course dialog/)
  await walk.press('ctrl+Return', /published/i)
}

/** A learner plays a lesson, completes it, and goes on to the certificate. */
async function walkLesson(walk: ReaderWalk, url: string, token: string): Promise<void> {
  const create = (resource: string, data: object) => createRecord(url, token, resource, data)
  const course = await create('courses', { title: 'Water in time' })
  const video = { file: await uploadVideo(url, token) }
  const lessonFields = { course, content: '<p>Water at dawn.</p>', complete_when: 'marked' }
  const lesson = await create('lessons', { ...lessonFields, title: 'Filters', position: 1, video })
  await create('lessons', { ...lessonFields, title: 'Pumps', position: 2 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const courseAnswer = await fetch(`${url}/api/courses/${course}?locale=en`, { headers })
  const { data } = (await courseAnswer.json()) as { data: { attributes: { version: number } } }
  const body = JSON.stringify({ data: { locales: ['en'], version: data.attributes.version } })
  const publishResponse = await fetch(`${url}/api/courses/${course}/publish`, { method: 'POST', headers, body })
  if (!publishResponse.ok) throw new Error(`The course is not published: ${await publishResponse.text()}`)

  const learner = await signIn(url, 'user@example.org', trialPassword)
  await walk.open(`${url}/app/e-learning/lesson-seen/${lesson}`, learner, /Finished loading/)
  await walk.tabTo(/^Position in the video$/, /region Player: Filters/, /Position in the video horizontal slider/)
  await walk.press('Right', /5 seconds of 8 seconds/)
  await walk.press('Home', /0 seconds of 8 seconds/)
  await walk.tabTo(/^Play$/, /Play push button/)
  // Only the sound of the video is heard after Play, so its later position proves that it has played.
  await walk.press('Return')
  await walk.press('Return')
  await walk.press('shift+Tab', /Position in the video horizontal slider [1-7] seconds? of 8 seconds/)
  await walk.tabTo(/^Speed and quality/, /Speed and quality: 1× .*push button/)
  await walk.press('Return', /Speed panel/, /1× .*radio button/)
  await walk.press('Down', /1.25× .*radio button/)
  await walk.press('space')
  await walk.press('Escape', /Speed and quality: 1.25×/)
  await walk.tabTo(/^I have studied it$/, /I have studied it push button/)
  await walk.press('Return', /1 of 2 lessons completed/)
  await walk.tabTo(/^Next lesson/, /Next lesson: ?Pumps link/)
  await walk.press('Return')
  await walk.tabTo(/^I have studied it$/, /I have studied it push button/)
  await walk.press('Return', /2 of 2 lessons completed. You have completed the course/)
  await walk.tabTo(/^Download the certificate$/, /Download the certificate push button/)
}

/**
 * Walks through the outline and the lesson with the screen reader Orca.
 *
 * @returns Whether every expected phrase was spoken.
 */
export async function screenReader(): Promise<{ harmless: boolean }> {
  const absentPackages = missingPackages()
  if (absentPackages.length > 0)
    throw new Error(`Install the missing packages: apt-get install ${absentPackages.join(' ')}`)
  const server = await startServer()
  try {
    const token = await signIn(server.url)
    const reader = await startReader(server.url)
    try {
      const readerWalk = new ReaderWalk(reader)
      await walkOutline(readerWalk, server.url, token)
      await walkLesson(readerWalk, server.url, token)
      for (const failure of readerWalk.failures) console.log(`   ${failure}`)
      console.log(
        `   ${readerWalk.steps} steps by keys, read by Orca: ${readerWalk.failures.length} without the expected speech`,
      )
      return { harmless: readerWalk.failures.length === 0 }
    } finally {
      await reader.close()
    }
  } finally {
    await server.close()
  }
}

if (import.meta.main) {
  const { harmless } = await screenReader()
  process.exit(harmless ? 0 : 1)
}
