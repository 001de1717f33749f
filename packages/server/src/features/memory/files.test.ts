import type { ImportedMemory, MemorySuggestion, RoleType, WorkRecord } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildNews, buildTag, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'
import { formOf } from '../../testing/upload-app.ts'
import { ChangedTexts } from './changed-texts.ts'

const resourceApp = startResourceApp()
const readChanges = () => new ChangedTexts(resourceApp.database).readAll()
const headersOf = (role: RoleType) => ({ authorization: `Bearer ${resourceApp.tokens[role] ?? ''}` })

/** Downloads a file as a role. */
const download = async (url: string, role: RoleType = 'admin') => {
  const { statusCode, body, headers } = await resourceApp.app.inject({
    method: 'GET',
    url: `/api${url}`,
    headers: headersOf(role),
  })
  return { status: statusCode, text: body, type: String(headers['content-type']) }
}

interface Sent {
  status: number
  body: unknown
}

/** Sends a file as a role. */
const upload = async (
  url: string,
  content: string | Buffer,
  { role = 'owner', texts = {} }: { role?: RoleType; texts?: Record<string, string> } = {},
): Promise<Sent> => {
  const form = await formOf([{ name: 'office.tmx', type: 'application/xml', bytes: Buffer.from(content) }], texts)
  const { statusCode, body } = await resourceApp.app.inject({
    method: 'POST',
    url: `/api${url}`,
    payload: form.payload,
    headers: { ...headersOf(role), ...form.headers },
  })
  return { status: statusCode, body: JSON.parse(body) as unknown }
}

const importTmx = (content: string | Buffer, role: RoleType = 'owner') => upload('/memory/imports', content, { role })
const deliver = async (content: string, mode: 'try' | 'write', role: RoleType = 'admin') => {
  const { status, body } = await upload('/memory/work', content, { role, texts: { mode } })
  expect(status).toBe(200)
  return (body as { data: WorkRecord[] }).data
}

const suggest = async (text: string) =>
  (await resourceApp.read<{ data: MemorySuggestion[] }>(`/memory/suggestions?q=${encodeURIComponent(text)}`)).data

const tmxOf = (units: string, head = '') =>
  `<?xml version="1.0"?>${head}<tmx version="1.4"><header/><body>${units}</body></tmx>`
const unitOf = (texts: Record<string, string>) =>
  `<tu>${Object.entries(texts)
    .map(([language, text]) => `<tuv xml:lang="${language}"><seg>${text}</seg></tuv>`)
    .join('')}</tu>`

