import { basename } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildRecord, buildNews, buildUpload, buildTranslation } from '../../testing/factories.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { programCaller } from '../../resources/history/history.ts'
import { createEntry } from '../../resources/write/write.ts'
import { drawImage, type FileRecord, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

type Role = 'owner' | 'admin' | 'authenticated'
interface Use {
  resource: string
  id: number
  field: string
  name: string | null
}

let uploadApp: UploadApp
let png: Buffer
let file: FileRecord
beforeAll(async () => {
  uploadApp = await openUploadApp()
  png = await drawImage(400, 300).png().toBuffer()
})
afterAll(() => uploadApp.app.close())
const uploadFile = async (role: Role = 'admin'): Promise<FileRecord> => {
  const [record] = (await uploadApp.sendParts([{ bytes: png }], { role })).records
  if (!record) throw new Error('No record')
  return record
}
beforeEach(async () => {
  file = await uploadFile()
})

async function writeRecord<T>(method: 'POST' | 'PUT' | 'DELETE', url: string, data?: object, role: Role = 'admin') {
  const headers = uploadApp.headersOf(role)
  const answer = await uploadApp.app.inject({ method, url: `/api${url}`, headers, ...(data && { payload: { data } }) })
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body])
  return answer.json<{ data: T }>().data
}
const usesOf = async (id = file.id, role: Role = 'admin', hiddenCount = 0) => {
  const { body } = await uploadApp.ask('GET', `/upload/files/${id}/uses`, role)
  const { data, meta } = body as { data: Use[]; meta: { total: number } }
  expect(meta.total).toBe(data.length + hiddenCount)
  return data
}
const isUnused = async (id = file.id) => {
  const { body } = await uploadApp.ask('GET', `/upload/library?unused=true&filters[id]=${id}`)
  return (body as { data: unknown[] }).data.length === 1
}
/** Expects that the file counts as used, and that no removal of unused files deletes it. */
async function expectFileUsed(): Promise<void> {
  expect(await isUnused()).toBe(false)
  const removal = await writeRecord<{ removed: number[]; refused: { id: number }[] }>('POST', '/upload/remove', {
    ids: [file.id],
  })
  expect(removal).toMatchObject({ removed: [], refused: [{ id: file.id }] })
  expect((await uploadApp.ask('DELETE', `/upload/files/${file.id}?if_unused=true`)).status).toBe(409)
  expect((await uploadApp.app.inject({ url: file.url })).statusCode).toBe(200)
}
async function expectFileUnused(): Promise<void> {
  expect(await usesOf()).toEqual([])
  expect(await isUnused()).toBe(true)
}

describe('pictures of chat messages', () => {
  let room: number
  beforeAll(async () => {
    const { authenticated: sender, owner: receiver } = uploadApp.people
    room = await buildRecord(uploadApp.database, 'chatrooms', { sender, receiver })
  })
  const sendNews = async (data: object) => {
    return writeRecord<{ id: number; attributes: { attachments: unknown } }>(
      'POST',
      '/chatmessages',
      { room, text: 'Look', ...data },
      'authenticated',
    )
  }

  it('counts pictures of chat messages as uses of the file by the message', async () => {
    file = await uploadFile('authenticated')
    const { id } = await sendNews({ attachments: [{ url: file.url }] })
    expect(await usesOf()).toEqual([{ resource: 'chatmessages', id, field: 'files', name: 'Look' }])
    await expectFileUsed()
    await writeRecord('DELETE', `/chatmessages/${id}`, undefined, 'authenticated')
    expect([await usesOf(file.id, 'admin', 1), await isUnused()]).toEqual([[], false])
  })

  it('stores the pictures of chat messages in order, without duplicates', async () => {
    file = await uploadFile('authenticated')
    const otherFile = await uploadFile('authenticated')
    const shownFile = ({ url, name, mime, size, width, height }: FileRecord) => ({
      url,
      name,
      mime,
      size,
      width,
      height,
    })
    const attachments = [
      { url: `/${basename(otherFile.url)}`, name: 'Leaf' },
      { id: file.id },
      otherFile.id,
      { url: file.url },
    ]
    const { attributes } = await sendNews({ attachments })
    expect(attributes.attachments).toEqual([{ ...shownFile(otherFile), name: 'Leaf' }, shownFile(file)])
  })
})

