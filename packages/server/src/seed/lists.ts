/** The reference lists and the sample content that the product starts with. */
import districts from './data/districts.json' with { type: 'json' }
import reference from './data/reference.json' with { type: 'json' }
import regions from './data/regions.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import type { Seeder, SeedRecord } from './seeder.ts'

/** A record without the keys that only the data files use (data notes). */
function fieldsOf({ slug: _slug, ...record }: SeedRecord): SeedRecord {
  return record
}

/** Regions, districts, tags, units, genders and FAQs. */
export async function seedReference(seeder: Seeder): Promise<void> {
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
  for (const { slug, name } of reference.tags) {
    // Slugs are told apart by language; the English one keeps the file's own key.
    await seeder.document('tags', { name, slug: { en: slug } }, { field: 'slug', value: slug })
  }
  for (const unit of reference.units) await seeder.plain('units', 'code', unit)
  for (const gender of reference.genders) await seeder.plain('genders', 'code', gender)
  for (const faq of reference.faqs) {
    await seeder.document('faqs', fieldsOf(faq), { field: 'question', value: faq.question.ru })
  }
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
      ...fieldsOf(item),
      tags: ids.filter((id) => id !== undefined),
      createdAt: new Date(createdAt).toISOString(),
      date: createdAt.slice(0, 10),
    }
    await seeder.document('news', record, { field: 'title', value: item.title.ru })
  }
  await seeder.document('about', aboutPage, { field: 'title', value: aboutPage.title.ru })
}
