import { describe, expect, it } from 'vitest'
import { buildRecord, buildDistrict, buildRegion, buildUser, nextNumber } from '../../testing/factories.ts'
import { tokenOf } from '../../testing/app.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const branch = (data: object) =>
  resourceApp.ask('POST', '/branches?populate=region,district', { data: { name: 'B', address: 'A', ...data } })
const linkedValue = (body: unknown, name: string) =>
  ((body as One).data.attributes[name] as { data: { id: number } | null }).data?.id ?? null
const issuesOf = (body: unknown) =>
  (body as { error: { details: { errors?: { path: string[]; message: string }[] } } }).error.details.errors

describe('parts and wholes (content-model §3)', () => {
  const buildAreas = async () => {
    const [region, otherRegion] = [await buildRegion(resourceApp.database), await buildRegion(resourceApp.database)]
    return { region, otherRegion, district: await buildDistrict(resourceApp.database, { region }) }
  }
  it('sets the region of a record from its district', async () => {
    const { region, district } = await buildAreas()
    const { status, body } = await branch({ district })
    expect([status, linkedValue(body, 'region')]).toEqual([200, region])
  })
  it('refuses a district of another region with 422 on the district', async () => {
    const { otherRegion, district } = await buildAreas()
    const { status, body } = await branch({ district, region: otherRegion })
    expect([status, issuesOf(body)?.map(({ path }) => path)]).toEqual([422, [['district']]])
  })
  it('refuses to change a region or a district without the other', async () => {
    const { region, otherRegion, district } = await buildAreas()
    const { id } = ((await branch({ district, region })).body as One).data
    const updateBranch = async (data: object) => (await resourceApp.ask('PUT', `/branches/${id}`, { data })).status
    const otherDistrict = await buildDistrict(resourceApp.database, { region: otherRegion })
    expect(await updateBranch({ region: otherRegion })).toBe(422)
    expect(await updateBranch({ district: otherDistrict })).toBe(422)
    expect(await updateBranch({ district: otherDistrict, region: otherRegion })).toBe(200)
    expect(await updateBranch({ name: 'other things stay free' })).toBe(200)
  })
  it('names both missing fields of a record without a region and a district', async () => {
    const { status, body } = await branch({ region: [], district: [] })
    expect([status, issuesOf(body)?.map(({ path, message }) => [path[0], message])]).toEqual([
      400,
      [
        ['region', 'please select a region'],
        ['district', 'please select a district'],
      ],
    ])
  })
  it('sets the read-only region of a price from its district', async () => {
    const { region, district } = await buildAreas()
    const unit = await buildRecord(resourceApp.database, 'units', { name: { en: 'kg' } })
    const product = await buildRecord(resourceApp.database, 'products', { name: 'P', unit })
    const pricedate = await buildRecord(resourceApp.database, 'pricedates', {
      date: `2026-01-${10 + (nextNumber() % 18)}`,
    })
    const { status, body } = await resourceApp.ask('POST', '/pricelists?populate=region', {
      data: { product, district, pricedate, unit, price: 10 },
    })
    expect([status, linkedValue(body, 'region')]).toEqual([200, region])
  })
})

describe('pairs in order', () => {
  const post = (data: object) =>
    resourceApp.ask('POST', '/serviceposts', { data: { title: 'S', section: 'finance', ...data } })
  it.each([{ amount_min: 10, amount_max: 10 }, { amount_min: 10 }, { amount_max: 0.5 }])(
    'accepts the least and greatest amounts %j',
    async (data) => {
      expect((await post(data)).status).toBe(200)
    },
  )
  it('refuses amounts in the wrong order with 422 on the second value', async () => {
    const { status, body } = await post({ amount_min: 10, amount_max: 9 })
    expect([status, issuesOf(body)?.map(({ path }) => path)]).toEqual([422, [['amount_max']]])
  })
  it('compares a new least amount with the stored greatest one', async () => {
    const { id } = ((await post({ amount_min: 5, amount_max: 9 })).body as One).data
    expect((await resourceApp.ask('PUT', `/serviceposts/${id}`, { data: { amount_min: 10 } })).status).toBe(422)
  })
})

describe('values that are unique together', () => {
  it('refuses with 400 a combination of values that must be unique, and names each field', async () => {
    const data = { name: { en: 'N' }, code: `code-${nextNumber()}`, scope: 'post' }
    expect((await resourceApp.ask('POST', '/statuses', { data })).status).toBe(200)
    const { status, body } = await resourceApp.ask('POST', '/statuses', { data })
    expect([status, issuesOf(body)?.map(({ path }) => path[0])]).toEqual([400, ['code', 'scope']])
    expect((await resourceApp.ask('POST', '/statuses', { data: { ...data, scope: 'order' } })).status).toBe(200)
  })
})

