/** The reference lists and the sample content that the product starts with. */
import type { Resource } from '@dala/model'
import { resourceNamed, resources } from '../resources/attributes.ts'
import districts from './data/districts.json' with { type: 'json' }
import reference from './data/reference.json' with { type: 'json' }
import regions from './data/regions.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import type { Seeder, SeedRecord } from './seeder.ts'

/** Lists that are seeded by a hand of their own, or are no collections (data notes). */
const apart = new Set(['roles', 'deliveryTypes'])

/** The reference lists of resources that exist; the others wait for theirs. */
export function referenceLists(): [Resource, SeedRecord[]][] {
  return Object.entries<SeedRecord[]>(reference).flatMap(([name, records]): [Resource, SeedRecord[]][] => {
    const resource = apart.has(name) ? undefined : resources[name]
    return resource ? [[resource, records]] : []
  })
}

/** The keys of a record that the resource knows; a slug that differs by language is the English entry's. */
function fieldsOf(resource: Resource, record: SeedRecord): SeedRecord {
  const known = Object.entries(record).filter(([name]) => name in resource.fields)
  return Object.fromEntries(
    known.map(([name, value]) => [name, name === 'slug' && resource.fields.slug?.localized ? { en: value } : value]),
  )
}

/** The value that tells a record from the others of its list: its key, else its Russian title. */
function keyOf(resource: Resource, record: SeedRecord): { field: string; value: string } {
  for (const field of ['slug', 'code']) {
    const value = record[field]
    if (field in resource.fields && typeof value === 'string') return { field, value }
  }
  const title = record[resource.title]
  const text = typeof title === 'object' && title !== null && 'ru' in title ? title.ru : title
  return { field: resource.title, value: String(text) }
}

/** Regions, and the districts in them. */
export async function seedPlaces(seeder: Seeder): Promise<void> {
  const regionIds = new Map<string, number>()
  for (const { code, iso, type, order, name, lat, lng } of regions) {
    const record = { code, iso, type, order, name, lat, lng }
    regionIds.set(code, await seeder.document('regions', record, { field: 'code', value: code }))
  }
  for (const [index, district] of districts.entries()) {
    const { code, type, name, regionCode } = district
    const { lat, lng } = 'lat' in district ? district : { lat: null, lng: null }
    const record = { code, type, name, lat, lng, order: index + 1, region: regionIds.get(regionCode) }
    await seeder.document('districts', record, { field: 'code', value: code })
  }
}

/** One list of the reference data. */
export async function seedList(seeder: Seeder, resource: Resource, records: readonly SeedRecord[]): Promise<void> {
  for (const record of records) await seeder.record(resource, fieldsOf(resource, record), keyOf(resource, record))
}

const aboutPage = {
  title: {
    en: 'Dala advisory service',
    ru: 'Консультационная служба «Дала»',
    uz: '“Dala” maslahat xizmati',
    kaa: '“Dala” másláhát xızmeti',
  },
  description: {
    en: '<p>We connect farmers with agronomists, veterinarians and credit advisers in every region.</p>',
    ru: '<p>Мы связываем фермеров с агрономами, ветеринарами и консультантами по кредитам в каждом регионе.</p>',
    uz: '<p>Biz fermerlarni har bir hududda agronom, veterinar va kredit maslahatchilari bilan bogʻlaymiz.</p>',
    kaa: '<p>Biz fermerlerdi hár bir aymaqta agronom, veterinar hám kredit másláhátshileri menen baylanıstıramız.</p>',
  },
  address: {
    en: 'Nukus, 1 Namoyish Street',
    ru: 'Нукус, улица Демонстрационная, 1',
    uz: 'Nukus, Namoyish koʻchasi, 1',
    kaa: 'Nókis, Kórgizbe kóshesi, 1',
  },
  working_hours: {
    en: 'Mon–Fri 09:00–18:00',
    ru: 'Пн–Пт 09:00–18:00',
    uz: 'Du–Ju 09:00–18:00',
    kaa: 'Dú–Ju 09:00–18:00',
  },
  phone: '+998 00 200-00-00',
  email: 'info@example.org',
  website: 'https://example.org/',
  lat: 42.46,
  lng: 59.61,
}

/** News and the page about the organisation. */
export async function seedContent(seeder: Seeder): Promise<void> {
  for (const { tags, createdAt, ...item } of samples.news) {
    const ids = await Promise.all(tags.map((slug) => seeder.find('tags', 'slug', slug)))
    const record = {
      ...fieldsOf(resourceNamed('news'), item),
      tags: ids.filter((id) => id !== undefined),
      createdAt: new Date(createdAt).toISOString(),
      date: createdAt.slice(0, 10),
    }
    await seeder.document('news', record, { field: 'title', value: item.title.ru })
  }
  await seeder.document('about', aboutPage, { field: 'title', value: aboutPage.title.ru })
}