describe('the translation memory as TMX', () => {
  it('exports each pair once, and finds all of them again after an import of the file', async () => {
    const { database } = resourceApp
    for (const number of [1, 2]) {
      const id = await buildNews(
        database,
        { title: 'Рис & «пшеница» <новая>', description: `Число ${number} растёт` },
        'ru',
      )
      await buildTranslation(database, 'news', id, 'kaa', {
        title: 'Salı & «biyday» <jańa>',
        description: `San ${number} ósedi`,
      })
    }
    await readChanges()
    const { status, text, type } = await download('/memory/tmx?source=ru&target=kaa')
    expect([status, type]).toEqual([200, 'application/x-tmx+xml'])
    expect(text.match(/<tu>/g)).toHaveLength(3)
    expect(text).toContain('<seg>Salı &amp; «biyday» &lt;jańa&gt;</seg>')
    await database.query(sql`delete from memory_segments`)
    await database.query(sql`delete from memory_stems`)
    const { status: importStatus, body } = await importTmx(text)
    expect(importStatus).toBe(200)
    expect(body).toMatchObject({
      data: { name: 'office.tmx', segments: 6 },
      meta: { units: 3, skipped: { language: 0, text: 0, long: 0, twice: 0 } },
    })
    const { id, at } = (body as { data: ImportedMemory }).data
    expect(await suggest('Рис & «пшеница» <новая>')).toEqual([
      {
        share: 100,
        source: 'Рис & «пшеница» <новая>',
        target: 'Salı & «biyday» <jańa>',
        uses: [],
        imported: { name: 'office.tmx', at },
      },
    ])
    const again = await download('/memory/tmx?source=ru&target=kaa')
    const pairsIn = (file: string) => file.match(/<tuv.*/g)?.toSorted()
    expect(pairsIn(again.text)).toEqual(pairsIn(text))
    expect((await resourceApp.ask('DELETE', `/memory/imports/${id}`, undefined, 'owner')).status).toBe(200)
    expect(await suggest('Рис & «пшеница» <новая>')).toEqual([])
    expect((await resourceApp.ask('DELETE', `/memory/imports/${id}`, undefined, 'owner')).status).toBe(404)
    const [stems] = await database.query(
      sql<{ uses: number }>`select coalesce(sum(uses), 0)::int as uses from memory_stems`,
    )
    expect(stems).toEqual({ uses: 0 })
  })

  it('reads units of other programs: regional tags, UTF-16, a document type by name, and codes within segments', async () => {
    const coded = 'Полив <bpt i="1">&lt;b&gt;</bpt>капельный<ept i="1">&lt;/b&gt;</ept> <hi>садов</hi>'
    const file = tmxOf(
      unitOf({ 'ru-RU': coded, kaa: 'Baǵdı tamshılatıp suwǵarıw', de: 'egal' }),
      '<!DOCTYPE tmx SYSTEM "tmx14.dtd">',
    )
    const wide = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(file.replace('?>', ' encoding="UTF-16"?>'), 'utf16le'),
    ])
    expect((await importTmx(wide)).status).toBe(200)
    expect(await suggest('Полив капельный садов')).toMatchObject([{ share: 100, target: 'Baǵdı tamshılatıp suwǵarıw' }])
  })

  it('stores a file in parts: one that fails midway is listed with what was stored, and removed in parts', async () => {
    const { database } = resourceApp
    const isCounted = sql<{ segments: number; stems: number }>`
      select (select count(*)::int from memory_segments where resource = 'memory_imports' and text like '%часть%') as segments,
             (select coalesce(sum(uses), 0)::int from memory_stems where stem like 'ru chast%') as stems`
    const file = tmxOf(
      Array.from({ length: 1_201 }, (_, index) =>
        unitOf({ ru: `часть ${index}`, uz: `часть qism ${index}`, kaa: `часть bólim ${index}` }),
      ).join(''),
    )
    await database.query(sql`alter table memory_segments add constraint refused_check check (text <> 'часть 700')`)
    expect((await importTmx(file)).status).toBe(500)
    await database.query(sql`alter table memory_segments drop constraint refused_check`)
    const newest = async () =>
      (await resourceApp.read<{ data: ImportedMemory[] }>('/memory/imports')).data.map(({ id, segments }) => ({
        id,
        segments,
      }))
    const [part] = await newest()
    expect(part?.segments).toBe(1_500)
    const remove = (id: number | undefined) => resourceApp.ask('DELETE', `/memory/imports/${id}`, undefined, 'owner')
    expect((await remove(part?.id)).status).toBe(200)
    expect(await database.query(isCounted)).toEqual([{ segments: 0, stems: 0 }])
    const { status, body } = await importTmx(file)
    expect([status, body]).toMatchObject([200, { data: { segments: 3_603 } }])
    const { id } = (body as { data: ImportedMemory }).data
    expect((await newest())[0]).toEqual({ id, segments: 3_603 })
    expect(await database.query(isCounted)).toEqual([{ segments: 3_603, stems: 1_201 }])
    const texts = await statementsOf(database, () => remove(id))
    expect(texts.filter((text) => /delete from memory_segments/.test(text))).toHaveLength(2)
    expect(await database.query(isCounted)).toEqual([{ segments: 0, stems: 0 }])
  })

  it('leaves out units that it cannot use, and counts them by reason', async () => {
    const units = [
      unitOf({ ru: 'Один язык' }),
      unitOf({ ru: '12', kaa: '12' }),
      unitOf({ ru: 'а'.repeat(1_001), kaa: 'a' }),
      unitOf({ ru: 'Да', kaa: 'Awa' }),
      unitOf({ ru: 'Да', kaa: 'Awa' }),
    ]
    const { body } = await importTmx(tmxOf(units.join('')))
    expect(body).toMatchObject({
      data: { segments: 2 },
      meta: { units: 5, skipped: { language: 1, text: 1, long: 1, twice: 1 } },
    })
  })

  it.each([
    ['text that is no XML', 'memory', 'memory.file'],
    ['XML that ends too early', '<tmx version="1.4"><body>', 'memory.file'],
    ['an unknown entity', tmxOf('<tu><tuv xml:lang="ru"><seg>&x;</seg></tuv></tu>'), 'memory.file'],
    [
      'declared entities',
      tmxOf(unitOf({ ru: '&a;', kaa: 'a' }), '<!DOCTYPE tmx [<!ENTITY a "aaaaaaaa">]>'),
      'memory.declarations',
    ],
    [
      'an external entity',
      tmxOf('', '<!DOCTYPE tmx [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
      'memory.declarations',
    ],
    ['elements within elements', tmxOf('<p>'.repeat(40) + '</p>'.repeat(40)), 'memory.size'],
    ['too many elements', `<tmx>${'<p/>'.repeat(500_000)}`, 'memory.size'],
    ['another format', '<xliff version="2.1"/>', 'memory.format'],
    ['no usable unit', tmxOf(unitOf({ de: 'a', fr: 'b' })), 'memory.empty'],
    ['letters that are no UTF-8', Buffer.from([0x3c, 0x61, 0xff, 0x3e]), 'memory.file'],
  ])('refuses a file with %s', async (_what, content, code) => {
    const { status, body } = await importTmx(content)
    expect([status, body]).toMatchObject([422, { error: { code } }])
  })

  it('refuses a file above its limit, and a form without a file', async () => {
    expect((await importTmx(Buffer.alloc(11 * 1_048_576))).status).toBe(413)
    const { status } = await resourceApp.ask('POST', '/memory/imports', {}, 'owner')
    expect(status).toBe(422)
  })

  it('lets admins read and export, and owners alone import and remove', async () => {
    expect((await importTmx(tmxOf(unitOf({ ru: 'Да', kaa: 'Awa' })), 'admin')).status).toBe(403)
    expect((await resourceApp.ask('DELETE', '/memory/imports/1')).status).toBe(403)
    expect((await resourceApp.ask('GET', '/memory/imports')).status).toBe(200)
    expect((await download('/memory/tmx', 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('GET', '/memory/imports', undefined, 'authenticated')).status).toBe(403)
  })

  it('adds a line to the audit for each file', async () => {
    await importTmx(tmxOf(unitOf({ ru: 'Журнал', kaa: 'Jurnal' })))
    await download('/memory/tmx')
    const lines = await resourceApp.database.query(
      sql<{
        action: string
        format: string | null
      }>`select action, details ->> 'format' as format from audit order by id desc limit 2`,
    )
    expect(lines).toEqual([
      { action: 'export', format: 'tmx' },
      { action: 'memory.import', format: null },
    ])
  })
})

