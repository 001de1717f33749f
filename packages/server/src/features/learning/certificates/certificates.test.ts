import { randomInt } from 'node:crypto'
import { formatCertificateNumber, locales, newCertificateNumber } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { build, publishCourses, translate } from '../../../testing/factories.ts'
import { textOfPdf } from '../../../testing/pdf-text.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { drawCertificate } from './pdf.ts'

const limit = 5
const unknownNumber = () => newCertificateNumber(randomInt)
const here = startResourceApp(
  async ({ database, people }) => {
    await database.query(
      sql`update users set name = 'Gúlnara', surname = 'Qońıratbaeva' where id = ${people.authenticated}`,
    )
  },
  { ADDRESS_THROTTLE: `${limit}/15m` },
)

let [course, lesson, russian] = [0, 0, 0]
beforeEach(async () => {
  await here.database.query(sql`delete from course_completions`)
  await here.database.query(sql`delete from throttles`)
  course = await build(here.database, 'courses', { title: 'Irrigation', state: 'published' })
  russian = await translate(here.database, 'courses', course, 'ru', { title: 'Орошение' })
  lesson = await build(here.database, 'lessons', { title: 'Lesson', course, content: '<p>text</p>' })
  await publishCourses(here.database)
})

const complete = async () => {
  const answer = await here.ask('POST', `/lessons/${lesson}/progress`, { data: { opened: true } }, 'authenticated')
  expect(answer).toMatchObject({ status: 200, body: { data: { completed: true } } })
  const [row] = await here.database.query(sql<{ certificate: string }>`
    select certificate from course_completions c join courses_texts t on t.document_id = c.course_id where t.id = ${course}`)
  return row?.certificate ?? ''
}
const download = (query = '', role = 'authenticated') =>
  here.app.inject({
    url: `/api/courses/${course}/certificate${query}`,
    headers: here.tokens[role] === undefined ? {} : { authorization: `Bearer ${here.tokens[role]}` },
  })
const check = (number: string) => here.ask('GET', `/certificates/${number}`, undefined, 'public')

/** Returns the characters that a PDF shows. */
const charactersOf = (pdf: Buffer): Set<string> => new Set(Array.from(textOfPdf(pdf).join('')))

describe('GET /api/courses/:id/certificate', () => {
  it.each(locales)('sends the certificate of the caller in %s', async (locale) => {
    const number = await complete()
    const answer = await download(`?locale=${locale}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="certificate-${number}.pdf"`,
    })
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(answer.rawPayload.toString('latin1')).toContain(`/Lang (${locale})`)
    expect(answer.rawPayload.toString('latin1')).toContain(`/certificate/${number})`)
    const letters = charactersOf(answer.rawPayload)
    const title = locale === 'ru' ? 'Орошение' : 'Irrigation'
    expect(Array.from(`GúlnaraQońıratbaeva${title}`).filter((letter) => !letters.has(letter))).toEqual([])
  })

  it('embeds every letter of the four languages, and draws the longest title and name on one page', async () => {
    const alphabet = 'АЯаяЁёЎўҚқҒғҲҳ ÁáǴǵŃńÓóÚúİıÍí oʻgʻʼ QWqw 0189 “” «»'
    const contents = {
      day: '01.03.2026',
      completedAt: new Date(0),
      number: unknownNumber(),
      address: 'https://example.org',
    }
    const pdf = await drawCertificate({ ...contents, name: alphabet, course: 'Ш'.repeat(255) }, 'kaa')
    const letters = charactersOf(pdf)
    expect(Array.from(alphabet).filter((letter) => !letters.has(letter))).toEqual([])
    expect(pdf.toString('latin1').match(/\/Type \/Page\n/g)).toHaveLength(1)
  })

  it('finds a certificate by the id of any language of its course, and after the course was withdrawn', async () => {
    await complete()
    await here.ask('PUT', `/courses/${course}`, { data: { state: 'archived' } })
    expect((await download()).statusCode).toBe(200)
    expect(
      (
        await here.app.inject({
          url: `/api/courses/${russian}/certificate`,
          headers: { authorization: `Bearer ${here.tokens.authenticated}` },
        })
      ).statusCode,
    ).toBe(200)
  })

  it('refuses a certificate to callers who have not completed the course, and to callers without a session', async () => {
    expect((await download()).statusCode).toBe(404)
    await complete()
    expect((await download('', 'admin')).statusCode).toBe(404)
    expect((await download('', 'public')).statusCode).toBe(401)
  })
})

describe('GET /api/courses/:id/learners/:learner/certificate', () => {
  const downloadOf = (learner: number | string, role: string) =>
    here.app.inject({
      url: `/api/courses/${course}/learners/${learner}/certificate?locale=kaa`,
      headers: here.tokens[role] === undefined ? {} : { authorization: `Bearer ${here.tokens[role]}` },
    })

  it('sends the certificate of a learner to administrators', async () => {
    const learner = here.people.authenticated ?? 0
    expect((await downloadOf(learner, 'admin')).statusCode).toBe(404)
    const number = await complete()
    const answer = await downloadOf(learner, 'admin')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="certificate-${number}.pdf"`)
    expect(answer.rawPayload.toString('latin1')).toContain('/Lang (kaa)')
  })

  it('refuses the certificate of a learner to learners, without a session, and before its course is completed', async () => {
    const learner = here.people.authenticated ?? 0
    await complete()
    expect((await downloadOf(learner, 'authenticated')).statusCode).toBe(403)
    expect((await downloadOf(learner, 'public')).statusCode).toBe(401)
    expect((await downloadOf(here.people.admin ?? 0, 'admin')).statusCode).toBe(404)
    expect((await downloadOf('x', 'admin')).statusCode).toBe(404)
  })
})

describe('GET /api/certificates/:number', () => {
  it('answers the name, course and date of a certificate to everybody, however its number is typed', async () => {
    const number = await complete()
    const [row] = await here.database.query(
      sql<{
        date: string
      }>`select to_char(now() at time zone ${here.database.calendar.zone}::text, 'YYYY-MM-DD') as date`,
    )
    const data = { name: 'Gúlnara Qońıratbaeva', course: 'Irrigation', date: row?.date }
    for (const typed of [number, number.toLowerCase(), formatCertificateNumber(number)])
      expect(await check(typed)).toEqual({ status: 200, body: { data, meta: {} } })
    expect(await check(`${number}?locale=ru`)).toMatchObject({ body: { data: { course: 'Орошение' } } })
  })

  it('returns 404 for certificate numbers that do not exist, and for those of deleted courses', async () => {
    const number = await complete()
    for (const unknown of ['x', '0'.repeat(15), unknownNumber()]) expect((await check(unknown)).status).toBe(404)
    await here.ask('DELETE', `/courses/${course}?locale=all`)
    expect((await check(number)).status).toBe(404)
  })

  it('answers 429 after too many unknown certificate numbers from one address', async () => {
    const number = await complete()
    for (let miss = 0; miss < limit; miss += 1) expect((await check(unknownNumber())).status).toBe(404)
    expect((await check(unknownNumber())).status).toBe(429)
    expect((await check(number)).status).toBe(429)
  })
})
