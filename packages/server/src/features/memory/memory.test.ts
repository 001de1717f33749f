import { memoryFields, type MemorySuggestion, type RoleType } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { resources } from '../../resources/attributes.ts'
import { buildNews, buildRecord, buildTag, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'
import { ChangedTexts } from './changed-texts.ts'

const resourceApp = startResourceApp()
const readChanges = () => new ChangedTexts(resourceApp.database).readAll()

interface Suggestions {
  data: MemorySuggestion[]
  meta: { reading: boolean }
}

const suggest = async (text: string, query = '', role: RoleType = 'admin') => {
  const { status, body } = await resourceApp.ask(
    'GET',
    `/memory/suggestions?q=${encodeURIComponent(text)}&source=ru&target=kaa${query}`,
    undefined,
    role,
  )
  expect(status).toBe(200)
  return body as Suggestions
}

/** Creates a news item in Russian with its translation. */
async function buildPair(source: Record<string, string>, target: Record<string, string>) {
  const id = await buildNews(resourceApp.database, source, 'ru')
  const translation = await buildTranslation(resourceApp.database, 'news', id, 'kaa', target)
  return { id, translation }
}

describe('GET /api/memory/suggestions', () => {
  it('finds the translation of the same text with the record that uses it', async () => {
    const { id } = await buildPair({ title: 'Цены на хлопок выросли' }, { title: 'Paxta bahaları kóterildi' })
    expect((await suggest('Цены на хлопок выросли')).meta.reading).toBe(true)
    await readChanges()
    const { data, meta } = await suggest('Цены на  хлопок выросли')
    expect(meta).toEqual({ reading: false })
    expect(data).toEqual([
      {
        share: 100,
        source: 'Цены на хлопок выросли',
        target: 'Paxta bahaları kóterildi',
        uses: [{ resource: 'news', id, name: 'Цены на хлопок выросли', field: 'title' }],
        imported: null,
      },
    ])
  })

  it('finds similar texts with their share, the most similar first, and leaves out others', async () => {
    await buildPair(
      { title: 'Приём заявок на семена пшеницы открыт' },
      { title: 'Biyday tuqımına arza qabıllaw ashıldı' },
    )
    await buildPair({ title: 'Приём заявок на семена риса открыт' }, { title: 'Salı tuqımına arza qabıllaw ashıldı' })
    await buildPair({ title: 'Погода на неделю' }, { title: 'Háptelik hawa rayı' })
    await readChanges()
    const { data } = await suggest('Приём заявок на семена риса закрыт')
    expect(data.map(({ target }) => target)).toEqual([
      'Salı tuqımına arza qabıllaw ashıldı',
      'Biyday tuqımına arza qabıllaw ashıldı',
    ])
    const [first = 0, second = 0] = data.map(({ share }) => share)
    expect(first).toBeGreaterThan(85)
    expect(second).toBeGreaterThanOrEqual(60)
    expect(second).toBeLessThan(first)
    expect((await suggest('Совсем другие слова')).data).toEqual([])
    expect((await suggest('')).data).toEqual([])
  })

  it('finds the translated texts among many later ones without a translation', async () => {
    await buildPair({ title: 'Сроки подачи отчёта по теплицам' }, { title: 'Teplica esabatı múddetleri' })
    for (let number = 0; number < 31; number += 1)
      await buildNews(resourceApp.database, { title: 'Сроки подачи отчёта по теплицам' }, 'ru')
    for (let number = 0; number < 13; number += 1)
      await buildNews(resourceApp.database, { title: `Сроки подачи отчёта по теплицам 2${number}` }, 'ru')
    await readChanges()
    expect((await suggest('Сроки подачи отчёта по теплицам')).data).toMatchObject([
      { share: 100, target: 'Teplica esabatı múddetleri' },
    ])
    expect((await suggest('Сроки подачи отчёта по теплицам 25')).data).toMatchObject([
      { target: 'Teplica esabatı múddetleri' },
    ])
  })

  it('calls a text in other letters, with other capitals or punctuation, 99 percent', async () => {
    await buildPair({ title: 'Полив садов' }, { title: 'Baǵlardı suwǵarıw' })
    await readChanges()
    expect((await suggest('полив садов!')).data).toMatchObject([{ share: 99, target: 'Baǵlardı suwǵarıw' }])
  })

  it('finds sentences of rich texts where both languages have as many, and no others', async () => {
    await buildPair(
      {
        title: 'О воде',
        content: '<p>Вода нужна <strong>всем</strong>. Берегите каналы!</p><ul><li>Один пункт списка</li></ul>',
      },
      {
        title: 'Suw haqqında',
        content: '<p>Suw <em>hámmege</em> kerek. Kanallardı saqlań!</p><ul><li>Dizimniń bir bándi. Jáne biri</li></ul>',
      },
    )
    await readChanges()
    expect((await suggest('Берегите каналы!')).data).toMatchObject([
      { share: 100, target: 'Kanallardı saqlań!', uses: [{ field: 'content' }] },
    ])
    expect((await suggest('Вода нужна всем.')).data).toMatchObject([{ target: 'Suw hámmege kerek.' }])
    expect((await suggest('Один пункт списка')).data).toEqual([])
  })

  it('leaves out the translation of the field that is being translated', async () => {
    const { id } = await buildPair({ title: 'Сроки сева' }, { title: 'Egis múddetleri' })
    await readChanges()
    expect((await suggest('Сроки сева')).data).toHaveLength(1)
    expect((await suggest('Сроки сева', `&resource=news&record=${id}&field=title`)).data).toEqual([])
    expect((await suggest('Сроки сева', `&resource=news&record=${id}&field=description`)).data).toHaveLength(1)
  })

  it('follows an edited translation and a deleted record before their texts are read again', async () => {
    const { id, translation } = await buildPair({ title: 'Ремонт теплиц' }, { title: 'Teplica remontı' })
    await readChanges()
    await resourceApp.ask('PUT', `/news/${translation}`, { data: { title: 'Issıxanalardı ońlaw' } })
    expect((await suggest('Ремонт теплиц')).data).toEqual([])
    await readChanges()
    expect((await suggest('Ремонт теплиц')).data).toMatchObject([{ target: 'Issıxanalardı ońlaw' }])
    await resourceApp.ask('DELETE', `/news/${id}`)
    await resourceApp.ask('DELETE', `/news/${translation}`)
    expect((await suggest('Ремонт теплиц')).data).toEqual([])
    await readChanges()
    const [left] = await resourceApp.database.query(
      sql<{ count: number }>`select count(*)::int as count from memory_segments where text = 'Ремонт теплиц'`,
    )
    expect(left).toEqual({ count: 0 })
  })

  it('notes no record whose texts stay as they are', async () => {
    const { id } = await buildPair({ title: 'Без перемен' }, { title: 'Ózgerissiz' })
    await readChanges()
    await resourceApp.ask('PUT', `/news/${id}`, { data: { views: 7, title: 'Без перемен' } })
    expect(await readChanges()).toBe(0)
  })

  it('counts the segments of each stem exactly', async () => {
    await readChanges()
    const [differing] = await resourceApp.database.query(sql<{ count: number }>`
      select count(*)::int as count from (
        select stem, count(*)::int as uses from memory_segments, unnest(stems) as stem group by stem) as counted
        full join memory_stems using (stem)
       where coalesce(counted.uses, 0) <> coalesce(memory_stems.uses, 0)`)
    expect(differing).toEqual({ count: 0 })
  })

  it('sends at most four statements, whatever is in the memory', async () => {
    await readChanges()
    const texts = await statementsOf(resourceApp.database, () => suggest('Приём заявок на семена риса закрыт'))
    expect(texts.filter((text) => !/\bsessions\b/.test(text)).length).toBeLessThanOrEqual(4)
  })

  it.each(['authenticated', 'public'] as const)('refuses %s', async (role) => {
    const { status } = await resourceApp.ask('GET', '/memory/suggestions?q=a', undefined, role)
    expect(status).toBe(role === 'public' ? 401 : 403)
  })

  it.each([
    ['source=ru&target=ru', 'target'],
    ['source=de', 'source'],
    ['resource=users', 'resource'],
  ])('refuses %s', async (query, key) => {
    const { status, body } = await resourceApp.ask('GET', `/memory/suggestions?q=a&${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: 'query.parameter', details: { params: { key } } } })
  })

  it('refuses a text that no segment is as long as', async () => {
    const { status } = await resourceApp.ask('GET', `/memory/suggestions?q=${'a'.repeat(1_001)}`)
    expect(status).toBe(400)
  })

  it('shows uses in other resources as well', async () => {
    const tag = await buildTag(resourceApp.database, { name: 'Овощеводство открытого грунта' }, 'ru')
    await buildTranslation(resourceApp.database, 'tags', tag, 'kaa', { name: 'Ashıq jer palız egiwshiligi' })
    await buildPair({ title: 'Овощеводство открытого грунта' }, { title: 'Ashıq jer palız egiwshiligi' })
    await readChanges()
    const { data } = await suggest('Овощеводство открытого грунта')
    expect(data).toHaveLength(1)
    expect(data[0]?.uses.map(({ resource }) => resource).toSorted()).toEqual(['news', 'tags'])
  })

  it('does not read fields without translations for readers', async () => {
    await buildRecord(resourceApp.database, 'tags', { name: 'Код' }, 'ru')
    await readChanges()
    const fields = await resourceApp.database.query(
      sql<{ field: string }>`select distinct field from memory_segments where resource = 'tags'`,
    )
    expect(fields).toEqual([{ field: 'name' }])
  })
})

describe('the reading of changed texts', () => {
  it('reads at most about 1,000 segments in one transaction', async () => {
    await readChanges()
    const content = `<p>${Array.from({ length: 400 }, (_, index) => `Предложение ${index}.`).join(' ')}</p>`
    for (const title of ['Первая', 'Вторая', 'Третья', 'Четвёртая', 'Пятая'])
      await buildNews(resourceApp.database, { title, content }, 'ru')
    const texts = await statementsOf(resourceApp.database, readChanges)
    expect(texts.filter((text) => /delete from memory_changes/.test(text))).toHaveLength(2)
    expect(await readChanges()).toBe(0)
  })

  it('reads the other records where one fails, and that one in a later run', async () => {
    const { database } = resourceApp
    await readChanges()
    await database.query(sql`alter table memory_segments add constraint refused_check check (text <> 'Неудача')`)
    await buildPair({ title: 'Запись прежняя' }, { title: 'Aldın' })
    await buildPair({ title: 'Неудача' }, { title: 'Sátsizlik' })
    await buildPair({ title: 'Следующее объявление' }, { title: 'Keyin' })
    await expect(readChanges()).rejects.toThrow('refused_check')
    const errors: unknown[] = []
    await new ChangedTexts(database).readAll((error) => errors.push(error))
    expect(errors).toHaveLength(2)
    expect((await suggest('Запись прежняя')).data).toMatchObject([{ target: 'Aldın' }])
    expect((await suggest('Следующее объявление')).data).toMatchObject([{ target: 'Keyin' }])
    expect(await suggest('Неудача')).toEqual({ data: [], meta: { reading: true } })
    await database.query(sql`alter table memory_segments drop constraint refused_check`)
    expect(await readChanges()).toBe(2)
    expect((await suggest('Неудача')).data).toMatchObject([{ target: 'Sátsizlik' }])
  })
})

describe('the triggers of the translation memory', () => {
  it('note changes of exactly the fields that the memory reads, in every resource that has some', async () => {
    const triggers = await resourceApp.database.query(sql<{ table: string; definition: string }>`
      select c.relname as table, pg_get_triggerdef(t.oid) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where t.tgname = 'memory_change_update' order by 1`)
    const found = triggers.map(({ table, definition }) => [
      table,
      [...definition.matchAll(/\(?new\.(\w+)/gi)].map(([, name = '']) => name).toSorted(),
    ])
    const expected = Object.values(resources)
      .filter((resource) => memoryFields(resource).length > 0 && resource.name === documentTable(resource))
      .map((resource) => [textTable(resource), memoryFields(resource).toSorted()] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
    expect(found).toEqual(expected)
  })
})