const workUrl = (query = '') => `/memory/work?resource=news&source=ru&target=kaa${query}`

/** Translates the units of a file: the source in capitals of its own, with the codes as they are. */
const translate = (xliff: string, change: (source: string) => string = (source) => source) =>
  xliff.replace(/<segment state="initial"><source>(.*?)<\/source>(?:<target>.*?<\/target>)?/gs, (_, source: string) => {
    return `<segment state="translated"><source>${source}</source><target>${change(source)}</target>`
  })

const content =
  '<h2>Вода</h2><p>Вода <strong>нужна <a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer">всем</a></strong>.<br />Всегда &amp; везде</p><ul><li>Пункт</li></ul>'

async function buildSource(draft: Record<string, string> = {}) {
  await resourceApp.database.query(sql`delete from news`)
  return buildNews(
    resourceApp.database,
    { title: 'Вода в садах', description: 'Строка\nвторая', content, ...draft },
    'ru',
  )
}

describe('texts to translate as XLIFF', () => {
  it('go out and come back: a trial writes nothing, then the record is written with all its marks', async () => {
    const id = await buildSource()
    const { status, text, type } = await download(workUrl())
    expect([status, type]).toEqual([200, 'application/xliff+xml'])
    expect(text).toContain('<source>Вода <pc id="1" dataRefStart="d1" dataRefEnd="d1e">нужна <pc id="2"')
    const returned = translate(text, (source) => source.replaceAll('Вода', 'Suw').replaceAll('всем', 'hámmege'))
    const expected = {
      resource: 'news',
      id,
      name: 'Вода в садах',
      outcome: 'written',
      reason: null,
      issues: [],
      field: null,
      fields: 3,
    }
    expect(await deliver(returned, 'try')).toEqual([expected])
    expect((await download(workUrl())).text).toBe(text)
    expect(await deliver(returned, 'write')).toEqual([expected])
    const { data } = await resourceApp.read<{ data: { attributes: Record<string, unknown> }[] }>('/news?locale=kaa')
    expect(data[0]?.attributes).toMatchObject({
      title: 'Suw в садах',
      description: 'Строка\nвторая',
      content: content.replaceAll('Вода', 'Suw').replaceAll('всем', 'hámmege'),
    })
    expect(await deliver(returned, 'write')).toMatchObject([{ outcome: 'refused', reason: 'target' }])
    expect((await download(workUrl())).status).toBe(422)
  })

  it('update an outdated translation, and refuse one that somebody has changed since', async () => {
    const id = await buildSource({ content: '', description: '' })
    const translation = await buildTranslation(resourceApp.database, 'news', id, 'kaa', { title: 'Baǵlarda suw' })
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'Вода в садах и полях' } })
    const { text } = await download(workUrl('&of=outdated'))
    expect(text).toContain('<target>Baǵlarda suw</target>')
    expect(await deliver(text, 'write')).toMatchObject([{ outcome: 'unchanged' }])
    const returned = translate(text, (source) => source.replace('Вода', 'Suw'))
    await resourceApp.ask('PUT', `/news/${translation}`, { data: { title: 'Basqa' } })
    expect(await deliver(returned, 'write')).toMatchObject([{ outcome: 'refused', reason: 'target' }])
    expect((await download(workUrl('&of=outdated'))).status).toBe(422)
  })

  it('confirm an outdated translation that the file calls translated', async () => {
    const id = await buildSource({ content: '', description: '' })
    await buildTranslation(resourceApp.database, 'news', id, 'kaa', { title: 'Baǵlarda suw' })
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'Вода в саду' } })
    const { text } = await download(workUrl('&of=outdated'))
    const returned = translate(text, () => 'Baǵlarda suw')
    expect(await deliver(returned, 'write')).toMatchObject([{ id, outcome: 'written', fields: 1 }])
    expect((await download(workUrl('&of=outdated'))).status).toBe(422)
  })

  it.each([
    ['missing', (text: string) => text.replace(/(<unit id="description".*?)<target>.*?<\/target>/s, '$1')],
    ['as it went out', (text: string) => text],
  ])('leave a translation outdated where one of its texts comes back %s', async (_what, change) => {
    const id = await buildSource({ content: '' })
    const translation = { title: 'Baǵlarda suw', description: 'Qatar' }
    await buildTranslation(resourceApp.database, 'news', id, 'kaa', translation)
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'Вода в саду', description: 'Другая' } })
    const { text } = await download(workUrl('&of=outdated'))
    const returned = change(text).replace('<target>Baǵlarda suw</target>', '<target>Baǵda suw</target>')
    const expected = [{ id, outcome: 'written', reason: 'incomplete', field: 'description' }]
    expect(await deliver(returned, 'try')).toMatchObject(expected)
    expect(await deliver(returned, 'write')).toMatchObject(expected)
    const again = await download(workUrl('&of=outdated'))
    expect(again.text).toContain('<target>Baǵda suw</target>')
    const whole = translate(again.text, (source) => `${source} kaa`)
    expect(await deliver(whole, 'write')).toMatchObject([{ id, outcome: 'written', reason: null, fields: 2 }])
    expect((await download(workUrl('&of=outdated'))).status).toBe(422)
  })

  it('refuse a missing translation without all of its texts, so that it is asked for again', async () => {
    const id = await buildSource({ content: '' })
    const { text } = await download(workUrl())
    const returned = translate(text).replace(/(<unit id="description".*?)<target>.*?<\/target>/s, '$1')
    expect(await deliver(returned, 'write')).toMatchObject([
      { id, outcome: 'refused', reason: 'incomplete', field: 'description' },
    ])
    expect((await download(workUrl())).text).toBe(text)
  })

  it('show the state of the source that they were made from, also in another language', async () => {
    const id = await buildSource({ content: '', description: '' })
    await buildTranslation(resourceApp.database, 'news', id, 'en', { title: 'Water' })
    const urlOf = (of: string) => `/memory/work?resource=news&source=en&target=kaa&of=${of}`
    const missing = translate((await download(urlOf('missing'))).text, () => 'Suw')
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'Вода и свет' } })
    expect(await deliver(missing, 'write')).toMatchObject([{ outcome: 'written' }])
    const outdated = translate((await download(urlOf('outdated'))).text, () => 'Suw hám jaqtı')
    const { data } = await resourceApp.read<{ data: { id: number }[] }>('/news?locale=kaa')
    await resourceApp.ask('PUT', `/news/${data[0]?.id}`, { data: { title: 'Suw' } })
    expect((await download(urlOf('outdated'))).status).toBe(422)
    expect(await deliver(outdated, 'write')).toMatchObject([{ outcome: 'written' }])
    expect((await download(urlOf('outdated'))).status).toBe(422)
  })

  it('refuse a source that has changed and changed back since', async () => {
    const id = await buildSource({ content: '', description: '' })
    const { text } = await download(workUrl())
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'Другая' } })
    await resourceApp.ask('PUT', `/news/${id}`, { data: { title: 'Вода в садах' } })
    expect(await deliver(translate(text), 'write')).toMatchObject([{ outcome: 'refused', reason: 'source' }])
    const withoutState = translate((await download(workUrl())).text).replace(/(original="[^"]*)\/\d+"/, '$1"')
    expect(await deliver(withoutState, 'write')).toMatchObject([{ outcome: 'refused', reason: 'source' }])
  })

  it('take segments of a text in the order of their targets, and refuse a text with some of them', async () => {
    await buildSource({ title: 'Раз. Два.', content: '', description: '' })
    const { text } = await download(workUrl())
    const segmented = (targets: readonly [string, string]) =>
      text.replace(
        /<segment.*<\/segment>/s,
        `<segment state="translated"><source>Раз.</source>${targets[0]}</segment><ignorable><source> </source><target order="2"> </target></ignorable><segment state="translated"><source>Два.</source>${targets[1]}</segment>`,
      )
    expect(await deliver(segmented(['<target>Bir.</target>', '']), 'write')).toMatchObject([
      { outcome: 'refused', reason: 'incomplete', field: 'title' },
    ])
    const swapped = segmented(['<target order="3">Bir.</target>', '<target order="1">Eki.</target>'])
    expect(await deliver(swapped, 'write')).toMatchObject([{ outcome: 'written' }])
    const { data } = await resourceApp.read<{ data: { attributes: { title: string } }[] }>('/news?locale=kaa')
    expect(data[0]?.attributes.title).toBe('Eki. Bir.')
  })

  it('refuse a source that has changed since, and write the other records of the file', async () => {
    await buildSource()
    const other = await buildNews(resourceApp.database, { title: 'Другая' }, 'ru')
    const { text } = await download(workUrl())
    await resourceApp.ask('PUT', `/news/${other}`, { data: { title: 'Другая новость' } })
    expect(await deliver(translate(text), 'write')).toMatchObject([
      { id: other, outcome: 'refused', reason: 'source' },
      { outcome: 'written' },
    ])
  })

  it.each([
    ['lost', (source: string) => source.replace(/<\/?pc[^>]*>/g, ''), 'marks'],
    ['repeated', (source: string) => `${source}${/<ph[^>]*>/.exec(source)?.[0] ?? ''}`, 'marks'],
    ['added', (source: string) => `${source}<ph id="9"/>`, 'marks'],
    ['of another kind', (source: string) => source.replaceAll('<ph id', '<sc id'), 'marks'],
    ['left out', (source: string) => (source === 'Пункт' ? '' : source), 'incomplete'],
  ] as const)('refuse a rich text whose marks or parts are %s', async (_what, change, reason) => {
    await buildSource()
    const { text } = await download(workUrl())
    expect(
      await deliver(
        translate(text, (source) => (/[<П]/.test(source) ? change(source) : source)),
        'write',
      ),
    ).toMatchObject([{ outcome: 'refused', reason }])
  })

  it('never take a tag from the file: only numbers of codes count', async () => {
    const id = await buildSource()
    const { text } = await download(workUrl())
    const hostile = translate(text, (source) => `${source}&lt;script&gt;alert(1)&lt;/script&gt;`).replaceAll(
      /<data id="d1">.*?<\/data>/g,
      '<data id="d1">&lt;img onerror=alert(1)&gt;</data>',
    )
    expect(await deliver(hostile, 'write')).toMatchObject([{ id, outcome: 'written' }])
    const { data } = await resourceApp.read<{ data: { attributes: { content: string } }[] }>('/news?locale=kaa')
    expect(data[0]?.attributes.content).not.toMatch(/<script|onerror|<img/)
  })

  it('refuse values that the write path refuses, with its issues', async () => {
    await buildSource({ content: '', description: '' })
    const { text } = await download(workUrl())
    expect(
      await deliver(
        translate(text, () => 'x'.repeat(400)),
        'try',
      ),
    ).toMatchObject([
      { outcome: 'refused', reason: 'values', issues: [{ path: ['title'], code: 'validation.maxLength' }] },
    ])
  })

  it('leave records without any translation as they are', async () => {
    await buildSource()
    const { text } = await download(workUrl())
    expect(await deliver(text, 'write')).toMatchObject([{ outcome: 'empty', fields: 0 }])
  })

  it('go out for chosen records alone, whatever the state of their translation', async () => {
    const id = await buildSource()
    const other = await buildNews(resourceApp.database, { title: 'Другая' }, 'ru')
    await buildTranslation(resourceApp.database, 'news', other, 'kaa', { title: 'Basqa' })
    const { text } = await download(workUrl(`&ids=${other}`))
    expect(text).toContain(`original="news/${other}/`)
    expect(text).toContain('<target>Basqa</target>')
    expect(text).not.toContain(`original="news/${id}/`)
    expect((await download(workUrl(`&ids=${other}&of=missing`))).status).toBe(422)
  })

  it('name records that do not exist for the caller only as unknown', async () => {
    const id = await buildSource()
    const { text } = await download(workUrl())
    const elsewhere = text.replaceAll(`news/${id}/`, 'users/1/')
    expect(await deliver(translate(elsewhere), 'write')).toMatchObject([
      { resource: 'users', id: null, name: null, outcome: 'refused', reason: 'unknown' },
    ])
  })

  it('go only to staff, and come back only from staff', async () => {
    await buildTag(resourceApp.database, {}, 'ru')
    expect((await download('/memory/work?resource=tags', 'authenticated')).status).toBe(403)
    const { status } = await upload('/memory/work', '<xliff/>', { role: 'authenticated', texts: { mode: 'try' } })
    expect(status).toBe(403)
  })

  it.each([
    ['no mode', '<xliff/>', {}, 'request.unprocessable'],
    ['another format', tmxOf(''), { mode: 'try' }, 'memory.format'],
    [
      'an older format',
      '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"/>',
      { mode: 'try' },
      'memory.format',
    ],
    [
      'no records',
      '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="ru" trgLang="kaa"/>',
      { mode: 'try' },
      'memory.empty',
    ],
    [
      'more records than one may have, before it is read to its end',
      `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="ru" trgLang="kaa">${'<file/>'.repeat(201)}`,
      { mode: 'try' },
      'memory.size',
    ],
    [
      'one language',
      '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="ru" trgLang="ru"/>',
      { mode: 'try' },
      'memory.format',
    ],
  ] as const)('refuse a file with %s', async (_what, file, texts, code) => {
    const { status, body } = await upload('/memory/work', file, { role: 'admin', texts })
    expect([status, body]).toMatchObject([422, { error: { code } }])
  })
})
