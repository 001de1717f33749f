import { type Field, isLink, isToOne, type Resource, resources, screensOf } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { checkSteps, planSave } from './saving/plan.ts'
import { coverageOf, familyOf, toFormValues, type Values } from './values.ts'

const { news, units } = resources

const record = {
  id: 7,
  title: 'Новость',
  description: null,
  content: null,
  version: 3,
  locale: 'ru',
  outdated: false,
  views: 4,
  kind: 'event',
  active: true,
  featured: false,
  date: null,
  link: null,
  videourl: null,
  region: { id: 40, name: 'Нукус' },
  tags: [{ id: 1, name: 'Хлопок' }],
  image: null,
  gallery: [],
  localizations: [
    { id: 8, title: 'Yangilik', description: 'Qisqa', content: null, version: 5, locale: 'uz', outdated: true },
  ],
}

const touchFields = (sharedNames: string[], texts: ['en' | 'ru' | 'uz' | 'kaa', string[]][] = []) => ({
  shared: new Set(sharedNames),
  texts: new Map(texts.map(([locale, names]) => [locale, new Set(names)] as const)),
})

describe('the values of a form', () => {
  it('separates shared fields of a form from the texts of each language', () => {
    const values = toFormValues(news, record)
    expect(values.shared).toMatchObject({ kind: 'event', views: 4, link: '', region: { id: 40 } })
    expect(values.texts.ru?.title).toBe('Новость')
    expect(values.texts.uz?.description).toBe('Qisqa')
    expect(values.texts.kaa).toEqual({ title: '', description: '', content: '' })
  })
  it('starts a new record with its default values', () => {
    expect(toFormValues(news, null).shared).toMatchObject({ kind: 'news', active: true, tags: [], region: null })
    expect(toFormValues(units, null)).toMatchObject({ shared: { name: {}, kind: 'count', factor: null }, texts: {} })
  })
})

describe('the calls of a save', () => {
  const languageFamily = familyOf(news, record)
  const values = toFormValues(news, record)

  it('plans no calls for a save when nothing was changed', () => {
    expect(planSave(news, values, touchFields([]), languageFamily, 'ru', record)).toEqual([])
  })
  it('sends only changed fields of a form, with the version that was read', () => {
    expect(planSave(news, values, touchFields(['tags'], [['ru', ['title']]]), languageFamily, 'ru', record)).toEqual([
      { kind: 'update', locale: 'ru', id: 7, draft: { tags: [1], title: 'Новость', version: 3 } },
    ])
  })
  it('saves other languages before the shared fields, which raise every version', () => {
    const steps = planSave(
      news,
      values,
      touchFields(
        ['kind'],
        [
          ['uz', ['title']],
          ['ru', ['title']],
        ],
      ),
      languageFamily,
      'ru',
      record,
    )
    expect(steps.map(({ kind, locale }) => [kind, locale])).toEqual([
      ['update', 'uz'],
      ['update', 'ru'],
    ])
    expect(steps[0]?.draft).toEqual({ title: 'Yangilik', version: 5 })
  })
  it('adds a language that was typed in, and skips a language that was emptied again', () => {
    const typedValues = {
      ...values,
      texts: { ...values.texts, kaa: { title: 'Jańalıq', description: '', content: '' } },
    }
    expect(planSave(news, typedValues, touchFields([], [['kaa', ['title']]]), languageFamily, 'ru', record)).toEqual([
      { kind: 'translate', locale: 'kaa', draft: { title: 'Jańalıq', description: null, content: null } },
    ])
    expect(planSave(news, values, touchFields([], [['kaa', ['title']]]), languageFamily, 'kaa', record)).toEqual([])
  })
  it('sends an empty optional text as null, a required text unchanged', () => {
    const typedValues = toFormValues(resources.districts, null)
    const [step] = planSave(resources.districts, typedValues, touchFields([]), new Map(), 'ru', null)
    expect(step?.draft).toMatchObject({ name: '', code: null })
  })
  it('sends shared fields in another language when the record lacks the visible language', () => {
    expect(planSave(news, values, touchFields(['kind']), languageFamily, 'en', record)[0]).toMatchObject({
      id: 7,
      draft: { kind: 'event', version: 3 },
    })
    const fullPlan = planSave(
      news,
      values,
      touchFields(
        ['kind'],
        [
          ['ru', ['title']],
          ['uz', ['title']],
        ],
      ),
      languageFamily,
      'en',
      record,
    )
    expect(fullPlan.at(-1)?.draft).toMatchObject({ kind: 'event', title: 'Yangilik' })
  })
  it('creates a new record in the visible language, then its translations', () => {
    const freshValues = toFormValues(news, null)
    const typedValues = { ...freshValues, texts: { ...freshValues.texts, ru: { title: 'А' }, uz: { title: 'B' } } }
    const steps = planSave(
      news,
      typedValues,
      touchFields(
        [],
        [
          ['ru', ['title']],
          ['uz', ['title']],
        ],
      ),
      new Map(),
      'ru',
      null,
    )
    expect(steps.map(({ kind, locale }) => [kind, locale])).toEqual([
      ['create', 'ru'],
      ['translate', 'uz'],
    ])
    expect(steps[0]?.draft).toMatchObject({ title: 'А', locale: 'ru', kind: 'news' })
  })
})