describe('addresses in values', () => {
  const copy = () => file.formats?.thumbnail?.url ?? ''
  it.each([
    ['the file', () => `<p>A</p><img src="${file.url}">`],
    ['the file at the root', () => `<img src="/${basename(file.url)}">`],
    ['a smaller copy', () => `<img src="${copy()}">`],
    ['the whole address', () => `<img src="https://dala.example.org${file.url}">`],
  ])('counts %s in a rich text as a use of the file', async (_what, content) => {
    const { id } = await writeRecord<{ id: number }>('POST', '/news', { title: 'Cotton', content: content() })
    expect(await usesOf()).toEqual([{ resource: 'news', id, field: 'content', name: 'Cotton' }])
    await expectFileUsed()
  })

  it('counts addresses of files in parts of lessons, long texts and links as uses', async () => {
    const course = await buildRecord(uploadApp.database, 'courses', { title: 'Soil' })
    const lesson = await writeRecord<{ id: number }>('POST', '/lessons', {
      title: 'Water',
      kind: 'multi',
      course,
      parts: [{ title: 'One', content: `<img src="${file.url}">` }],
    })
    expect(await usesOf()).toEqual([{ resource: 'lessons', id: lesson.id, field: 'parts', name: 'Water' }])
    await expectFileUsed()
    await writeRecord('PUT', `/lessons/${lesson.id}`, { description: file.url, parts: null })
    const link = await writeRecord<{ id: number }>('POST', '/attachments', {
      name: 'Sheet',
      link: `https://dala.example.org${file.url}`,
    })
    expect(await usesOf()).toEqual([
      { resource: 'lessons', id: lesson.id, field: 'description', name: 'Water' },
      { resource: 'attachments', id: link.id, field: 'link', name: 'Sheet' },
    ])
  })

  it('counts uses for a caller who may not read the record, and names the record to others', async () => {
    await writeRecord('POST', '/faqs', { question: 'Why?', answer: `<img src="${file.url}">`, active: false })
    expect(await usesOf()).toMatchObject([{ resource: 'faqs', name: 'Why?' }])
    file = await uploadFile('authenticated')
    await writeRecord('POST', '/faqs', { question: 'When?', answer: `<img src="${file.url}">`, active: false })
    expect(await usesOf(file.id, 'authenticated', 1)).toEqual([])
  })

  it('updates the uses of a file after every change of the text', async () => {
    const otherFile = await uploadFile()
    const id = await buildNews(uploadApp.database, { content: 'none' })
    const putContent = (content: string) => writeRecord('PUT', `/news/${id}`, { content })
    await expectFileUnused()
    await putContent(`<img src="${file.url}"><img src="${copy()}"><img src="${otherFile.url}">`)
    expect([await usesOf(), await usesOf(otherFile.id)]).toMatchObject([[{ id }], [{ id }]])
    await putContent(`<img src="${otherFile.url}"><img src="${file.url}">and more`)
    expect([await usesOf(), await usesOf(otherFile.id)]).toMatchObject([[{ id }], [{ id }]])
    await putContent(`<img src="${otherFile.url}">`)
    await expectFileUnused()
    expect(await usesOf(otherFile.id)).toHaveLength(1)
  })

  it('counts the use of a file by the language that names it', async () => {
    const id = await buildNews(uploadApp.database, { title: 'One', content: file.url })
    const ru = await buildTranslation(uploadApp.database, 'news', id, 'ru', { title: 'Два', content: file.url })
    expect(await usesOf()).toEqual([
      { resource: 'news', id, field: 'content', name: 'One' },
      { resource: 'news', id: ru, field: 'content', name: 'Два' },
    ])
    await writeRecord('DELETE', `/news/${ru}`)
    expect(await usesOf()).toMatchObject([{ id }])
    await writeRecord('POST', `/news/${ru}/restore`)
    expect(await usesOf()).toMatchObject([{ id }, { id: ru }])
    await writeRecord('DELETE', `/news/${id}?locale=all`)
    await expectFileUnused()
    await writeRecord('POST', `/news/${id}/restore`)
    expect(await usesOf()).toMatchObject([{ id }, { id: ru }])
  })

  it('removes and restores the uses of a file with a revert', async () => {
    const id = await buildNews(uploadApp.database, { content: file.url })
    await writeRecord('PUT', `/news/${id}`, { content: 'gone' })
    await expectFileUnused()
    const { body } = await uploadApp.ask('GET', `/news/${id}/history`)
    const revision = JSON.stringify(body).match(/"id":(\d+)/)?.[1]
    await writeRecord('POST', `/news/${id}/revert`, { revision: Number(revision), to: 'before' })
    expect(await usesOf()).toMatchObject([{ id }])
  })

  it('counts uses in the record of a file for other files, never for the file itself', async () => {
    const otherFile = await uploadFile()
    const texts = { fileInfo: JSON.stringify({ caption: `${otherFile.url} ${file.url}` }) }
    expect((await uploadApp.sendParts([], { query: `?id=${file.id}`, texts })).status).toBe(200)
    await expectFileUnused()
    const use = { resource: 'uploads', id: file.id, name: file.name }
    expect(await usesOf(otherFile.id)).toEqual([
      { ...use, field: 'caption' },
      { ...use, field: 'captions' },
    ])
  })

  it('counts no use for addresses that name no stored file', async () => {
    const hash = String(file.hash)
    await buildNews(uploadApp.database, { content: `${hash} a${hash}.png ${hash}.png5 ${hash}.svg` })
    await buildNews(uploadApp.database, { content: `/uploads/${'0'.repeat(32)}.png` })
    expect([await usesOf(), await isUnused()]).toEqual([[], true])
  })

  it('stores or refuses addresses of a file that is removed concurrently', async () => {
    for (let roundNumber = 0; roundNumber < 8; roundNumber += 1) {
      const { id, url } = await uploadFile()
      const removeFile = () => writeRecord<{ removed: number[] }>('POST', '/upload/remove', { ids: [id] })
      const name = () => buildNews(uploadApp.database, { content: url })
      const [firstCall, secondCall] = roundNumber % 2 === 0 ? [removeFile(), name()] : [name(), removeFile()]
      await Promise.all([firstCall, secondCall])
      const isFileThere = (await uploadApp.ask('GET', `/upload/files/${id}`)).status === 200
      expect(isFileThere ? await usesOf(id) : []).toHaveLength(isFileThere ? 1 : 0)
    }
  })

  it('blocks the removal of a file until a write of its address ends', async () => {
    const [writeSignal, removalSignal] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const writingTransaction = uploadApp.database.transaction(async (trx) => {
      const context = { database: uploadApp.database, author: { caller: programCaller }, view: {}, trx }
      await createEntry(context, resourceNamed('news'), { title: 'Late', content: file.url }, 'en')
      writeSignal.resolve()
      await removalSignal.promise
    })
    await writeSignal.promise
    const removal = writeRecord<{ removed: number[] }>('POST', '/upload/remove', { ids: [file.id] })
    await new Promise(setImmediate)
    removalSignal.resolve()
    await writingTransaction
    expect(await removal).toMatchObject({ removed: [], refused: [{ id: file.id }] })
  })
})

