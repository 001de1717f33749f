import { randomInt } from 'node:crypto'
import { formatCertificateNumber, newCertificateNumber, writtenLocales } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildRecord, publishCourseOf, buildTranslation } from '../../../testing/factories.ts'
import { textOfPdf } from '../../../testing/pdf-text.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { drawCertificate } from './pdf.ts'

const limit = 5
const unknownNumber = () => newCertificateNumber(randomInt)
const resourceApp = startResourceApp(
  async ({ database, people }) => {
    await database.query(
      sql`update users set name = 'Gúlnara', surname = 'Qońıratbaeva' where id = ${people.authenticated}`,
    )
  },
  { ADDRESS_THROTTLE: `${limit}/15m` },
)

let [course, lesson, russian] = [0, 0, 0]
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from course_completions`)
  await resourceApp.database.query(sql`delete from throttles`)
  course = await buildRecord(resourceApp.database, 'courses', { title: 'Irrigation', state: 'published' })
  russian = await buildTranslation(resourceApp.database, 'courses', course, 'ru', { title: 'Орошение' })
  lesson = await buildRecord(resourceApp.database, 'lessons', { title: 'Lesson', course, content: '<p>text</p>' })
  await publishCourseOf(resourceApp.database, course)
})

const completeCourse = async () => {
  const answer = await resourceApp.ask(
    'POST',
    `/lessons/${lesson}/progress`,
    { data: { opened: true } },
    'authenticated',
  )
  expect(answer).toMatchObject({ status: 200, body: { data: { completed: true } } })
  const [row] = await resourceApp.database.query(sql<{ certificate: string }>`
    select certificate from course_completions c join courses_texts t on t.document_id = c.course_id where t.id = ${course}`)
  return row?.certificate ?? ''
}
const download = (query = '', role = 'authenticated') =>
  resourceApp.app.inject({
    url: `/api/courses/${course}/certificate${query}`,
    headers: resourceApp.tokens[role] === undefined ? {} : { authorization: `Bearer ${resourceApp.tokens[role]}` },
  })
const checkNumber = (number: string) => resourceApp.ask('GET', `/certificates/${number}`, undefined, 'public')

/** Returns the characters that a PDF shows. */
const charactersOf = (pdf: Buffer): Set<string> => new Set(Array.from(textOfPdf(pdf).join('')))

describe('GET /api/courses/:id/certificate', () => {
  it.each(writtenLocales)('sends the certificate of the caller in %s', async (locale) => {
    const number = await completeCourse()
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
    const alphabet = 'АЯаяЁёЎўҚқҒғҲҳӘәӨөҮүҢңЪъЬьЫы ÁáǴǵŃńÓóÚúİıÍí oʻgʻʼ QWqw 0189 “” «»'
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
    await completeCourse()
    await resourceApp.ask('PUT', `/courses/${course}`, { data: { state: 'archived' } })
    expect((await download()).statusCode).toBe(200)
    expect(
      (
        await resourceApp.app.inject({
          url: `/api/courses/${russian}/certificate`,
          headers: { authorization: `Bearer ${resourceApp.tokens.authenticated}` },
        })
      ).statusCode,
    ).toBe(200)
  })

  it('refuses a certificate to callers who have not completed the course, and to callers without a session', async () => {
    expect((await download()).statusCode).toBe(404)
    await completeCourse()
    expect((await download('', 'admin')).statusCode).toBe(404)
    expect((await download('', 'public')).statusCode).toBe(401)
  })
})

describe('GET /api/courses/:id/learners/:learner/certificate', () => {
  const downloadOf = (learner: number | string, role: string) =>
    resourceApp.app.inject({
      url: `/api/courses/${course}/learners/${learner}/certificate?locale=kaa`,
      headers: resourceApp.tokens[role] === undefined ? {} : { authorization: `Bearer ${resourceApp.tokens[role]}` },
    })

  it('sends the certificate of a learner to administrators', async () => {
    const learner = resourceApp.people.authenticated ?? 0
    expect((await downloadOf(learner, 'admin')).statusCode).toBe(404)
    const number = await completeCourse()
    const answer = await downloadOf(learner, 'admin')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="certificate-${number}.pdf"`)
    expect(answer.rawPayload.toString('latin1')).toContain('/Lang (kaa)')
  })

  it('refuses the certificate of a learner to learners, without a session, and before its course is completed', async () => {
    const learner = resourceApp.people.authenticated ?? 0
    await completeCourse()
    expect((await downloadOf(learner, 'authenticated')).statusCode).toBe(403)
    expect((await downloadOf(learner, 'public')).statusCode).toBe(401)
    expect((await downloadOf(resourceApp.people.admin ?? 0, 'admin')).statusCode).toBe(404)
    expect((await downloadOf('x', 'admin')).statusCode).toBe(404)
  })
})

describe('GET /api/certificates/:number', () => {
  it('answers the name, course and date of a certificate to everybody, however its number is typed', async () => {
    const number = await completeCourse()
    const [row] = await resourceApp.database.query(
      sql<{
        date: string
      }>`select to_char(now() at time zone ${resourceApp.database.calendar.zone}::text, 'YYYY-MM-DD') as date`,
    )
    const data = { name: 'Gúlnara Qońıratbaeva', course: 'Irrigation', date: row?.date }
    for (const typedNumber of [number, number.toLowerCase(), formatCertificateNumber(number)])
      expect(await checkNumber(typedNumber)).toEqual({ status: 200, body: { data, meta: {} } })
    expect(await checkNumber(`${number}?locale=ru`)).toMatchObject({ body: { data: { course: 'Орошение' } } })
  })

  it('returns 404 for certificate numbers that do not exist, and for those of deleted courses', async () => {
    const number = await completeCourse()
    for (const unknownCode of ['x', '0'.repeat(15), unknownNumber()])
      expect((await checkNumber(unknownCode)).status).toBe(404)
    await resourceApp.ask('DELETE', `/courses/${course}?locale=all`)
    expect((await checkNumber(number)).status).toBe(404)
  })

  it('answers 429 after too many unknown certificate numbers from one address', async () => {
    const number = await completeCourse()
    for (let missNumber = 0; missNumber < limit; missNumber += 1)
      expect((await checkNumber(unknownNumber())).status).toBe(404)
    expect((await checkNumber(unknownNumber())).status).toBe(429)
    expect((await checkNumber(number)).status).toBe(429)
  })
})