describe('a new record written in one language only', () => {
  it('creates a record written in one language in that language, whichever is visible', () => {
    const freshValues = toFormValues(news, null)
    const typedValues = { ...freshValues, texts: { ...freshValues.texts, uz: { title: 'B' } } }
    const steps = planSave(news, typedValues, touchFields([], [['uz', ['title']]]), new Map(), 'ru', null)
    expect(steps.map(({ kind, locale }) => [kind, locale])).toEqual([['create', 'uz']])
  })
})

describe('the check of a save', () => {
  it('reports every wrong field of every saved language, the visible language first', () => {
    const freshValues = toFormValues(news, null)
    const typedValues = {
      shared: { ...freshValues.shared, link: 'http://x' },
      texts: { ...freshValues.texts, ru: { description: 'А', title: '' }, uz: { description: 'x', title: '' } },
    }
    const steps = planSave(news, typedValues, touchFields(['link'], [['uz', ['description']]]), new Map(), 'ru', null)
    const issues = checkSteps(news, steps, 'ru')
    expect(issues.map(({ name, code }) => [name, code])).toEqual([
      ['texts.ru.title', 'validation.title'],
      ['shared.link', 'validation.url'],
      ['texts.uz.title', 'validation.title'],
    ])
  })
})

it('counts the filled-in fields of a language', () => {
  const values = toFormValues(news, record)
  expect(coverageOf(news, values.texts.uz)).toEqual({ filled: 2, all: 3 })
  expect(coverageOf(news, values.texts.en)).toEqual({ filled: 0, all: 3 })
})

/** A value of a field as an input of the form sets it, and as the call has it. */
function typedValue(field: Field, name: string): { typed: unknown; sent: unknown } {
  const target = { id: 40, name }
  if (isLink(field)) return isToOne(field) ? { typed: target, sent: 40 } : { typed: [target], sent: [40] }
  return { typed: `typed ${name}`, sent: `typed ${name}` }
}

describe('the form of every screen', () => {
  const forms = Object.values<Resource>(resources)
    .flatMap(screensOf)
    .filter(({ resource: { form } }) => form)
    .map(({ path, resource }) => [path, resource] as const)

  /** Typed values of all fields of a form: the shared ones, and the localized ones in one language. */
  const typeAllFields = (resource: Resource) => {
    const names = [...(resource.form?.sections.flatMap(({ fields }) => fields) ?? []), ...(resource.form?.aside ?? [])]
    const sharedFields: { typed: Values; sent: Values } = { typed: {}, sent: {} }
    const texts: typeof sharedFields = { typed: {}, sent: {} }
    for (const name of names) {
      const field = resource.fields[name]
      if (!field || field.readOnly || field.kind === 'count') continue
      const formPart = field.localized ? texts : sharedFields
      const { typed, sent } = typedValue(field, name)
      formPart.typed[name] = typed
      formPart.sent[name] = sent
    }
    return { shared: sharedFields, texts }
  }

  it.each(forms)('sends all that is typed into the form of %s, new or stored', (_path, resource) => {
    const { shared, texts } = typeAllFields(resource)
    const values = { shared: shared.typed, texts: resource.localized ? { ru: texts.typed } : {} }
    const touchedFields = touchFields(
      Object.keys(shared.typed),
      resource.localized ? [['ru', Object.keys(texts.typed)]] : [],
    )
    const sentDraft = { ...shared.sent, ...texts.sent }
    expect(planSave(resource, values, touchedFields, new Map(), 'ru', null)).toMatchObject([
      { kind: 'create', draft: sentDraft },
    ])
    const storedRecord = { id: 7, version: 3, ...(resource.localized && { locale: 'ru', localizations: [] }) }
    expect(
      planSave(resource, values, touchedFields, familyOf(resource, storedRecord), 'ru', storedRecord),
    ).toMatchObject([{ kind: 'update', id: 7, draft: { ...sentDraft, version: 3 } }])
  })
  it.each(forms.filter(([, { localized }]) => localized))(
    'sends the typed translation of %s in its language',
    (_path, resource) => {
      const { texts } = typeAllFields(resource)
      const storedRecord = { id: 7, version: 3, locale: 'ru', localizations: [] }
      const values = toFormValues(resource, storedRecord)
      const typedValues = { ...values, texts: { ...values.texts, kaa: { ...values.texts.kaa, ...texts.typed } } }
      const touchedFields = touchFields([], [['kaa', Object.keys(texts.typed)]])
      expect(
        planSave(resource, typedValues, touchedFields, familyOf(resource, storedRecord), 'kaa', storedRecord),
      ).toMatchObject([{ kind: 'translate', locale: 'kaa', draft: texts.sent }])
    },
  )
})