describe('lists with a least and a greatest length', () => {
  const directions = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        buildRecord(resourceApp.database, 'directions', { name: { en: `D ${nextNumber()}` } }),
      ),
    )
  it('refuses every form of edit that would empty a required list', async () => {
    const [directionId] = await directions(1)
    const { status, body } = await resourceApp.ask('POST', '/companies', {
      data: { companyName: 'C', address: 'A', directions: [directionId] },
    })
    expect(status).toBe(200)
    const url = `/companies/${(body as One).data.id}`
    for (const change of [[], { set: [] }, { disconnect: [directionId] }]) {
      const answer = await resourceApp.ask('PUT', url, { data: { directions: change } })
      expect([answer.status, issuesOf(answer.body)?.[0]?.message]).toEqual([400, 'please select directions'])
    }
  })
})

describe('records with a parent of the same resource', () => {
  const page = async (parent?: number) =>
    ((await resourceApp.ask('POST', '/pages', { data: { title: `Page ${nextNumber()}`, parent } })).body as One).data.id
  it('refuses a parent record that leads back to the record', async () => {
    const top = await page()
    const middlePage = await page(top)
    const lowestPage = await page(middlePage)
    const updateParent = (id: number, parent: unknown) => resourceApp.ask('PUT', `/pages/${id}`, { data: { parent } })
    for (const parent of [top, middlePage, lowestPage]) {
      const { status, body } = await updateParent(top, parent)
      expect([status, issuesOf(body)?.[0]?.path]).toEqual([400, ['parent']])
    }
    expect((await updateParent(lowestPage, top)).status).toBe(200)
    expect((await updateParent(top, null)).status).toBe(200)
  })
})

describe('the link to the author of a record', () => {
  const post = async (data: object, role: 'authenticated' | 'admin') => {
    const tradingposttype = await buildRecord(resourceApp.database, 'tradingposttypes', {
      name: { en: 'T' },
      code: 'selling',
    }).catch(async () => (await resourceApp.read<{ data: { id: number }[] }>('/tradingposttypes')).data[0]?.id)
    const { status, body } = await resourceApp.ask(
      'POST',
      '/tradinposts?populate[user][fields]=username',
      { data: { title: 'P', tradingposttype, ...data } },
      role,
    )
    return { status, user: status === 200 ? linkedValue(body, 'user') : undefined, body }
  }
  it('sets the author of a record to the caller, unless staff name another user', async () => {
    const otherUser = await buildUser(resourceApp.database, 'authenticated')
    expect((await post({}, 'authenticated')).user).toBe(resourceApp.people.authenticated)
    expect((await post({ user: otherUser }, 'authenticated')).user).toBe(resourceApp.people.authenticated)
    expect((await post({}, 'admin')).user).toBe(resourceApp.people.admin)
    expect((await post({ user: otherUser }, 'admin')).user).toBe(otherUser)
  })
  it('ignores fields that the caller may not write, and sets the state of a new record to the first one', async () => {
    const { body } = await post(
      { status: 'processed', views: 99, moderated_by: resourceApp.people.admin },
      'authenticated',
    )
    expect((body as One).data.attributes).toMatchObject({ status: 'on_hold', views: 0 })
  })
})

describe('fields for stronger roles', () => {
  it('hides fields for higher roles from other roles: not shown, filtered, sorted or populated', async () => {
    const [direction] = [await buildRecord(resourceApp.database, 'directions', { name: { en: 'D' } })]
    const owner = resourceApp.people.authenticated
    const id = await buildRecord(resourceApp.database, 'companies', {
      companyName: 'C',
      address: 'A',
      directions: [direction],
      owner,
    })
    await tokenOf(resourceApp.app, 'authenticated')
    const ask = (query: string) => resourceApp.ask('GET', `/companies${query}`, undefined, 'authenticated')
    expect((await ask(`/${id}?populate=*`)).body).not.toHaveProperty('data.attributes.owner')
    expect((await ask(`?filters[owner]=${owner}`)).status).toBe(400)
    expect((await ask('?sort=owner.username')).status).toBe(400)
    expect((await resourceApp.ask('GET', `/companies/${id}?populate=owner`)).body).toHaveProperty(
      'data.attributes.owner.data.id',
      owner,
    )
  })
})
