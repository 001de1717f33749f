import { describe, expect, it } from 'vitest'
import { buildNews, buildRegion, buildTag, buildUpload, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
  meta: Record<string, never>
}
const createRecord = async (wire: string, data: Record<string, unknown>) => {
  const { status, body } = await resourceApp.ask('POST', `/${wire}`, { data })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as One).data
}
const attributes = async (path: string) => (await resourceApp.read<One>(path)).data.attributes

describe('relations in bodies (contract §4)', () => {
  const targets = async () =>
    Promise.all([buildTag(resourceApp.database), buildTag(resourceApp.database), buildTag(resourceApp.database)])
  const tagsOf = async (id: number) => {
    const { tags } = await attributes(`/news/${id}?populate[tags][fields]=name`)
    return (tags as { data: { id: number }[] }).data.map((tag) => tag.id)
  }
  it('replaces, clears and edits a list of relations in the given order', async () => {
    const [firstTag, secondTag, thirdTag] = await targets()
    const { id } = await createRecord('news', { title: 'T', tags: [secondTag, firstTag] })
    const setTags = async (tags: unknown) => {
      expect((await resourceApp.ask('PUT', `/news/${id}`, { data: { tags } })).status).toBe(200)
      return tagsOf(id)
    }
    expect(await tagsOf(id)).toEqual([secondTag, firstTag])
    expect(await setTags([{ id: thirdTag }, String(firstTag)])).toEqual([thirdTag, firstTag])
    expect(await setTags({ connect: [secondTag], disconnect: [thirdTag] })).toEqual([firstTag, secondTag])
    expect(await setTags({ connect: [{ id: firstTag }] })).toEqual([secondTag, firstTag])
    expect(await setTags({ set: [thirdTag, thirdTag] })).toEqual([thirdTag])
    expect(await setTags({ disconnect: [999_999] })).toEqual([thirdTag])
    expect(await setTags([])).toEqual([])
    expect(await setTags(firstTag)).toEqual([firstTag])
    expect(await setTags(null)).toEqual([])
  })
  it('sets and clears a to-one link in every form', async () => {
    const [firstRegion, secondRegion] = [
      await buildRegion(resourceApp.database),
      await buildRegion(resourceApp.database),
    ]
    const { id } = await createRecord('districts', { name: 'D' })
    const setRegion = async (region: unknown) => {
      expect((await resourceApp.ask('PUT', `/districts/${id}`, { data: { region } })).status).toBe(200)
      const { region: link } = await attributes(`/districts/${id}?populate=region`)
      return (link as { data: { id: number } | null }).data?.id ?? null
    }
    for (const form of [
      firstRegion,
      String(firstRegion),
      { id: firstRegion },
      [firstRegion],
      { connect: [firstRegion] },
      { set: [firstRegion] },
      { connect: [{ id: firstRegion }] },
    ]) {
      expect([form, await setRegion(form)]).toEqual([form, firstRegion])
      expect(await setRegion(secondRegion)).toBe(secondRegion)
    }
    for (const form of [null, [], { disconnect: [secondRegion] }, { set: [] }]) {
      await setRegion(secondRegion)
      expect([form, await setRegion(form)]).toEqual([form, null])
    }
    expect(await setRegion({ disconnect: [firstRegion] })).toBeNull()
  })
  it("accepts ids of any language of a link's target, and stores several as one link", async () => {
    const [a] = await targets()
    const otherTranslation = await buildTranslation(resourceApp.database, 'tags', a, 'ru', { name: 'Я' })
    const { id } = await createRecord('news', { title: 'T', tags: [otherTranslation, a] })
    expect(await tagsOf(id)).toEqual([a])
    await resourceApp.ask('PUT', `/news/${id}`, { data: { tags: { disconnect: [otherTranslation] } } })
    expect(await tagsOf(id)).toEqual([])
  })
  it('shows the same links from both sides of a relation', async () => {
    const [tag] = await targets()
    const [firstNews, secondNews] = [await buildNews(resourceApp.database), await buildNews(resourceApp.database)]
    await resourceApp.ask('PUT', `/tags/${tag}`, { data: { news: [secondNews, firstNews] } })
    expect([await tagsOf(firstNews), await tagsOf(secondNews)]).toEqual([[tag], [tag]])
    const { news } = await attributes(`/tags/${tag}?populate=news`)
    expect((news as { data: { id: number }[] }).data.map(({ id }) => id)).toEqual([secondNews, firstNews])
    const region = await buildRegion(resourceApp.database)
    const { id } = await createRecord('districts', { name: 'D', region })
    expect(await attributes(`/regions/${region}?populate=districts`)).toMatchObject({ districts: { data: [{ id }] } })
    // The mirror side of a relation is read-only for writes.
    await resourceApp.ask('PUT', `/regions/${region}`, { data: { districts: [] } })
    expect(await attributes(`/regions/${region}?populate=districts`)).toMatchObject({ districts: { data: [{ id }] } })
  })
  it('accepts the picture of a record by id or by one of its paths', async () => {
    const image = await buildUpload(resourceApp.database, { hash: 'h1', url: '/uploads/a1.png' })
    for (const form of [image, { id: image }, '/uploads/a1.png', '/a1.png']) {
      const { id } = await createRecord('news', { title: 'T', image: form })
      expect(await attributes(`/news/${id}?populate=image`)).toMatchObject({ image: { data: { id: image } } })
    }
  })
  it.each([
    [{ tags: [999_999] }, '1 relation(s) of type tags associated with this entity do not exist'],
    [{ tags: [999_998, 999_999] }, '2 relation(s) of type tags associated with this entity do not exist'],
    [{ region: 999_999 }, '1 relation(s) of type regions associated with this entity do not exist'],
    [{ image: '/nothing.png' }, '1 relation(s) of type uploads associated with this entity do not exist'],
    [{ region: 'abc' }, 'Invalid relations'],
    [{ region: '' }, 'Invalid relations'],
    [{ tags: ['x'] }, 'Invalid relations'],
    [{ tags: [2_147_483_648] }, 'Invalid relations'],
  ])('refuses the links %j: %s', async (links, message) => {
    expect(await resourceApp.ask('POST', '/news', { data: { title: 'T', ...links } })).toMatchObject({
      status: 400,
      body: { error: { message } },
    })
  })
  it('removes a deleted record from lists of relations', async () => {
    const [a, b] = await targets()
    const { id } = await createRecord('news', { title: 'T', tags: [a, b] })
    await resourceApp.ask('DELETE', `/tags/${a}`)
    expect(await tagsOf(id)).toEqual([b])
    expect(await attributes(`/news/${id}`)).toMatchObject({ version: 2 })
  })
})