it('counts the same uses as a search through every text', async () => {
  let state = 20_261_123
  const drawNumber = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const files: { id: number; url: string }[] = []
  for (let count = 0; count < 12; count += 1) {
    const hash = `${String(count).padStart(2, '0')}${'5'.repeat(30)}`
    files.push({
      id: await buildUpload(uploadApp.database, { hash, url: `/uploads/${hash}.png` }),
      url: `/uploads/${hash}.png`,
    })
  }
  const content = () =>
    Array.from({ length: drawNumber(4) }, () => `<img src="${files[drawNumber(files.length)]?.url}">`).join('')
  const newsIds: number[] = []
  for (let roundNumber = 0; roundNumber < 60; roundNumber += 1) {
    const id = newsIds[drawNumber(newsIds.length)]
    if (id === undefined || roundNumber % 3 === 0)
      newsIds.push(await buildNews(uploadApp.database, { content: content() }))
    else if (roundNumber % 3 === 1) await writeRecord('PUT', `/news/${id}`, { content: content() })
    else if (roundNumber % 2 === 0) await writeRecord('DELETE', `/news/${newsIds.splice(newsIds.indexOf(id), 1)[0]}`)
    else await writeRecord('POST', `/news/${(await writeRecord<{ id: number }>('DELETE', `/news/${id}`)).id}/restore`)
  }
  const texts = await Promise.all(
    newsIds.map(async (id) => {
      const { body } = await uploadApp.ask('GET', `/news/${id}`)
      return (body as { data: { attributes: { content: string } } }).data.attributes.content
    }),
  )
  for (const { id, url } of files) {
    const count = texts.filter((text) => text.includes(url)).length
    expect([id, (await usesOf(id)).length, await isUnused(id)]).toEqual([id, count, count === 0])
  }
})
